"""Scripts as Python functions.

A rule that cannot pause is a plain function. A rule that can pause is a function over a frame: a tuple
`(rule, pc, parent, me, live locals...)`. It runs from one label to the next in one loop; to ask, to call a rule that
may pause, or to let triggers fire, it makes its frame and returns. Labels are numbered by the statements of the rule,
so that a frame means the same in every variant of the code.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from interpreter.layout import FRAME, LEGAL, LOOK, TURN
from interpreter.specialise.analysis import Statement, bodies, script_of
from interpreter.specialise.needs import references
from interpreter.specialise.quote import const, function, load, nodes_in, place, stmts, store, tuple_of
from interpreter.specialise.scope import Scope
from interpreter.specialise.straight import Way, read_once, taken

if TYPE_CHECKING:
    from interpreter.specialise.build import Builder

Type = Any
LABELS_PER_STATEMENT = 8
PART_LABELS = 64


class Script(Scope):
    """The function of one rule being made, and the frames it leaves behind."""

    def __init__(self, build: Builder, rule: str, prefix: str = "l") -> None:
        super().__init__(build, rule, prefix)
        self.declared: list[list[Any]] = build.program["rules"][rule]["locals"]
        self.pausing = rule in build.facts.pausing
        self.rid = build.rule_number(rule)
        self.blocks: dict[int, list[ast.stmt]] = {}
        self.frames: dict[int, list[tuple[str, Type]]] = {}
        self.live: list[tuple[str, Type, int | None]] = []
        self.later: list[set[int]] = [set()]
        self.loops: list[int | None] = []
        self.waits: list[int] = []
        self.numbers = self._number(build.program["rules"][rule])
        self.firing = True
        self.pure = is_pure(build.program["rules"][rule])
        self._spare = 0
        self.closed = False
        self.inlined = False
        self.nesting = 0

    # ---------------------------------------------------------------------------------- labels

    def _number(self, rule: dict[str, Any]) -> dict[int, int]:
        """Give each statement a run of labels, by its place in the rule."""
        numbers: dict[int, int] = {}
        todo = list(script_of(rule))
        while todo:
            statement = todo.pop(0)
            numbers[id(statement)] = len(numbers) * LABELS_PER_STATEMENT + PART_LABELS
            for body in bodies(statement):
                todo += body
        return numbers

    def labels(self, statement: Statement) -> int:
        """Return the first label of a statement."""
        return self.numbers[id(statement)]

    def tick(self) -> None:
        """Count one loop turn or rule call, which are bounded for each decision."""
        if not self.pure:
            self.emit(stmts("s.steps -= 1\nif s.steps < 0: too_long_()"))

    def spare_label(self) -> int:
        """Return a label no frame ever holds."""
        self._spare += 1
        return 1_000_000 + self._spare

    def start(self, label: int) -> None:
        """Begin a new block; what went before must have jumped."""
        self.out = self.blocks.setdefault(label, [])
        self.closed = False

    def jump(self, label: int) -> None:
        """Go on at a label."""
        if not self.closed:
            self.emit(stmts("pc = _l\ncontinue", _l=const(label)))
        self.closed = True

    # ----------------------------------------------------------------------------------- frames

    @contextmanager
    def variables(self) -> Iterator[None]:
        """What is declared meanwhile goes out of scope at the end."""
        depth = len(self.live)
        yield
        del self.live[depth:]

    def declare(self, index: int) -> str:
        """Bring a local of the rule into scope and return its name."""
        name = self.bind(index)
        entry = (name, self.declared[index][1], index)
        if entry not in self.live:
            self.live.append(entry)
        return name

    def hold(self, letter: str, kind: Type) -> str:
        """Bring a variable of ours into scope, kept in frames; the script of an action written in place has its own."""
        name = f"{letter}{len(self.live)}{self.prefix}h_"
        self.live.append((name, kind, None))
        return name

    def kept(self) -> list[tuple[str, Type]]:
        """Return the variables still needed, in order."""
        needed = set().union(*self.later)
        return [(name, kind) for name, kind, index in self.live if index is None or index in needed]

    def naming(self) -> list[str]:
        """Return the variables still needed that hold tokens, but for ours."""
        needed = set().union(*self.later)
        return [n for n, kind, i in self.live if i is not None and i in needed and self.layout.is_of_tokens(kind)]

    def frame(self, label: int) -> ast.expr:
        """Return the frame that goes on at a label, and remember what it holds."""
        kept = self.kept()
        self.frames[label] = kept
        values = [load(name) for name, _ in kept]
        return ast.Tuple([const(self.rid), const(label), load("parent"), load("me"), *values], ast.Load())

    def needs_me_after(self, statement: Statement) -> bool:
        """Say whether `me` is still to be what it is once a statement is done."""
        if self.loops:
            return True
        rest = [s for block in self.build.after(statement) for s in block]
        return any(s["op"] not in ("enter", "leave") for s in rest)

    def pause(self, label: int) -> None:
        """Emit the leaving of a frame at a label for `me` to answer; the answers there are go into `o_`."""
        self.emit(
            stmts(f"v[{FRAME}] = k = _f\nv[{TURN}] = me\no_ = _o(s, k)", _f=self.frame(label), _o=self.look(label))
        )

    def wait(self, label: int, kept: ast.expr | None = None) -> None:
        """Emit the asking of `me` at a label where some answer is wanted.

        The answers are listed when asked for, if they are not among those *kept* from before.
        """
        template = f"v[{FRAME}] = _f\nv[{TURN}] = me\nv[{LOOK}] = _o\nreturn None"
        self.emit(stmts(f"v[{LEGAL}] = _k", _k=kept) if kept is not None else [])
        self.emit(stmts(template, _f=self.frame(label), _o=self.waiting(label)))
        self.closed = True

    def waiting(self, label: int) -> str:
        """Return the name of what waits at a label, and see to it that it is made."""
        self.waits.append(label)
        return self.build.waiting_name(self.rule, label)

    def look(self, label: int) -> str:
        """Return the name of the function that lists the answers at a label."""
        return self.build.python_name(self.rule) + f"_{label}"

    # ------------------------------------------------------------------------------- finishing

    def finish(self, result: ast.expr | None = None) -> None:
        """Leave the rule."""
        if self.closed:
            return
        value = const(None) if result is None else result
        if self.pausing:
            self.emit(stmts("s.ret = _v\nreturn parent", _v=value))
        else:
            self.emit(stmts("return _v", _v=value))
        self.closed = True

    def resumed(self) -> Iterator[tuple[int, ast.FunctionDef]]:
        """Yield, for each label where an answer is waited for, what goes on from there, if it is short and no loop."""
        line = self.build.program["rules"][self.rule]["at"][1]
        way = Way(self.blocks, self._frame_at)
        for label in self.waits:
            body = way.from_label(label)
            if body is not None:
                names = ["parent", "me", *(n for n, _ in self.frames[label])]
                body = [*stmts("v = s.v"), *taken(names, body, 2), *read_once(body)]
                name = self.look(label) + "_on"
                yield label, function(name, ["s", "k"], place(body, line, 1), line)

    def _frame_at(self, label: int) -> ast.expr | None:
        """Return the frame that goes on at a label, if it can be entered there."""
        if label not in self.frames:
            return None
        values = [load(name) for name, _ in self.frames[label]]
        return ast.Tuple([const(self.rid), const(label), load("parent"), load("me"), *values], ast.Load())

    def function(self, parameters: list[str]) -> ast.FunctionDef:
        """Return the finished function."""
        rule = self.build.program["rules"][self.rule]
        line = rule["at"][1]
        if self.pure:
            return function(self.build.function_name(self.rule), ["v", *parameters], place(self.out, line, 1), line)
        if not self.pausing:
            body = [*stmts("v = s.v"), *self.out]
            return function(self.build.python_name(self.rule), ["s", "me", *parameters], place(body, line, 1), line)
        unpack: list[ast.stmt] = []
        for label, kept in sorted(self.frames.items()):
            names = ["_", "_", "parent", "me", *(n for n, _ in kept)]
            taken: list[ast.stmt] = [
                ast.Assign([ast.Tuple([ast.Name(n, ast.Store()) for n in names], ast.Store())], load("k"))
            ]
            unpack += stmts("if pc == _l:\n  _body", _l=const(label), _body=taken)
        cases: list[ast.stmt] = []
        for label, block in threaded(self.blocks, set(self.frames)):
            cases += stmts("if pc == _l:\n  _b", _l=const(label), _b=block or [ast.Pass()])
        head = stmts("v = s.v\npc = k[1]")
        body = [*head, *unpack, *stmts("while True:\n  _cases\n  raise AssertionError(pc)", _cases=cases)]
        return function(self.build.python_name(self.rule), ["s", "k"], place(body, line, 1), line)


def jump_of(block: list[ast.stmt]) -> int | None:
    """Return where a block goes that does nothing but jump, else None."""
    if len(block) == 2 and isinstance(block[0], ast.Assign) and isinstance(block[1], ast.Continue):
        target, value = block[0].targets[0], block[0].value
        if isinstance(target, ast.Name) and target.id == "pc" and isinstance(value, ast.Constant):
            return int(value.value)  # type: ignore[arg-type]
    return None


def threaded(blocks: dict[int, list[ast.stmt]], entered: set[int]) -> list[tuple[int, list[ast.stmt]]]:
    """Return the blocks to be kept, those entered from frames first; jumps to mere jumps go where those go."""
    onward = {label: jump_of(block) for label, block in blocks.items()}

    def final(label: int) -> int:
        seen = set()
        while label not in seen and onward.get(label) is not None:
            seen.add(label)
            label = onward[label]  # type: ignore[assignment]
        return label

    for node in (n for block in blocks.values() for n in nodes_in(block)):
        if isinstance(node, ast.Assign) and _is_pc(node.targets[0]) and isinstance(node.value, ast.Constant):
            node.value = ast.copy_location(const(final(int(node.value.value))), node.value)  # type: ignore[arg-type]
    entered = entered | {0}
    kept = [label for label in blocks if onward[label] is None or label in entered or final(label) == label]
    kept.sort(key=lambda label: (label == 0, label not in entered, label))
    following = [*kept[1:], -1]
    return [(label, _falling(blocks[label], after)) for label, after in zip(kept, following)]


def _is_pc(target: ast.expr) -> bool:
    return isinstance(target, ast.Name) and target.id == "pc"


def _falling(block: list[ast.stmt], following: int) -> list[ast.stmt]:
    """A block that ends by jumping to the one after it needs no jump."""
    if jump_of(block[-2:]) == following:
        return block[:-1]
    return block


def is_pure(rule: dict[str, Any]) -> bool:
    """Say whether a rule only says what is true, and changes nothing."""
    return rule.get("form") == "formula" or rule["kind"] in ("function", "end", "score", "invariant")


__all__ = ["Script", "references", "store", "tuple_of"]
