"""Reads the nouns of a game: options, kinds, tokens, counters, zones, variables."""

from __future__ import annotations

from rulespec import nodes, parser
from rulespec.bounds import MOST_FACES, MOST_MEMBERS, count_of
from rulespec.documents import Mapping, Scalar, Sequence, Value
from rulespec.reading import Context
from rulespec.source import Located


def read_type(context: Context, value: Value | None) -> nodes.TypeExpr:
    """Return a written type; a list of names is an enumeration without a name (form "values")."""
    if isinstance(value, Sequence):
        if not value.items:
            raise context.fail("empty-kind", "a list of values has at least one", value.span)
        names = tuple(context.name_of(item) for item in value.items)
        return nodes.TypeExpr("values", names, None, None, None, value.span)
    return context.parse(value, parser.parse_type)


def read_option(context: Context, key: Located[str], value: Value) -> nodes.Option:
    """Return a setting."""
    body = context.mapping(value)
    default, kind = context.formula(body.get("default")), read_type(context, body.get("is"))
    _few(context, kind, MOST_MEMBERS, f"values of `{key.value}`")
    return nodes.Option(context.declared(key), kind, default, key.span)


def _few(context: Context, written: nodes.TypeExpr, most: int, what: str) -> None:
    """Refuse a range with more numbers than can be told one by one."""
    if count_of(written) > most:
        message = f"{count_of(written)} {what} are too many: there are at most {most}"
        raise context.fail("too-large", message, written.span)


def read_kind(context: Context, key: Located[str], value: Value) -> nodes.Kind:
    """Return an enumeration, a range or a union."""
    plural = None
    if isinstance(value, Mapping):
        plural, inner = context.maybe_name(value.get("plural")), value.get("is")
    else:
        inner = value
    if isinstance(inner, Sequence):
        if not inner.items:
            raise context.fail("empty-kind", f"the kind `{key.value}` has no values", inner.span)
        members = tuple(context.name_of(item) for item in inner.items)
        context.unique(members, lambda name: name, "the value")
        return nodes.Kind(context.declared(key), plural, members, None, key.span)
    written = read_type(context, inner)
    _few(context, written, MOST_MEMBERS, f"members of `{key.value}`")
    return nodes.Kind(context.declared(key), plural, None, written, key.span)


def read_token(context: Context, key: Located[str], value: Value) -> nodes.TokenKind:
    """Return a kind of token."""
    body = context.mapping(value)
    return nodes.TokenKind(
        context.declared(key),
        context.maybe_name(body.get("plural")),
        context.maybe_name(body.get("prints")),
        _owned(context, body),
        context.maybe_formula(body.get("count")),
        _faces(context, body),
        context.formula(body.get("starts_in")),
        context.maybe_name(body.get("in_force")),
        key.span,
    )


def _faces(context: Context, body: Mapping) -> nodes.TypeExpr | None:
    """Return the faces of a die: a range of numbers."""
    faces = context.maybe(body.get("faces"), parser.parse_type)
    if faces is None:
        return None
    if faces.form != "range":
        raise context.fail("bad-value", "the faces of a die are numbers", faces.span, "write `1..6`")
    _few(context, faces, MOST_FACES, "faces")
    return faces


def _owned(context: Context, body: Mapping) -> bool:
    each = body.get("each")
    if each is None:
        return False
    if context.scalar(each).text != "player":
        raise context.fail("bad-value", "only `each: player` is possible here", each.span)
    return True


def read_counter(context: Context, key: Located[str], value: Value) -> nodes.Counter:
    """Return a counter; its bank is None where it is endless."""
    body = context.mapping(value)
    bank = body.get("bank")
    endless = isinstance(bank, Scalar) and bank.text == "endless"
    return nodes.Counter(
        context.declared(key),
        _owned(context, body),
        context.formula(body.get("start")),
        None if endless else context.formula(bank),
        context.maybe_formula(body.get("at_most")),
        key.span,
    )


def read_zone(context: Context, key: Located[str], value: Value) -> nodes.Zone:
    """Return a zone, with the defaults of docs/language.md, section 16."""
    body = context.mapping(value)

    def word(name: str, default: str) -> str:
        found = body.get(name)
        return default if found is None else context.scalar(found).text

    return nodes.Zone(
        context.declared(key),
        context.names(body.get("each")),
        context.names(body.get("holds")),
        word("order", "unordered"),
        context.maybe_formula(body.get("at_most")),
        word("seen_by", "all"),
        word("face_down_seen_by", "nobody"),
        word("number_seen_by", "all"),
        context.maybe_formula(body.get("refill_from")),
        key.span,
        word("own", "no") == "yes",
    )


def read_variable(context: Context, key: Located[str], value: Value) -> nodes.Variable:
    """Return a variable."""
    body = context.mapping(value)
    return nodes.Variable(
        context.declared(key),
        context.names(body.get("each")),
        read_type(context, body.get("is")),
        context.maybe_formula(body.get("start")),
        context.maybe_name(body.get("within")),
        key.span,
    )
