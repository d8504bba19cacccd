"""The syntax tree of a game: what the reader makes and the checker and compiler take apart.

Every node knows its Span. Nothing here knows what a name refers to: that is the resolver's work.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from rulespec.source import Span

# ------------------------------------------------------------------------------------------ names


@dataclass(frozen=True, slots=True)
class Name:
    """An identifier where it stands in the text."""

    text: str
    span: Span


# ----------------------------------------------------------------------------------- binders, orders


@dataclass(frozen=True, slots=True)
class Key:
    """One sort key: `most E`, `least E`, or `clockwise from P` (direction "clockwise")."""

    direction: str
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Order:
    """The end of a binder. `form` is "sorted" (all keys) or "attaining" (`with most E`: one key, a filter)."""

    form: str
    keys: tuple[Key, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Binder:
    """`[other] KIND [NAME] [in SET] [where CONDITION] [ORDER]`."""

    kind: Name
    name: Name | None
    other: bool
    source: Expr | None
    where: Expr | None
    order: Order | None
    span: Span


# ------------------------------------------------------------------------------------------ formulas


@dataclass(frozen=True, slots=True)
class Number:
    value: int
    span: Span


@dataclass(frozen=True, slots=True)
class Truth:
    value: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Reference:
    """A bare name, or a name with arguments: a local, rule, value, zone, option, counter ... The resolver knows."""

    name: Name
    args: tuple[Expr, ...] | None
    span: Span


@dataclass(frozen=True, slots=True)
class NamedArg:
    """`NAME=VALUE` inside arguments; only answers in scenarios use it."""

    name: Name
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class My:
    """`my NAME` or `my NAME(args)`."""

    name: Name
    args: tuple[Expr, ...] | None
    span: Span


@dataclass(frozen=True, slots=True)
class AllOf:
    """`all PLURAL`."""

    plural: Name
    span: Span


@dataclass(frozen=True, slots=True)
class Of:
    """`NAME of E`: state of a thing, or a key of the zone a token lies in."""

    name: Name
    of: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Printed:
    """`E.NAME` or `E.NAME(args)`: a column, a cell, a built-in property."""

    of: Expr
    name: Name
    args: tuple[Expr, ...] | None
    span: Span


@dataclass(frozen=True, slots=True)
class Unary:
    """`not E` or `- E` (operator "not" or "-")."""

    operator: str
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Binary:
    """`+ - * div mod without`, `is`, `is not`, `in`, `not in`, `< <= > >=`, `..`."""

    operator: str
    left: Expr
    right: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Logic:
    """`and` or `or` over two or more conditions."""

    operator: str
    values: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class IsA:
    """`E is a NAME`, `E is not a NAME`: a kind or a row."""

    value: Expr
    name: Name
    negated: bool
    span: Span


@dataclass(frozen=True, slots=True)
class IsEmpty:
    """`E is empty`, `E is not empty`."""

    value: Expr
    negated: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Has:
    """`E has CELL`."""

    value: Expr
    cell: Name
    span: Span


@dataclass(frozen=True, slots=True)
class Conditional:
    """`A if C else B`."""

    condition: Expr
    then: Expr
    otherwise: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class SetLiteral:
    items: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class SetWord:
    """`count|some|those|first(S or BINDER)`: `over` is a formula or a Binder."""

    word: str
    over: Expr | Binder
    span: Span


@dataclass(frozen=True, slots=True)
class ForWord:
    """`sum|every|distinct|min|max(E for BINDER)`."""

    word: str
    value: Expr
    binder: Binder
    span: Span


@dataclass(frozen=True, slots=True)
class MinMax:
    """`min(a, b, ...)`, `max(a, b, ...)`."""

    word: str
    values: tuple[Expr, ...]
    span: Span


Expr: TypeAlias = (
    Number
    | Truth
    | Reference
    | NamedArg
    | My
    | AllOf
    | Of
    | Printed
    | Unary
    | Binary
    | Logic
    | IsA
    | IsEmpty
    | Has
    | Conditional
    | SetLiteral
    | SetWord
    | ForWord
    | MinMax
)
"""`nobody`, `nothing`, `me`, `active`, `this`, `player`, `bank`, `base` are References with these names."""

# ----------------------------------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class HowMany:
    """`form` is "exactly", "up_to", "at_least" or "any"; `amount` is None for "any"."""

    form: str
    amount: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class Choice:
    """`[how many] KIND [NAME] [from S] [where C] [such that C]`; `how_many` None: one thing."""

    how_many: HowMany | None
    kind: Name
    name: Name | None
    source: Expr | None
    where: Expr | None
    such_that: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class Let:
    name: Name
    value: Expr  # a Reference or Printed with arguments may name a procedure that returns
    span: Span


@dataclass(frozen=True, slots=True)
class SetTo:
    target: Expr  # Reference, My, Of
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Perform:
    """A rule performed: `RULE(x) [by P]`, `card.effect(card)`, `base(...)`."""

    rule: Expr
    by: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class Choose:
    """`[may] choose CHOICE[, CHOICE] [by P][, if possible | , as far as possible][: block] [otherwise: block]`.

    `mode` is "must", "if_possible", "as_far" or "may"; `body` None where the line has no block.
    """

    mode: str
    choices: tuple[Choice, ...]
    by: Expr | None
    body: Block | None
    otherwise: Block | None
    span: Span


@dataclass(frozen=True, slots=True)
class Offer:
    """`may A(x) or B [by P]`, `must A [, if possible]`; mode "may", "must" or "must_if_possible"."""

    mode: str
    actions: tuple[Expr, ...]
    by: Expr | None
    otherwise: Block | None
    span: Span


@dataclass(frozen=True, slots=True)
class Move:
    """`move [N KIND from] S to Z [face up|down][, as far as possible]`.

    `amount` and `kind` None: all of `source`. A counter's name as `kind` makes it a transfer between holders.
    """

    amount: Expr | None
    kind: Name | None
    source: Expr
    target: Expr
    face: str | None
    as_far: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Transfer:
    """`pay E COUNTER to H`, `gain E COUNTER from H`: form "pay" or "gain"."""

    form: str
    amount: Expr
    counter: Name
    holder: Expr
    as_far: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Create:
    """`create E COUNTER for P`, `destroy E COUNTER of P`: form "create" or "destroy"."""

    form: str
    amount: Expr
    counter: Name
    holder: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Draw:
    amount: Expr
    source: Expr
    target: Expr
    face: str | None
    as_far: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Shuffle:
    zone: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Roll:
    dice: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Pick:
    kind: Name
    name: Name | None
    source: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Show:
    tokens: Expr
    to: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class LookAt:
    tokens: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Turn:
    side: str  # "up" or "down"
    tokens: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Begin:
    """`begin L(x)` or `end L(x)`: form "begin" or "end"."""

    form: str
    lasting: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Stop:
    span: Span


@dataclass(frozen=True, slots=True)
class Return:
    value: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class EndGame:
    span: Span


@dataclass(frozen=True, slots=True)
class If:
    cases: tuple[tuple[Expr, Block], ...]
    otherwise: Block | None
    span: Span


@dataclass(frozen=True, slots=True)
class While:
    condition: Expr
    body: Block
    span: Span


@dataclass(frozen=True, slots=True)
class Repeat:
    """`repeat N times:`; `times` None for the endless `repeat:`."""

    times: Expr | None
    body: Block
    span: Span


@dataclass(frozen=True, slots=True)
class ForEach:
    """`for each B:` or `one by one, each B:` (as_me)."""

    binder: Binder
    as_me: bool
    body: Block
    span: Span


@dataclass(frozen=True, slots=True)
class SameTime:
    binder: Binder
    body: Block
    reveal: Block | None
    span: Span


@dataclass(frozen=True, slots=True)
class Together:
    body: Block
    span: Span


Stmt: TypeAlias = (
    Let
    | SetTo
    | Perform
    | Choose
    | Offer
    | Move
    | Transfer
    | Create
    | Draw
    | Shuffle
    | Roll
    | Pick
    | Show
    | LookAt
    | Turn
    | Begin
    | Stop
    | Return
    | EndGame
    | If
    | While
    | Repeat
    | ForEach
    | SameTime
    | Together
)
Block: TypeAlias = tuple[Stmt, ...]

# ------------------------------------------------------------------------------------------ data pieces


@dataclass(frozen=True, slots=True)
class TypeExpr:
    """A written type. `form`: "truth", "range" (bounds), "kind" (names), "set" (one name or bounds), "board".

    `names` are alternatives (`space or city`, `player or nobody`); `board` is `grid 3 by 3` as (name, sizes);
    `default` is the formula after `=` (cells), else None.
    """

    form: str
    names: tuple[Name, ...]
    bounds: tuple[Expr, Expr] | None
    board: tuple[Name, tuple[int, ...]] | None
    default: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class Param:
    """`KIND [NAME]` in a signature: without a name the kind's name is the variable."""

    kind: Name
    name: Name | None
    span: Span


