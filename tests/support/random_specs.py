"""Small games written at random: every noun and rule of the language, put together without sense but mostly well typed.

`write(seed)` gives the text of a game. It must compile, or be refused with diagnostics; what the random games of it
must keep is said in `tests/contract/test_random_specs.py`.
"""

from __future__ import annotations

from random_formulas import BOOL, KINDS, NUM, PLAYER, Scope, Token, Zone
from random_scripts import ScriptWriter


class GameWriter(ScriptWriter):
    """Writes a whole game: nouns first, then what is true, then what happens."""

    def write(self) -> str:
        nouns = self.nouns()
        self.cells = self.chance(40) and any(token.printed for token in self.tokens)
        functions = self.write_functions()
        self.declare_rules()
        rules = [*self.write_lasting(), *self.write_procedures(), *self.write_actions(), *self.write_triggers()]
        return "\n".join(
            [*nouns, *functions, *self.write_phases(), *rules, *self.write_end(), *self.write_tables(), ""]
        )

    # -------------------------------------------------------------------------------------------- nouns

    def nouns(self) -> list[str]:
        lines = ["rulespec: 1", "game: random_game", f"players: {self.rng.choice(['2', '2', '2..3'])}", "kinds:"]
        lines += [f"  {name}: {text}" for name, text in KINDS.items()]
        if self.chance(30):
            self.board = self.rng.choice(
                ["grid 2 by 2", "hex 2 by 3", "rhombus 2 by 2", "path 3", "cycle 4", "complete 3"]
            )
            lines += ["map:", f"  cell: {{is: {self.board}}}"]
        for kind in self.rng.sample(["card", "stone", "cube"], self.rng.randrange(1, 4)):
            printed, die = self.chance(60), self.chance(25)
            self.tokens.append(Token(kind, self.chance(40), printed and not die, die))
        for token in self.tokens:
            for _ in range(self.rng.randrange(2, 4)):
                self.zones.append(self.new_zone(token))
        lines += ["tokens:", *(self.token_line(token) for token in self.tokens)]
        lines += ["zones:", *(self.zone_line(zone) for zone in self.zones)]
        return [*lines, *self.numbers()]

    def new_zone(self, token: Token) -> Zone:
        keys = self.rng.choice([(), (), (PLAYER,), (PLAYER,), ("colour",), (PLAYER, "level"), ("cell",)])
        if "cell" in keys and not self.board:
            keys = (PLAYER,)
        order = self.rng.choice(["", "", "stack", "shuffled", "single"])
        seen_by = self.rng.choice(["all", "all", "nobody", "owner" if PLAYER in keys else "all"])
        return Zone(self.name("z"), keys, token, order, seen_by)

    def token_line(self, token: Token) -> str:
        zones = [z for z in self.zones if z.holds == token and z.order != "single"]
        if not zones:
            self.zones.append(Zone(self.name("z"), (), token, self.rng.choice(["", "stack", "shuffled"]), "all"))
            zones = self.zones[-1:]
        zone = self.rng.choice(zones)
        start = zone.name
        if zone.keys:
            owner = f"{token.kind}.owner" if token.owned else "seat(1)"
            keys = [
                {PLAYER: owner, "colour": "blue", "level": "2", "cell": "first(all cells)"}[key] for key in zone.keys
            ]
            start = f"{zone.name}({', '.join(keys)})"
        parts = ["each: player"] if token.owned else []
        parts += ["prints: animal"] if token.printed else [f"count: {self.rng.randrange(1, 4)}"]
        parts += ["faces: 1..3"] if token.die else []
        if token.printed and self.chance(50):
            self.in_force.add(token.kind)
            parts += [f"in_force: {zone.name}"]
        if "," in start:
            return f"  {token.kind}:\n" + "".join(f"    {p}\n" for p in parts) + f"    starts_in: {start}"
        return f"  {token.kind}: {{{', '.join([*parts, f'starts_in: {start}'])}}}"

    def zone_line(self, zone: Zone) -> str:
        parts = [f"each: {' and '.join(zone.keys)}"] if zone.keys else []
        parts += [f"holds: {zone.holds.kind}", f"seen_by: {zone.seen_by}"]
        parts += {"": [], "single": ["at_most: 1"]}.get(zone.order, [f"order: {zone.order}"])
        if self.chance(20):
            parts.append(f"face_down_seen_by: {self.rng.choice(['all', 'nobody', *['owner'] * (PLAYER in zone.keys)])}")
        if PLAYER in zone.keys and self.chance(15):
            parts.append("number_seen_by: owner")
        if zone.keys == (PLAYER,) and zone.holds.owned and self.chance(30):
            parts.append("own: yes")
        others = [z for z in self.zones if z.holds == zone.holds and not z.keys and z != zone and z.order != "single"]
        if zone.order == "shuffled" and others and self.chance(40):
            parts.append(f"refill_from: {self.rng.choice(others).name}")
        return f"  {zone.name}: {{{', '.join(parts)}}}"

    def numbers(self) -> list[str]:
        lines = []
        if self.chance(60):
            self.counters = ["points"]
            bank = self.rng.choice(["endless", "6"])
            lines += ["counters:", f"  points: {{each: player, start: {self.rng.randrange(3)}, bank: {bank}}}"]
        starts = {NUM: ("0..9", "0"), BOOL: (BOOL, "no"), PLAYER: ("player or nobody", "nobody")}
        token = self.rng.choice(self.tokens)
        starts[token.kind] = (f"{token.kind} or nothing", "nothing")
        for _ in range(self.rng.randrange(4)):
            kind = self.rng.choice(list(starts))
            key = self.rng.choice(["", "", PLAYER, "colour"])
            self.variables.append((self.name("v"), key, kind))
        lines += ["variables:"] if self.variables else []
        for name, key, kind in self.variables:
            each, within = f"each: {key}, " if key else "", ", within: play" if self.chance(20) else ""
            lines.append(f"  {name}: {{{each}is: {starts[kind][0]}, start: {starts[kind][1]}{within}}}")
        return lines

    # -------------------------------------------------------------------------------------------- rules

    def parameters(self) -> tuple[str, ...]:
        kinds = [PLAYER, "colour", "level", *(token.kind for token in self.tokens)]
        return tuple(self.rng.sample(kinds, self.rng.randrange(3)))

    def signature(self, name: str, params: tuple[str, ...]) -> str:
        return f"{name}({', '.join(params)})" if params else name

    def write_functions(self) -> list[str]:
        lines = []
        for _ in range(self.rng.randrange(4)):
            name, params, kind = self.name("f"), self.parameters(), self.rng.choice([NUM, BOOL])
            scope = Scope([(p, p) for p in params], is_open=self.chance(50))
            text = self.number(scope, 2) if kind == NUM else self.condition(scope, 2)
            lines.append(f"  {self.signature(name, params)}: {self.quoted(text)}")
            self.functions.append((name, params, kind))
        return ["functions:", *lines] if lines else []

    def quoted(self, text: str) -> str:
        return f'"{text}"' if text in ("yes", "no") or text[0] in "[{-" else text

    def declare_rules(self) -> None:
        self.procedures = [(self.name("does"), self.parameters()) for _ in range(self.rng.randrange(3))]
        self.actions = [
            (self.name("act"), self.parameters() if self.chance(30) else ()) for _ in range(self.rng.randrange(1, 5))
        ]
        self.lasting = [
            (self.name("last"), self.parameters()) for _ in range(self.rng.randrange(2) if self.functions else 0)
        ]

    def changes(self, scope: Scope, indent: int) -> list[str]:
        name, params, kind = self.rng.choice(self.functions)
        inner = Scope([*scope.names, *((f"{p} {self.name('q')}", p) for p in params)])
        renamed = [text for text, _ in inner.names[len(scope.names) :]]
        inner.names = [(text.split()[-1], of) for text, of in inner.names]
        body = self.number(inner, 1) if kind == NUM else self.condition(inner, 1)
        base = f"base + ({body})" if kind == NUM else f"base or ({body})"
        head = f"{name}({', '.join(renamed)})" if renamed else name
        return [
            " " * indent + "changes:",
            " " * (indent + 2) + f"{head}: {base if self.chance(70) else self.quoted(body)}",
        ]

    def write_lasting(self) -> list[str]:
        lines = []
        for name, params in self.lasting:
            scope = Scope([(p, p) for p in params])
            ends = ["until the end of the turn", "until the end of play", "for the rest of the game"]
            ends += [f"while {self.condition(scope, 1)}", "until the start of the next turn of seat(1)"]
            lines += [
                f"  {self.signature(name, params)}:",
                f"    lasts: {self.rng.choice(ends)}",
                *self.changes(scope, 4),
            ]
        return ["lasting:", *lines] if lines else []

    def write_procedures(self) -> list[str]:
        lines = []
        for name, params in self.procedures:
            scope = Scope([(p, p) for p in params], me=True, acts=True, asks=self.chance(60))
            lines += [f"  {self.signature(name, params)}: |", *self.block(scope, 2, 4)]
        return ["procedures:", *lines] if lines else []

    def write_actions(self) -> list[str]:
        lines = ["actions:"]
        for name, params in self.actions:
            scope = Scope([(p, p) for p in params], me=True, acts=True, asks=True)
            parts = []
            for _ in range(self.rng.choice([0, 1, 1, 1, 2])):
                made = self.chosen_set(scope) if self.chance(30) else self.chosen(scope)
                if made is not None:
                    parts.append(made[0])
                    scope.names.append(made[1])
            lines += [f"  {self.signature(name, params)}:"]
            lines += ["    choose:", *(f"      - {part}" for part in parts)] if parts else []
            if self.chance(35):
                lines += ["    if:", f"      open: {self.quoted(self.condition(scope.inner(is_open=True), 2))}"]
            if self.chance(25):
                lines += ["    cost: |", *self.block(scope.inner(asks=False), 1, 6, 1)]
            lines += ["    do: |", *self.block(scope, 2, 6)]
        return lines

    def write_triggers(self) -> list[str]:
        lines = []
        for _ in range(self.rng.randrange(3)):
            scope, binder = Scope(acts=True), None
            if self.chance(50):
                bound = self.bound(scope, 1)
                if bound is not None:
                    binder, scope = bound[0], scope.inner(bound[1])
            lines += [f"  {self.name('when')}:"] + ([f"    for: {binder}"] if binder is not None else [])
            if binder is None and self.chance(25):
                name, params = self.rng.choice([*self.actions, *self.procedures])
                scope = scope.inner(*((p, p) for p in params))
                lines += [f"    after: {name}"]
            else:
                lines += [f"    when: {self.quoted(self.condition(scope, 2))}"]
            if self.chance(50):
                lines += [f"    by: {self.player(scope, 1)}"]
                scope = scope.inner(me=True, asks=True)
            if binder is not None and self.chance(30):
                lines += [f"    order: {self.rng.choice(['chosen by active', f'least {self.number(scope, 0)}'])}"]
            lines += ["    do: |", *self.block(scope, 1, 6, 2)]
        if self.chance(30):
            lines += ["ends:", f"  all_over: {self.quoted(self.condition(Scope(), 2))}"]
        return ["triggers:", *lines] if lines and lines[0] != "ends:" else lines

    # ------------------------------------------------------------------------------------------- phases

    def write_phases(self) -> list[str]:
        set_up = Scope(acts=True)
        lines = [
            "phases:",
            "  whole_game:",
            f"    steps: [set_up, play{', after_play' * self.chance(40)}]",
            "  set_up:",
        ]
        lines += ["    quiet: yes"] * self.chance(60) + ["    do: |", *self.block(set_up, 2, 6), "  play:"]
        who = self.rng.choice(["turns", "turns", "one_by_one"])
        lines += [f"    {who}: each player clockwise from {self.rng.choice(['seat(1)', 'seat(2)'])}"]
        lines += [f"    repeat: {self.rng.choice(['round by round, 3 times', 'seat by seat, 7 times', self.until()])}"]
        lines += ["    automatic: yes"] * self.chance(20)
        if self.chance(60):
            offered = [name for name, params in self.actions if not params]
            lines += self.offer_lines(offered) if offered else ["    do: |", *self.asking(6, (PLAYER, PLAYER))]
        else:
            lines += ["    do: |", *self.asking(6, (PLAYER, PLAYER))]
        if "after_play" in lines[2]:
            lines += ["  after_play:", "    by: seat(1)", "    do: |", *self.asking(6)]
        return lines

    def offer_lines(self, offered: list[str]) -> list[str]:
        return [f"    offer: [{', '.join(offered)}]", "    pass: rest"]

    def until(self) -> str:
        return f"seat by seat, at least once, until {self.condition(Scope(), 1)}"

    def asking(self, indent: int, *names: tuple[str, str]) -> list[str]:
        scope = Scope([*names], me=True, acts=True, asks=True)
        first = self.choose_body(scope, 2) if self.chance(60) else self.choose(scope, 2)
        return [*(" " * indent + line for line in first), *self.block(scope, 2, indent)]

    def write_end(self) -> list[str]:
        scope = Scope([(PLAYER, PLAYER)])
        lines = ["scoring:", f"  gathered: {self.quoted(self.number(scope, 2))}"] if self.chance(40) else []
        lines += [f"ranking: {self.rng.choice(['most', 'least'])} {self.number(scope, 2)}"]
        lines += [f"returns: {self.quoted(self.number(scope, 1))}"] if self.chance(15) else []
        return [*lines, "limits: {decisions: 40}"]

    def write_tables(self) -> list[str]:
        if not any(token.printed for token in self.tokens):
            return []
        lines = ["tables:", "  animal:", "    columns: {worth: 0..3, copies: 1..3}"]
        if self.cells:
            cells = ["effect(player): script", "bonus(player): 0..99 = 0", "power: action"]
            lines += ["    cells:", *(f"      {cell}" for cell in cells)]
        lines += ["    rows:"]
        for row in ("fox", "hen", "owl"):
            lines += [f"      {row}:", f"        printed: [{self.rng.randrange(4)}, {self.rng.randrange(1, 3)}]"]
            if self.functions and self.in_force and self.chance(25):
                lines += self.changes(Scope(), 8)
            lines += self.row_cells() if self.cells else []
            lines += self.row_trigger() if self.in_force and self.chance(25) else []
        return lines

    def row_cells(self) -> list[str]:
        """Write some of the cells of a row."""
        lines = []
        acting = Scope([(PLAYER, PLAYER)], me=True, acts=True, asks=True)
        if self.chance(50):
            lines += ["        effect: |", *self.block(acting, 1, 10, 2)]
        if self.chance(50):
            lines += [f"        bonus: {self.quoted(f'min(99, max(0, {self.number(Scope([(PLAYER, PLAYER)]), 1)}))')}"]
        if self.chance(50):
            chosen, bound = self.chosen(Scope(me=True, acts=True, asks=True))
            inner = Scope([bound], me=True, acts=True, asks=True)
            lines += ["        power:", "          choose:", f"            - {chosen}"]
            lines += ["          do: |", *self.block(inner, 1, 12, 2)]
        return lines

    def row_trigger(self) -> list[str]:
        condition = self.quoted(self.condition(Scope(), 2))
        lines = ["        triggers:", f"          {self.name('row')}:", f"            when: {condition}"]
        return [*lines, "            do: |", *self.block(Scope(acts=True), 1, 14, 2)]


def write(seed: int) -> str:
    """Return the text of a random game."""
    return GameWriter(seed).write()
