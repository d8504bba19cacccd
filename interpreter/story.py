"""The story of a trial: what happened, who saw what of it, and what each player knows (its labels)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from interpreter.actions import asked_zones as asked_zones
from interpreter.errors import Unfit
from interpreter.labels import Labels
from interpreter.layout import BAG, STACK, Layout
from interpreter.runtime import Effects
from interpreter.values import Values

if TYPE_CHECKING:
    from interpreter.specialise.code import Code
    from interpreter.state import State

Event = dict[str, Any]


class Story(Labels):
    """What has happened so far. Chains are shared between copies; knowledge is copied."""

    def __init__(self, layout: Layout, know: list[list[int]]) -> None:
        super().__init__(layout, know)
        self.point = -1
        self.cause = ""
        self.events: Any = None
        self.shown: list[Any] = [None] * layout.players
        self.keys: list[bytes] = [b""] * layout.players
        self.marks: Any = None
        self.in_view: frozenset[tuple[int, int]] = frozenset()
        self.hidden_answers: tuple[Any, ...] = ()
        self.target: int | None = None
        self.path: frozenset[int] = frozenset()

    @classmethod
    def begun(cls, s: State) -> Story:
        """Return the story of a state in which nothing has happened yet."""
        layout = s.code.layout
        story = cls(layout, [[0] * len(layout.token_kind) for _ in range(layout.players)])
        story.look_afresh(s)
        return story

    def exchange(self, tokens: list[int], others: list[int]) -> None:
        """Let be known of each token what was known of the other in its place, and who follows it."""
        super().exchange(tokens, others)
        now = dict(zip(others, tokens))
        self.in_view = frozenset((player, now.get(t, t)) for player, t in self.in_view)

    def settle_order(self, s: State, named: Iterable[int]) -> None:
        """Where tokens lie alike in no order, put what is known of them in the order it is written down in."""
        kept = set(named)
        heaps = [[t for t in heap if t not in kept] for heap in self.heaps(s, self.veiled(s))]
        heaps = [heap for heap in heaps if len({self.labels_of(token) for token in heap}) > 1]
        signatures = self.signatures(s) if heaps else []
        for heap in heaps:
            self.exchange(heap, sorted(heap, key=lambda t: self.known_of(signatures, t)))

    def copy(self) -> Story:
        """Return an independent copy."""
        other = Story.__new__(Story)
        other.__dict__.update(self.__dict__)
        other.know = [labels[:] for labels in self.know]
        other.shown, other.keys = self.shown[:], self.keys[:]
        return other

    def learned(self, player: int) -> None:
        """Note for undo that something hidden was shown."""
        self.marks = (self.marks, ("shown", player, None))

    # ------------------------------------------------------------------------------------ events

    def tell(self, s: State, full: Event, views: Sequence[Event | None] | None = None) -> None:
        """Note an event, and what each player sees of it (the same for all where no views are given)."""
        rule = s.code.rule_at(self.point)
        if rule is not None:
            full["rule"] = rule
        full["cause"] = self.cause
        self.events = (self.events, full, views)
        text = None if views is not None else _text(full)
        for player in range(self.layout.players):
            view = full if views is None else views[player]
            if view is not None:
                self.show_line(player, text if text is not None else _text(view))

    def show_line(self, player: int, text: str) -> None:
        """Add a line to what a player was shown."""
        self.shown[player] = (self.shown[player], text)
        self.keys[player] = blake2b(self.keys[player] + text.encode(), digest_size=16).digest()

    def turn(self, s: State, player: int) -> None:
        """A turn starts."""
        self.tell(s, {"event": "turn", "player": player})

    def answered(self, s: State, player: int, action: int) -> None:
        """A player has answered; others see what is open."""
        before = s.record[0]
        ask = s.game.asks.ask_of(action)
        self.cause = ask.name
        self.point = -1
        self.in_view = frozenset()
        self.settle_order(s, Values(s.code).held(s))
        self.marks = (self.marks, ("decided", player, (before, ask.name)))
        full = {"event": "chose", "player": player, "action": s.game.notation.action_notation(action)}
        views: list[Event | None] = []
        for other in range(self.layout.players):
            open_to = other == player or not self._hides(s, ask, other)
            views.append(full if open_to else {"event": "chose", "player": player, "action": ask.name})
        if s.sim is None:
            self.tell(s, full, views)
            return
        self.tell(s, full, [full if other == player else None for other in range(self.layout.players)])
        views[player] = None
        self.hidden_answers = (*self.hidden_answers, (player, full, views))

    def answered_hidden(self, s: State, player: int, action: int) -> None:
        """Note an answer that nobody else sees before all have answered."""
        ask = s.game.asks.ask_of(action)
        full = {"event": "chose", "player": player, "action": s.game.notation.action_notation(action)}
        hidden = {"event": "chose", "player": player, "action": ask.name}
        views = [
            None if p == player else hidden if self._hides(s, ask, p) else full for p in range(self.layout.players)
        ]
        self.hidden_answers = (*self.hidden_answers, (player, full, views))

    def revealed(self, s: State) -> None:
        """All have answered: now the others see what is open of it, seat by seat."""
        self.cause = ""
        for _, full, views in sorted(self.hidden_answers, key=lambda answer: answer[0]):
            self.tell(s, dict(full), views)
        self.hidden_answers = ()

    def _hides(self, s: State, ask: Any, player: int) -> bool:
        """Say whether an answer may name tokens that lie where this player does not see them."""
        layout, v = self.layout, s.v
        zones = [layout.zones[z] for z in s.game.zones_asked(ask.name)]
        if any(zone.seen_by != "all" for zone in zones):
            return True
        hiding = {zone.name for zone in zones if zone.face_down_seen_by != "all"} if layout.uses_down else set()
        return bool(hiding) and any(
            v[layout.down_base + t]
            and layout.slots[v[layout.where_base + t] - layout.slot_base][0] in hiding
            and not layout.sees(player, v[layout.where_base + t], 1)
            for t in layout.tokens
        )

    def ended(self, s: State) -> None:
        """The game has ended."""
        self.tell(s, {"event": "end"})

    def seen_by(self, player: int | None) -> list[Event]:
        """Return the events so far, all or as a player saw them."""
        found = []
        at = self.events
        while at is not None:
            at, full, views = at
            view = full if player is None or views is None else views[player]
            if view is not None:
                found.append(dict(view))
        return found[::-1]

    def information(self, s: State, player: int) -> str:
        """Return everything a player was shown and asked, one event a line."""
        return "\n".join([f"player {player}", *self.lines(player), *self._asked_now(s, player)])

    def lines(self, player: int) -> list[str]:
        """Return what a player was shown, an event each."""
        lines = []
        at = self.shown[player]
        while at is not None:
            at, text = at
            lines.append(text)
        return lines[::-1]

    def tell_again(self, shown: Sequence[Sequence[str]], unrevealed: Sequence[Any]) -> None:
        """Begin with these lines for each player, and answers not yet revealed. Raises Unfit for anything else."""
        count = self.layout.players
        if len(shown) != count or not all(isinstance(line, str) for lines in shown for line in lines):
            raise Unfit("what was shown is a list of texts for each player")
        for seat, full, views in unrevealed:
            kinds = {type(full), *(type(view) for view in views if view is not None)}
            if seat not in range(count) or len(views) != count or kinds != {dict}:
                raise Unfit("answers not yet revealed are a seat, an event and what each player sees of it")
        self.hidden_answers = tuple((seat, full, views) for seat, full, views in unrevealed)
        for player, lines in enumerate(shown):
            self.shown[player], self.keys[player] = None, b""
            for line in lines:
                self.show_line(player, line)

    def _asked_now(self, s: State, player: int) -> list[str]:
        if player not in s.pending_players():
            return []
        return ["asked " + " ".join(str(a) for a in s.legal_actions(player))]

    def key(self, s: State, player: int) -> str:
        """Return a short name of what a player was shown and asked."""
        text = f"{player}:{self.keys[player].hex()}:{self._asked_now(s, player)}"
        return blake2b(text.encode(), digest_size=16).hexdigest()

    # -------------------------------------------------------------------------------------- undo

    def _marks(self) -> Iterator[Any]:
        at = self.marks
        while at is not None:
            at, mark = at
            yield mark

    def before_last(self, player: int) -> int | None:
        """Return how long the record was before a player's last decision began, or None."""
        found = None
        name = None
        for kind, who, detail in self._marks():
            if kind != "decided":
                continue
            if who != player:
                if found is not None:
                    break
                continue
            rule = detail[1].split(".")[0]
            if name is not None and rule != name:
                break
            found, name = detail[0], rule
            if "." not in detail[1]:
                break
        if name is None:
            return None
        length = 0
        while found is not None:
            found = found[0]
            length += 1
        return length

    def unfair_since(self, player: int) -> str | None:
        """Return what happened since a player's last decision that makes taking it back unfair."""
        reasons: list[str] = []
        for kind, who, _ in self._marks():
            if kind == "decided" and who == player:
                return reasons[-1] if reasons else None
            reasons.append(
                {
                    "decided": "somebody else has decided",
                    "chance": "chance was used",
                    "shown": "something hidden was shown",
                }[kind]
            )
        return "there is no decision to take back"


