"""Scripts written at random: the part of `random_specs` that says what happens."""

from __future__ import annotations

from random_formulas import BOOL, NUM, PLAYER, Scope, Token, Writer, Zone


class ScriptWriter(Writer):
    """Writes what happens."""

    def block(self, scope: Scope, depth: int, indent: int, most: int = 3) -> list[str]:
        """Write the lines of a block; names bound in it stay in it."""
        inner, lines = scope.inner(), list[str]()
        for _ in range(self.rng.randrange(1, most + 1)):
            lines += [" " * indent + line for line in self.statement(inner, depth)]
        return lines

    def nested(self, head: str, scope: Scope, depth: int) -> list[str]:
        return [head + ":", *self.block(scope, depth - 1, 4, 2)]

    def statement(self, scope: Scope, depth: int) -> list[str]:
        plain = [
            self.move, self.move, self.move_some, self.set_variable, self.let, self.perform, self.trade, self.turn,
            self.show, self.luck, self.draw, self.begin, self.act,
        ]  # fmt: skip
        deep = [self.if_, self.for_each, self.repeat, self.together, self.one_by_one]
        asking = [
            self.choose, self.choose_body, self.choose_body, self.choose_body, self.choose_set, self.offer, self.offer,
            self.same_time,
        ]  # fmt: skip
        for _ in range(30):
            group = plain
            if depth > 0 and self.chance(30):
                group = deep
            if scope.asks and scope.me and self.chance(30):
                group = asking
            lines = self.rng.choice(group)(scope, depth)
            if lines:
                return lines
        return ["end game"]

    # ------------------------------------------------------------------------------------------- effects

    def slots_for(self, token: Token) -> list[Zone]:
        return [z for z in self.zones if z.holds == token]

    def target(self, token: Token) -> Zone:
        """Return a zone to move to, most often one with room."""
        roomy = [z for z in self.slots_for(token) if z.order != "single"]
        return self.rng.choice(roomy if roomy and self.chance(85) else self.slots_for(token))

    def side(self) -> str:
        return self.rng.choice(["", "", "", " face down", " face up"])

    def move(self, scope: Scope, depth: int) -> list[str]:
        token = self.rng.choice(self.tokens)
        bound = scope.of_type(token.kind) + scope.of_type(f"set of {token.kind}")
        what = self.rng.choice(bound) if bound and self.chance(70) else self.set_of(scope, 1, token)
        if what == "[]":
            return []
        return [f"move {what} to {self.slot(scope, self.target(token))}{self.side()}"]

    def move_some(self, scope: Scope, depth: int) -> list[str]:
        token = self.rng.choice(self.tokens)
        one, other = self.slot(scope, self.rng.choice(self.slots_for(token))), self.slot(scope, self.target(token))
        far = ", as far as possible" if self.chance(90) else ""
        return [f"move {self.number(scope, 0)} {token.kind} from {one} to {other}{self.side()}{far}"]

    def draw(self, scope: Scope, depth: int) -> list[str]:
        piles = [z for z in self.zones if z.order == "stack" or (z.order == "shuffled" and scope.luck)]
        if not piles:
            return []
        zone = self.rng.choice(piles)
        target = self.slot(scope, self.target(zone.holds))
        far = ", as far as possible" if self.chance(90) else ""
        return [f"draw {self.number(scope, 0)} from {self.slot(scope, zone)} to {target}{self.side()}{far}"]

    def set_variable(self, scope: Scope, depth: int) -> list[str]:
        if not self.variables:
            return []
        name, key, kind = self.rng.choice(self.variables)
        target = f"{name} of {self.of_kind(scope, 0, key)}" if key else name
        value = f"min(9, max(0, {self.number(scope, 1)}))" if kind == NUM else self.of_kind(scope, 1, kind)
        token = next((t for t in self.tokens if t.kind == kind), None)
        if token is not None:
            value = self.thing(scope, 1, token) or "nothing"
        return [f"set {target} to {value}"]

    def let(self, scope: Scope, depth: int) -> list[str]:
        name, kind = self.name("kept"), self.rng.choice([NUM, BOOL, PLAYER, "set"])
        if kind == "set":
            token = self.rng.choice(self.tokens)
            text, kind = self.set_of(scope, 1, token), f"set of {token.kind}"
            if text == "[]":
                return []
        else:
            text = self.of_kind(scope, 1, kind)
        scope.names.append((name, kind))
        return [f"let {name} = {text}"]

    def perform(self, scope: Scope, depth: int) -> list[str]:
        if not self.procedures or not scope.asks:
            return []
        name, params = self.rng.choice(self.procedures)
        arguments = self.arguments(scope, 1, params)
        by = "" if scope.me and self.chance(80) else f" by {self.player(scope, 1)}"
        return [] if arguments is None else [f"{name}{arguments}{by}"]

    def trade(self, scope: Scope, depth: int) -> list[str]:
        if not self.counters:
            return []
        counter, amount = self.rng.choice(self.counters), self.number(scope, 0)
        far = ", as far as possible" if self.chance(60) else ""
        one, other = self.player(scope, 1), self.rng.choice(["bank", self.player(scope, 1)])
        forms = [f"create {amount} {counter} for {one}", f"move {amount} {counter} from {other} to {one}{far}"]
        if scope.me:
            forms += [f"pay {amount} {counter} to {other}{far}", f"gain {amount} {counter} from {other}{far}"]
        return [self.rng.choice(forms)]

    def turn(self, scope: Scope, depth: int) -> list[str]:
        what = self.some_set(scope, 1)
        return [] if what == "[]" else [f"turn {self.rng.choice(['up', 'down'])} {what}"]

    def show(self, scope: Scope, depth: int) -> list[str]:
        what = self.some_set(scope, 1)
        if what == "[]":
            return []
        if scope.me and self.chance(40):
            return [f"look at {what}"]
        return [f"show {what} to {self.rng.choice(['all players', self.player(scope, 1)])}"]

    def luck(self, scope: Scope, depth: int) -> list[str]:
        if not scope.luck:
            return []
        bags = [z for z in self.zones if z.order == "shuffled"]
        dice = [z for z in self.zones if z.holds.die]
        forms = [f"shuffle {self.slot(scope, self.rng.choice(bags))}"] if bags else []
        forms += [f"roll {self.slot(scope, self.rng.choice(dice))}"] if dice else []
        if self.chance(40) or not forms:
            name = self.name("lucky")
            kind, source = self.rng.choice([(PLAYER, "all players"), ("colour", "all colours")])
            scope.names.append((name, kind))
            return [f"pick {kind} {name} at random from {source}"]
        return [self.rng.choice(forms)]

    def act(self, scope: Scope, depth: int) -> list[str]:
        """Perform what is printed on a token."""
        tokens = [t for t in self.tokens if t.printed]
        if not tokens or not self.cells or not scope.asks or not scope.me:
            return []
        thing = self.thing(scope, 1, self.rng.choice(tokens))
        if thing is None:
            return []
        forms = [f"({thing}).effect({self.simple_player(scope)})", f"may ({thing}).power"]
        return [self.rng.choice(forms)]

    def begin(self, scope: Scope, depth: int) -> list[str]:
        if not self.lasting:
            return []
        name, params = self.rng.choice(self.lasting)
        arguments = self.arguments(scope, 1, params)
        return [] if arguments is None else [f"{self.rng.choice(['begin', 'begin', 'end'])} {name}{arguments}"]

    # -------------------------------------------------------------------------------------------- control

    def if_(self, scope: Scope, depth: int) -> list[str]:
        lines = self.nested(f"if {self.condition(scope, 2)}", scope, depth)
        return lines + (self.nested("else", scope, depth) if self.chance(40) else [])

    def for_each(self, scope: Scope, depth: int) -> list[str]:
        bound = self.bound(scope, 1)
        return [] if bound is None else self.nested(f"for each {bound[0]}", scope.inner(bound[1]), depth)

    def one_by_one(self, scope: Scope, depth: int) -> list[str]:
        start = self.player(scope, 0)
        name = self.name("p")
        binder = f"player {name} clockwise from {start}"
        return self.nested(f"one by one, each {binder}", scope.inner((name, PLAYER), me=True), depth)

    def repeat(self, scope: Scope, depth: int) -> list[str]:
        if self.chance(15):
            return [*self.nested("repeat", scope, depth), "    stop"]
        return self.nested(f"repeat {self.number(scope, 0)} times", scope, depth)

    def together(self, scope: Scope, depth: int) -> list[str]:
        return self.nested("together", scope.inner(asks=False, luck=False), depth)

    # ---------------------------------------------------------------------------------------------- asking

    def chosen(self, scope: Scope, tokens: bool = True) -> tuple[str, tuple[str, str]]:
        """Write what is chosen; return it with the name it binds and its type."""
        kinds = [t.kind for t in self.tokens] * (2 if tokens else 0)
        kinds += [PLAYER, "colour", NUM, *(["cell"] if self.board else [])]
        kind = self.rng.choice(kinds)
        name = kind if kind != NUM and not scope.of_type(kind) and self.chance(60) else self.name("c")
        token = next((t for t in self.tokens if t.kind == kind), None)
        source = f" from {self.set_of(scope.inner(is_open=True), 1, token)}" if token is not None else ""
        if kind == NUM:
            source = f" from 0..{self.rng.randrange(1, 4)}"
        inner = scope.inner((name, kind), is_open=True)
        where = f" where {self.condition(inner, 1)}" if self.chance(40 if tokens else 10) else ""
        return f"{kind}{'' if name == kind else ' ' + name}{source}{where}", (name, kind)

    def choose(self, scope: Scope, depth: int) -> list[str]:
        text, bound = self.chosen(scope, self.chance(30))
        scope.names.append(bound)
        if self.chance(20):
            more, second = self.chosen(scope, self.chance(30))
            scope.names.append(second)
            text += f", {more}"
        return [f"choose {text}"]

    def choose_body(self, scope: Scope, depth: int) -> list[str]:
        text, bound = self.chosen(scope)
        if self.chance(50):
            lines = self.nested(f"choose {text}, if possible", scope.inner(bound), depth)
        else:
            lines = self.nested(f"may choose {text}", scope.inner(bound), depth)
        return lines + (self.nested("otherwise", scope, depth) if self.chance(40) else [])

    def chosen_set(self, scope: Scope) -> tuple[str, tuple[str, str]] | None:
        """Write the choice of a set; return it with the name it binds and its type."""
        token = self.rng.choice(self.tokens)
        plural = token.kind + "s"
        if scope.of_type(f"set of {token.kind}") or scope.of_type(token.kind):
            return None
        source = self.set_of(scope.inner(is_open=True), 0, token)
        amount = self.rng.choice(["2", "1", "up to 2", "1 or more", "any number of", "exactly 2"])
        inner = scope.inner((token.kind, token.kind), is_open=True)
        where = f" where {self.condition(inner, 1)}" if self.chance(30) else ""
        if self.chance(25):
            whole = scope.inner((plural, f"set of {token.kind}"), is_open=True)
            where += f" such that {self.condition(whole, 1)}"
        return f"{amount} {plural} from {source}{where}", (plural, f"set of {token.kind}")

    def choose_set(self, scope: Scope, depth: int) -> list[str]:
        made = self.chosen_set(scope)
        if made is None:
            return []
        text, bound = made
        if self.chance(40):
            word = self.rng.choice(["may choose {}", "choose {}, if possible"])
            return self.nested(word.format(text), scope.inner(bound), depth)
        scope.names.append(bound)
        return [f"choose {text}" + (", as far as possible" if self.chance(80) else "")]

    def offer(self, scope: Scope, depth: int) -> list[str]:
        calls = []
        for name, params in self.rng.sample(self.actions, min(2, len(self.actions))):
            arguments = self.arguments(scope, 1, params)
            calls += [name + arguments] if arguments is not None else []
        if not calls:
            return []
        by = f" by {self.player(scope, 1)}" if self.chance(30) else ""
        if self.chance(50):
            lines = [f"may {' or '.join(calls)}{by}"]
            return lines + (self.nested("otherwise", scope, depth) if self.chance(40) else [])
        return [f"must {' or '.join(calls)}{by}, if possible"]

    def same_time(self, scope: Scope, depth: int) -> list[str]:
        if depth <= 0:
            return []
        name = self.name("p")
        inner = scope.inner((name, PLAYER), me=True)
        body = []
        for _ in range(self.rng.randrange(1, 3)):
            body += ["    " + line for line in self.choose(inner, 0)]
        after = self.block(inner.inner(asks=False), depth - 1, 4, 2)
        return [f"at the same time, each player {name}:", *body, "when all have chosen:", *after]
