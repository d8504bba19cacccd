"""The grammar and the parser: no conflicts, exact places, faults in our words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rulespec import nodes, parser
from rulespec.diagnostics import Report
from rulespec.documents import Origin
from rulespec.syntax_faults import SLIPS, WORDS

HERE = Origin("game.yaml", 7, 11)
PARSE: dict[str, Callable[[str, Origin, Report], Any]] = {
    "formula": parser.parse_formula,
    "script": parser.parse_script,
    "signature": parser.parse_signature,
    "choices": parser.parse_choices,
    "who": parser.parse_each,
    "binding": parser.parse_binder,
    "order": parser.parse_order,
    "ranking": parser.parse_ranking,
    "call": parser.parse_call,
    "performed": parser.parse_performed,
    "answer": parser.parse_answer,
    "repetition": parser.parse_pace,
    "duration": parser.parse_duration,
    "type_of": parser.parse_type,
}


def read(start: str, text: str, origin: Origin = HERE) -> Any:
    report = Report()
    node = PARSE[start](text, origin, report)
    assert report.diagnostics == []
    return node


def fault(start: str, text: str, origin: Origin = HERE) -> Any:
    report = Report()
    assert PARSE[start](text, origin, report) is None
    assert len(report.diagnostics) == 1, report.diagnostics
    return report.diagnostics[0]


@pytest.mark.slow
def test_the_grammar_has_no_conflict_in_strict_mode() -> None:
    pytest.importorskip("interegular")
    parser.make_parser(strict=True)


FORMULAS = [
    ("count(card in my hand where fits(card, city))", nodes.SetWord),
    ("count(board)", nodes.SetWord),
    ("some(mark in square of cell where mark.owner is player)", nodes.SetWord),
    ("those(player with most influence(player, road))", nodes.SetWord),
    ("first(player in leaders clockwise from active)", nodes.SetWord),
    ("those(other player clockwise from p)", nodes.SetWord),
    ("every(owns(player, cell) for cell in line)", nodes.ForWord),
    ("max(total(player) for other player clockwise from p)", nodes.ForWord),
    ("min(1, 2, 3)", nodes.MinMax),
    ("pile of road.ends", nodes.Of),
    ("(top of deck).worth", nodes.Printed),
    ("side(me, disc)", nodes.Reference),
    ("my side(disc)", nodes.My),
    ("all cities", nodes.AllOf),
    ("1..6", nodes.Binary),
    ("hand without cards + [a, b]", nodes.Binary),
    ("[]", nodes.SetLiteral),
    ("not a and not b", nodes.Logic),
    ("(a and b) or c", nodes.Logic),
    ("hand is not empty", nodes.IsEmpty),
    ("card is not a joker", nodes.IsA),
    ("card has effect", nodes.Has),
    ("-1 if a is b else 2 if c else 3", nodes.Conditional),
    ("yes", nodes.Truth),
]


@pytest.mark.parametrize(("text", "kind"), FORMULAS, ids=[text for text, _ in FORMULAS])
def test_a_formula_becomes_a_node_that_spans_it(text: str, kind: type) -> None:
    node: Any = read("formula", text)
    assert isinstance(node, kind)
    span: Any = node.span  # type: ignore[attr-defined]
    assert (span.line, span.column, span.end_column) == (7, 11, 11 + len(text))


def test_of_binds_tighter_than_arithmetic_and_looser_than_the_dot() -> None:
    node = read("formula", "disc of card.twin + 1")
    assert isinstance(node, nodes.Binary) and isinstance(node.left, nodes.Of)
    assert isinstance(node.left.of, nodes.Printed)


def test_arithmetic_groups_to_the_left() -> None:
    node = read("formula", "a - b - c")
    assert isinstance(node.left, nodes.Binary) and node.right.name.text == "c"


def test_columns_count_code_points_and_lines_of_a_block_keep_their_indentation() -> None:
    block = read("script", "stop  # é\nif a:\n    move x to yy\n", Origin("g.yaml", 20, 9))
    assert str(block[0].span) == "g.yaml:20:9"
    move = block[1].cases[0][1][0]
    assert (str(move.target.span), move.target.span.end_column) == ("g.yaml:22:23", 25)


SCRIPTS = [
    ("let x = award(y)", nodes.Let),
    ("set face of die to 2", nodes.SetTo),
    ("lay(card, disc) by winner", nodes.Perform),
    ("card.effect(card)", nodes.Perform),
    ("choose card from my hand, disc", nodes.Choose),
    ("choose exactly n cards from hand, as far as possible", nodes.Choose),
    ("choose 1 or more cards from hand such that value(cards) > 3", nodes.Choose),
    ("choose any number of cards from my hand by active", nodes.Choose),
    ("choose a1 from b, if possible: stop\notherwise: end game", nodes.Choose),
    ("may choose up to 2 cards from b:\n    stop\notherwise:\n    return 3", nodes.Choose),
    ("may place(x) or slide by p\notherwise: stop", nodes.Offer),
    ("must place or slide, if possible\notherwise: stop", nodes.Offer),
    ("move 2 mark from box to square of cell face down, as far as possible", nodes.Move),
    ("move discard to deck", nodes.Move),
    ("pay 3 money to bank", nodes.Transfer),
    ("gain 3 money from bank", nodes.Transfer),
    ("create 3 points for me", nodes.Create),
    ("destroy 3 points of me", nodes.Create),
    ("draw 4 from deck to my hand face down, as far as possible", nodes.Draw),
    ("shuffle deck", nodes.Shuffle),
    ("roll my dice", nodes.Roll),
    ("pick player first_one at random from all players", nodes.Pick),
    ("show hand to all players", nodes.Show),
    ("look at deck", nodes.LookAt),
    ("turn up those(card in side)", nodes.Turn),
    ("begin block(me, disc)", nodes.Begin),
    ("end block(me)", nodes.Begin),
    ("stop", nodes.Stop),
    ("return", nodes.Return),
    ("end game", nodes.EndGame),
    ("if a: stop\nelse if b: stop\nelse:\n    stop", nodes.If),
    ("while a: stop", nodes.While),
    ("repeat 3 times: stop", nodes.Repeat),
    ("repeat: stop", nodes.Repeat),
    ("for each card in hand where a in order of most b: stop", nodes.ForEach),
    ("one by one, each player clockwise from me: stop", nodes.ForEach),
    ("at the same time, each player:\n    choose 2 cards\nwhen all have chosen:\n    stop", nodes.SameTime),
    ("together:\n    stop", nodes.Together),
]


@pytest.mark.parametrize(("text", "kind"), SCRIPTS, ids=[text.split("\n")[0] for text, _ in SCRIPTS])
def test_a_statement_becomes_a_node(text: str, kind: type) -> None:
    block = read("script", text)
    assert [type(statement) for statement in block] == [kind]
    assert (block[0].span.line, block[0].span.column) == (7, 11)
    assert block[0].span.end_line == 7 + text.count("\n")


MODES = [
    ("choose x1", "must"),
    ("choose x1, as far as possible", "as_far"),
    ("choose x1, if possible: stop", "if_possible"),
    ("may choose x1: stop", "may"),
    ("may x1", "may"),
    ("must x1", "must"),
    ("must x1, if possible", "must_if_possible"),
]


@pytest.mark.parametrize(("text", "mode"), MODES)
def test_how_a_choice_or_offer_must_be_met(text: str, mode: str) -> None:
    assert read("script", text)[0].mode == mode


PHRASES: list[tuple[str, str, Callable[[Any], bool]]] = [
    ("signature", "lay(card, number n)", lambda n: [p.kind.text for p in n.params] == ["card", "number"]),
    ("signature", "plain", lambda n: n.params == ()),
    ("choices", "card from my hand, disc", lambda n: len(n) == 2),
    ("who", "each other player clockwise from p", lambda n: n.other and n.order.form == "sorted"),
    ("binding", "road r in roads where open(r)", lambda n: n.name.text == "r"),
    ("order", "chosen by active", lambda n: n.name.text == "active"),
    ("order", "least x then clockwise from p", lambda n: [k.direction for k in n] == ["least", "clockwise"]),
    ("ranking", "most score(player)", lambda n: n[0].direction == "most"),
    ("call", "used of die.owner", lambda n: isinstance(n, nodes.Of)),
    ("performed", "act by red", lambda n: n.by.name.text == "red"),
    ("answer", "red answers act(x=space(r25, 1))", lambda n: n.player.name.text == "red"),
    ("answer", "act(pass)", lambda n: n.player is None),
    ("repetition", "3 times", lambda n: (n.form, n.by) == ("times", None)),
    ("repetition", "seat by seat, forever", lambda n: (n.form, n.by) == ("forever", "seat")),
    ("repetition", "round by round, while a", lambda n: (n.form, n.by) == ("while", "round")),
    ("repetition", "at least once, until a", lambda n: n.form == "until"),
    ("duration", "for the rest of the game", lambda n: n.form == "game"),
    ("duration", "until the end of the turn", lambda n: (n.form, n.edge) == ("turn", "end")),
    ("duration", "until the start of the next turn of p", lambda n: (n.form, n.edge) == ("next_turn", "start")),
    ("duration", "until the end of debate", lambda n: n.phase.text == "debate"),
    ("duration", "while a", lambda n: n.condition is not None),
    ("type_of", "yes or no", lambda n: n.form == "truth"),
    ("type_of", "0..hand_limit = 0", lambda n: n.form == "range" and n.default.value == 0),
    ("type_of", "player or nobody", lambda n: [x.text for x in n.names] == ["player", "nobody"]),
    ("type_of", "set of 2..3", lambda n: n.form == "set" and n.bounds is not None),
    ("type_of", "set of cell", lambda n: n.names[0].text == "cell"),
    ("type_of", "grid 3 by 4", lambda n: n.board[1] == (3, 4)),
    ("type_of", "cycle 8", lambda n: (n.board[0].text, n.board[1]) == ("cycle", (8,))),
]


@pytest.mark.parametrize(("start", "text", "fits"), PHRASES, ids=[f"{s}: {t}" for s, t, _ in PHRASES])
def test_a_phrase_becomes_a_node(start: str, text: str, fits: Callable[[Any], bool]) -> None:
    assert fits(read(start, text))


@pytest.mark.parametrize("slip", SLIPS, ids=[slip.example for slip in SLIPS])
def test_a_frequent_slip_is_recognised(slip: Any) -> None:
    assert fault(slip.start, slip.example).message == slip.message


FAULTS = [
    ("formula", "a and b or c", "7:19", "`and` and `or` do not mix without brackets"),
    ("formula", "count(a", "7:16", "this `(` is never closed"),
    ("formula", "a)", "7:12", "no bracket is open here for `)` to close"),
    ("formula", "a b", "7:13", "expected the end of the line, found `b`"),
    ("formula", "[1, ]", "7:15", "expected a formula, found `]`"),
    ("formula", "", "7:11", "expected a formula, found nothing"),
    ("formula", "f(x=1)", "7:13", "named arguments stand only in answers of scenarios"),
    ("script", "if a\n    stop", "7:15", "expected `:` at the end of this line"),
    ("script", "if a:\nstop", "8:11", "expected an indented block after `:`"),
    ("script", "stop\n    stop", "8:15", "this line is indented, but no `:` stands before it"),
    ("script", "if a1:\n    stop\n  stop", "9:13", "this line is indented like none of the blocks around it"),
    ("script", "draw 3 from deck", "7:27", "expected `to`, found the end of the line"),
    ("script", "3", "7:11", "expected a statement, found a formula"),
    ("script", "let one = 3", "7:15", "`one` is a word of the language and cannot be a name"),
]


@pytest.mark.parametrize(("start", "text", "place", "message"), FAULTS, ids=[text for _, text, _, _ in FAULTS])
def test_a_fault_is_placed_and_said_in_our_words(start: str, text: str, place: str, message: str) -> None:
    diagnostic = fault(start, text)
    assert (str(diagnostic.span), diagnostic.message) == (f"game.yaml:{place}", message)
    assert not any(symbol in diagnostic.message for symbol in WORDS if symbol.startswith(("_", "$")))


@pytest.mark.parametrize("text", ["(" * 100_000, "(" * 70 + "a" + ")" * 70, "1" + "+1" * 3000, "[" * 100_000])
def test_deep_nesting_is_an_ordinary_fault(text: str) -> None:
    assert fault("formula", text).code == "too-deep"


def test_a_text_that_comes_again_has_its_own_place() -> None:
    report = Report()
    places = [parser.parse_formula("count(deck) + 1", Origin("g.yaml", line, 5), report) for line in (3, 9)]
    assert [str(place.span) for place in places if place is not None] == ["g.yaml:3:5", "g.yaml:9:5"]
    assert report.diagnostics == []
