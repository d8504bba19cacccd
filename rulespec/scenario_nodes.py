"""The syntax tree of scenarios (docs/language.md, section 14)."""

from __future__ import annotations

from dataclasses import dataclass

from rulespec.nodes import Block, Expr, Name
from rulespec.source import Located, Span


@dataclass(frozen=True, slots=True)
class Answer:
    """`[PLAYER answers] RULE(NAME=VALUE, ...)`; passing is the pass name or `RULE(pass)`."""

    player: Expr | None
    rule: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class BeginAt:
    """`begin: RULE(x) [by P]`."""

    call: Expr
    by: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class Knows:
    """What one player knows: formulas that hold for all he has seen."""

    player: Name
    formulas: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class ScenarioNode:
    """One scenario as written. `options` are names and texts; `extra` are rows and how many more of them.

    `invariant_to_order` says that `play` gives the same in every order of its answers.
    """

    name: str
    game: Name
    clauses: tuple[Located[str], ...]
    players: tuple[Name, ...]
    options: tuple[tuple[Name, Located[str]], ...]
    variants: tuple[Name, ...]
    extra: tuple[tuple[Name, int], ...]
    given: Block
    begin: BeginAt | None
    chance: tuple[Located[str], ...]
    play: tuple[Answer, ...]
    then: tuple[Expr, ...]
    offered: tuple[Answer, ...]
    not_offered: tuple[Answer, ...]
    asked: tuple[Answer, ...]
    knows: tuple[Knows, ...]
    invariant_to_order: bool
    source: str | None
    span: Span