@dataclass(frozen=True, slots=True)
class Signature:
    name: Name
    params: tuple[Param, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Pace:
    """`repeat:`. form "times", "while", "until", "forever"; by "round", "seat" or None."""

    form: str
    value: Expr | None
    by: str | None
    span: Span


@dataclass(frozen=True, slots=True)
class Duration:
    """`lasts:`. form "game", "while" (condition), "turn", "next_turn" (player), "phase" (phase); edge "start"|"end"."""

    form: str
    edge: str | None
    condition: Expr | None
    player: Expr | None
    phase: Name | None
    span: Span


# ------------------------------------------------------------------------------------------ declarations


@dataclass(frozen=True, slots=True)
class Function:
    """A formula (`formula`) or a script of `let`, `if`, `for each`, `return` (`script`): one of the two is None."""

    signature: Signature
    formula: Expr | None
    script: Block | None
    span: Span


@dataclass(frozen=True, slots=True)
class Procedure:
    signature: Signature
    script: Block
    span: Span


@dataclass(frozen=True, slots=True)
class Phase:
    name: Name
    turns: Binder | None
    one_by_one: Binder | None
    by: Expr | None
    condition: Expr | None
    repeat: Pace | None
    steps: tuple[Expr, ...] | None
    offer: tuple[Expr, ...] | None
    passing: Name | None
    do: Block | None
    quiet: bool
    automatic: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Item:
    """A named condition of an action's `if:`."""

    name: Name
    condition: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Action:
    """`choose` is a tuple of parts, each a tuple of choices made together."""

    signature: Signature
    choose: tuple[tuple[Choice, ...], ...]
    conditions: tuple[Item, ...]
    cost: Block
    do: Block
    span: Span


@dataclass(frozen=True, slots=True)
class Trigger:
    """`order_by` "chosen" has `chooser`; "keys" has `keys`; None: as declared."""

    name: Name
    binder: Binder | None
    when: Expr | None
    after: Name | None
    order_by: str | None
    chooser: Expr | None
    keys: tuple[Key, ...]
    by: Expr | None
    do: Block
    span: Span


@dataclass(frozen=True, slots=True)
class Named:
    """A named formula: an end, a scoring item, an invariant."""

    name: Name
    formula: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Lasting:
    signature: Signature
    lasts: Duration
    changes: tuple[Function, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Option:
    name: Name
    type: TypeExpr
    default: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Kind:
    """An enumeration (`members`), or a range or union (`type`)."""

    name: Name
    plural: Name | None
    members: tuple[Name, ...] | None
    type: TypeExpr | None
    span: Span


@dataclass(frozen=True, slots=True)
class Column:
    """A printed column: its name, the kind of its key or None, its type."""

    name: Name
    key: Name | None
    type: TypeExpr
    span: Span


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: form "script", "action" or "formula" (then `type` with its default)."""

    signature: Signature
    form: str
    type: TypeExpr | None
    span: Span


@dataclass(frozen=True, slots=True)
class Row:
    """`values` in the order of the columns; a value is a formula, or a mapping for a column with a key.

    `cells` holds, by cell name, a script (Block), an Action or a formula.
    """

    name: Name
    values: tuple[Expr | tuple[tuple[Name, Expr], ...], ...]
    cells: tuple[tuple[Name, Block | Action | Expr], ...]
    changes: tuple[Function, ...]
    triggers: tuple[Trigger, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Table:
    """What is printed on things. With `is_more`, a variant's further rows for a table of its game."""

    name: Name
    columns: tuple[Column, ...]
    cells: tuple[Cell, ...]
    rows: tuple[Row, ...]
    span: Span
    is_more: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """A kind of place of the map.

    One of: `board` (generated), `nodes` / `edges` (read from the map file, already rows). Edges give the names of
    their two ends in `ends`, row by row; `spaces` names the column that counts the spaces along each edge.
    `coordinates` holds (x, y) of each node where the file has them.
    """

    name: Name
    plural: Name | None
    board: TypeExpr | None
    form: str  # "board", "nodes", "edges"
    table: Table | None
    ends: tuple[tuple[Name, Name], ...]
    spaces: Name | None
    coordinates: tuple[tuple[float, float] | None, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class TokenKind:
    """A kind of token. `prints` a table or None; `owned` for `each: player`; `faces` for dice."""

    name: Name
    plural: Name | None
    prints: Name | None
    owned: bool
    count: Expr | None
    faces: TypeExpr | None
    starts_in: Expr
    in_force: Name | None
    span: Span


@dataclass(frozen=True, slots=True)
class Counter:
    name: Name
    owned: bool
    start: Expr
    bank: Expr | None  # None: endless
    at_most: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class Zone:
    name: Name
    each: tuple[Name, ...]
    holds: tuple[Name, ...]
    order: str  # "unordered", "stack", "shuffled"
    at_most: Expr | None
    seen_by: str
    face_down_seen_by: str
    number_seen_by: str
    refill_from: Expr | None
    span: Span
    own: bool = False  # holds only tokens of the player whose slot it is


@dataclass(frozen=True, slots=True)
class Variable:
    name: Name
    each: tuple[Name, ...]
    type: TypeExpr
    start: Expr | None
    within: Name | None
    span: Span


@dataclass(frozen=True, slots=True)
class Text:
    """Texts of one name: section ("rules", "values", "zones", ...), dotted name, language, text.

    `blanks` are the names in braces, each where it stands in the text.
    """

    section: str
    name: Name
    language: str
    text: str
    span: Span
    blanks: tuple[Name, ...] = ()


@dataclass(frozen=True, slots=True)
class Game:
    """A whole game, before or after its variants are applied."""

    name: Name
    title: tuple[tuple[str, str], ...]
    players: tuple[int, int]
    seats: tuple[Name, ...]
    options: tuple[Option, ...] = ()
    kinds: tuple[Kind, ...] = ()
    places: tuple[Place, ...] = ()
    tokens: tuple[TokenKind, ...] = ()
    counters: tuple[Counter, ...] = ()
    zones: tuple[Zone, ...] = ()
    variables: tuple[Variable, ...] = ()
    functions: tuple[Function, ...] = ()
    phases: tuple[Phase, ...] = ()
    actions: tuple[Action, ...] = ()
    triggers: tuple[Trigger, ...] = ()
    ends: tuple[Named, ...] = ()
    procedures: tuple[Procedure, ...] = ()
    lasting: tuple[Lasting, ...] = ()
    scoring: tuple[Named, ...] = ()
    ranking: tuple[Key, ...] = ()
    returns: Expr | None = None
    limits: tuple[tuple[str, int], ...] = ()
    invariants: tuple[Named, ...] = ()
    tables: tuple[Table, ...] = ()
    texts: tuple[Text, ...] = ()
    clauses: tuple[tuple[str, tuple[str, ...]], ...] = ()  # rule name -> clause ids
    variants: tuple[str, ...] = ()
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class KeyChange:
    """One key of a phase, action or trigger changed: `name` is "do", "if.not_blocked", "repeat" ...

    `value` is what the reader makes of that key (Block, Expr, Pace, Binder, tuple ...); None lifts it.
    """

    rule: Name
    key: str
    value: object
    span: Span


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant file. `adds` is a Game with only the added sections filled."""

    name: Name
    of: Name
    over: tuple[Name, ...]
    title: tuple[tuple[str, str], ...]
    adds: Game
    removes: tuple[Name, ...]
    bodies: tuple[Function | Procedure, ...] = ()  # changes that give a whole new body
    keys: tuple[KeyChange, ...] = field(default=())
    span: Span | None = None