def _text(event: Event) -> str:
    shown = {k: v for k, v in event.items() if k not in ("rule", "cause")}
    return json.dumps(shown, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


class TrackedEffects(Effects):
    """Effects that tell the story as they happen."""

    code: Code

    def attach(self, code: Code) -> None:
        """Get to know the code these effects belong to."""
        self.code = code

    # ------------------------------------------------------------------------------------ moving

    def move(self, s: State, tokens: Iterable[int], slot: int, down: int = 0) -> tuple[int, ...]:
        """Move tokens, and tell each player what he sees of it."""
        moved = list(tokens)
        layout, v = self.layout, s.v
        origins = [(v[self.where + t], v[self.down + t]) for t in moved]
        columns = []
        for player in range(layout.players):
            seen = [layout.sees(player, *origin) or layout.sees(player, slot, down) for origin in origins]
            self._follow(s, player, moved, slot, down)
            views = [self._moved(t, o[0], slot, down, see) for t, o, see in zip(moved, origins, seen)]
            columns.append(views if all(seen) else sorted(views, key=_text))
        cells = super().move(s, moved, slot, down)
        for i, token in enumerate(moved):
            s.story.tell(s, self._moved(token, origins[i][0], slot, down, True), [views[i] for views in columns])
        return cells

    def _follow(self, s: State, player: int, moved: list[int], slot: int, down: int) -> None:
        """Work out what a player knows of tokens about to be moved."""
        hidden = [t for t in moved if not self.layout.sees(player, s.v[self.where + t], s.v[self.down + t])]
        if self.layout.sees(player, slot, down):
            s.story.recognise(s, player, hidden)
        elif hidden:
            s.story.blur(s, player, [t for t in hidden if (player, t) not in s.story.in_view])
            if len(moved) > 1 and self.mode[slot - self.slot_base] in (STACK, BAG):
                s.story.mix(player, moved)

    def take(self, s: State, tokens: Sequence[int], amount: int, short: bool) -> Sequence[int]:
        """Return the first of some tokens; of those alike, they are the ones most players know."""
        if amount < len(tokens):
            s.story.arrange(s, tokens)
        return super().take(s, tokens, amount, short)

    def _moved(self, token: int, source: int, slot: int, down: int, seen: bool) -> Event:
        what = self.code.program_name(token) if seen else self.layout.token_kind[token - self.layout.first_token]
        event: Event = {"event": "move", "what": what, "from": self.slot_name(source), "to": self.slot_name(slot)}
        if down:
            event["down"] = True
        return event

    # ----------------------------------------------------------------------------------- counters

    def transfer(self, s: State, source: int, target: int, amount: int, endless: int, short: bool) -> tuple[int, ...]:
        """Move points, and tell it."""
        had = s.v[source] if source != endless else 0
        gained = s.v[target] if target != endless else 0
        cells = super().transfer(s, source, target, amount, endless, short)
        paid = had - s.v[source] if source != endless else s.v[target] - gained
        s.story.tell(s, {"event": "pay", "amount": paid, "from": self._holder(source), "to": self._holder(target)})
        return cells

    def _holder(self, cell: int) -> str:
        for name, block in self.layout.counters.items():
            if block.base <= cell <= block.base + block.size:
                at = cell - block.base
                return f"{name} of " + ("bank" if at == block.size else self.layout.program["players"]["seats"][at])
        return "?"

    def create(self, s: State, cell: int, amount: int) -> tuple[int, ...]:
        """Make points, and tell it."""
        cells = super().create(s, cell, amount)
        s.story.tell(s, {"event": "create", "amount": amount, "for": self._holder(cell)})
        return cells

    def destroy(self, s: State, cell: int, amount: int) -> tuple[int, ...]:
        """Destroy points, and tell it."""
        cells = super().destroy(s, cell, amount)
        s.story.tell(s, {"event": "destroy", "amount": amount, "of": self._holder(cell)})
        return cells

    def assign(self, s: State, cell: int, value: Any, name: str) -> tuple[int, ...]:
        """Set a variable, and tell it; the face of a die is told to those who see the die."""
        super().assign(s, cell, value, name)
        if name == "face":
            token = cell - self.layout.face_base
            self._tell_die(s, token, "set")
        else:
            kind = next(v["type"] for v in self.code.program["variables"] if v["name"] == name)
            self._tell_value(s, {"event": "set", "variable": name, "cell": cell}, value, kind)
        return (cell,)

    def _tell_value(self, s: State, event: Event, value: Any, kind: Any) -> None:
        """Tell an event with a value of a type, by name; what is a token is told as each player sees it."""
        if not self.layout.is_of_tokens(kind):
            s.story.tell(s, {**event, "value": thing_name(self.code.program, kind, value)})
            return
        named = [{**event, "value": seen_value(s, p, value)} for p in (None, *range(self.layout.players))]
        s.story.tell(s, named[0], named[1:])

    # ------------------------------------------------------------------------------------- chance

    def rolled(self, s: State, die: int, value: int) -> tuple[int, ...]:
        """A die shows what came up, to those who see it."""
        cells = super().rolled(s, die, value)
        s.story.marks = (s.story.marks, ("chance", -1, None))
        self._tell_die(s, die, "roll")
        return cells

    def _tell_die(self, s: State, die: int, event: str) -> None:
        layout, story = self.layout, s.story
        slot, down = s.v[self.where + die], s.v[self.down + die]
        full: Event = {"event": event, "die": self.slot_name(slot), "value": s.v[layout.face_base + die]}
        views: list[Event | None] = []
        for player in range(layout.players):
            seen = layout.sees(player, slot, down)
            story.know[player][die - layout.first_token] = 0 if seen else story.new_pool()
            story.blur(s, player, [] if seen else [die])
            views.append(full if seen else {"event": event, "die": self.slot_name(slot)})
        story.tell(s, full, views)

    def from_heap(self, s: State, members: Iterable[int], named: Iterable[Any], outcome: int) -> int:
        """Return the token that is picked from a heap: one most players know."""
        s.story.arrange(s, self.heaps(s, members, named)[outcome])
        return super().from_heap(s, members, named, outcome)

    def pick_token(self, s: State, members: Sequence[int], named: Iterable[Any]) -> int:
        """Pick a token by chance, and tell it."""
        token = super().pick_token(s, members, named)
        self.picked(s, token)
        return token

    def pick(self, s: State, members: Sequence[int]) -> int:
        """Pick by chance, and tell it."""
        value = super().pick(s, members)
        self.picked(s, value)
        return value

    def picked(self, s: State, value: int) -> None:
        """Tell what chance picked."""
        s.story.marks = (s.story.marks, ("chance", -1, None))
        self._tell_value(s, {"event": "pick"}, value, self._picked_kind(s))

    def _picked_kind(self, s: State) -> Any:
        """Return the type of what is picked where the rules are now; in a position just read, by what waits there."""
        if s.story.point < 0:
            return self.code.build.chance_at[(s.k[0], s.k[1])][1]
        rule, line = list(self.code.points)[s.story.point]
        spec = self.code.program["rules"][rule]
        return next(spec["locals"][local][1] for local in _picks_at(line, [spec["body"], spec.get("cost", [])]))

    def next_token(self, s: State, slot: int, outcome: int | None = None) -> int:
        """Draw, and note that chance was used."""
        if self.mode[slot - self.slot_base] == BAG and not s.v[self.tops + slot]:
            s.story.marks = (s.story.marks, ("chance", -1, None))
        return super().next_token(s, slot, outcome)

    def shuffle(self, s: State, slot: int) -> tuple[int, ...]:
        """Shuffle: places are forgotten, contents are not."""
        cells = super().shuffle(s, slot)
        for player in range(self.layout.players):
            for token in s.v[slot]:
                s.story.mix(player, s.story.alike(s, player, token))  # one that is mixed already changes nothing
        s.story.tell(s, {"event": "shuffle", "zone": self.slot_name(slot)})
        return cells

    # ---------------------------------------------------------------------------------- knowledge

    def turn(self, s: State, tokens: Iterable[int], down: int) -> tuple[int, ...]:
        """Turn tokens; who sees the side now up knows the face."""
        turned = list(tokens)
        layout, v = self.layout, s.v
        columns = []
        for player in range(layout.players):
            hidden = [t for t in turned if not layout.sees(player, v[self.where + t], v[self.down + t])]
            unseen = [t for t in hidden if not layout.sees(player, v[self.where + t], down)]
            s.story.recognise(s, player, [t for t in hidden if t not in unseen])
            s.story.blur(s, player, unseen)
            views = [self._turned(t, v[self.where + t], down, t not in unseen) for t in turned]
            columns.append(sorted(views, key=_text) if unseen else views)
        cells = super().turn(s, turned, down)
        for i, token in enumerate(turned):
            s.story.tell(s, self._turned(token, v[self.where + token], down, True), [views[i] for views in columns])
        return cells

    def _turned(self, token: int, slot: int, down: int, seen: bool) -> Event:
        what = self.code.program_name(token) if seen else self.layout.token_kind[token - self.layout.first_token]
        return {"event": "turn down" if down else "turn up", "what": what, "in": self.slot_name(slot)}

    def show(self, s: State, tokens: Iterable[int], players: Iterable[int]) -> tuple[int, ...]:
        """Show faces to players, who follow these tokens until the next answer; others see that something is shown."""
        to = sorted(players)
        shown = sorted(tokens, key=lambda t: (s.v[self.where + t], s.story.face(s, t)))
        for player in to:
            hidden = [t for t in shown if not self.layout.sees(player, s.v[self.where + t], s.v[self.down + t])]
            s.story.recognise(s, player, hidden)
        s.story.in_view |= {(player, t) for player in to for t in shown}
        slots = [s.v[self.where + t] for t in shown]
        places = [self.slot_name(slot) for slot in slots]
        kinds = [self.code.program_name(t) + self._pips(s, t) for t in shown]
        full: Event = {"event": "show", "what": kinds, "in": places, "to": to}
        views: list[Event | None] = []
        for player in range(self.layout.players):
            counted = all(self.layout.sees_number(player, slot) for slot in slots)
            hidden_view = {"event": "show", "in": list(dict.fromkeys(places)), "to": to}
            views.append(full if player in to else {**hidden_view, "count": len(shown)} if counted else hidden_view)
        s.story.tell(s, full, views)
        return ()

    def _pips(self, s: State, token: int) -> str:
        return f" {s.v[self.layout.face_base + token]}" if token in self.code.faces else ""


def _picks_at(line: int, tree: Any) -> Iterator[int]:
    """Yield the local of each `pick` that stands on a line of a script."""
    if isinstance(tree, dict):
        if tree.get("op") == "pick" and tree["at"][0] == line:
            yield tree["local"]
        tree = list(tree.values())
    for part in tree if isinstance(tree, list) else ():
        yield from _picks_at(line, part)


def thing_name(program: Any, kind: Any, value: Any) -> Any:
    """Return a value of a type that is no token by name: a player, a place, a row; numbers and truths as they are."""
    if isinstance(value, tuple):
        return [thing_name(program, kind[1], part) for part in value]
    if kind[0] not in ("kind", "opt") or program["kinds"][kind[1]]["sort"] == "number":
        return value
    return program["entities"][value] if value >= 0 else None


def seen_value(s: State, player: int | None, value: Any) -> Any:
    """Return tokens, one or a set, as a player sees them (None: omniscient): by face, or by kind, with their place."""
    if isinstance(value, tuple):
        return sorted(seen_value(s, player, token) for token in value)
    if value < 0:
        return value
    layout = s.code.layout
    slot, down = s.v[layout.where_base + value], s.v[layout.down_base + value]
    seen = player is None or layout.sees(player, slot, down)
    name = s.code.program_name(value) if seen else layout.token_kind[value - layout.first_token]
    return f"{name} in {s.code.effects.slot_name(slot)}"
