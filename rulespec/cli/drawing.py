"""Maps and phases of a game as SVG, written with what Python brings along."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import cos, pi, sin
from typing import Any
from xml.etree import ElementTree

from interpreter.words import word
from rulespec.cli.exits import CommandError

Program = Mapping[str, Any]
Point = tuple[float, float]
SIZE, MARGIN = 900.0, 70.0
ROW, INDENT, LETTER = 34.0, 36.0, 7.6
STYLE = """
text { font: 13px sans-serif; fill: #222 } .small { font-size: 11px; fill: #555 }
line, path { stroke: #888; stroke-width: 2; fill: none } .place { fill: #fff; stroke: #444; stroke-width: 1.5 }
.space { fill: #ddd; stroke: #888 } .phase { fill: #e8eef7; stroke: #4a6fa5 } .action { fill: #eef7e8; stroke: #5f8f3e }
.procedure { fill: #f7f1e8; stroke: #a5814a }
"""


class Canvas:
    """An SVG that grows as things are put on it."""

    def __init__(self) -> None:
        self.root = ElementTree.Element("svg", xmlns="http://www.w3.org/2000/svg")
        ElementTree.SubElement(self.root, "style").text = STYLE
        self.right = self.bottom = 0.0

    def put(self, tag: str, text: str | None = None, **attributes: object) -> None:
        """Add an element; a trailing `_` of a name is left out, numbers are rounded."""
        said = {name.rstrip("_").replace("_", "-"): _shown(value) for name, value in attributes.items()}
        ElementTree.SubElement(self.root, tag, said).text = text

    def reach(self, x: float, y: float) -> None:
        """Make the drawing large enough for a point."""
        self.right, self.bottom = max(self.right, x), max(self.bottom, y)

    def text(self) -> str:
        """Return the SVG."""
        width, height = _shown(self.right + MARGIN / 2), _shown(self.bottom + MARGIN / 2)
        self.root.attrib |= {"width": width, "height": height, "viewBox": f"0 0 {width} {height}"}
        ElementTree.indent(self.root)
        return ElementTree.tostring(self.root, encoding="unicode") + "\n"


def _shown(value: object) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)


# -------------------------------------------------------------------------------------------------------- maps


@dataclass
class Board:
    """Places by name, where they lie, and which are joined, with how many spaces between them."""

    points: dict[str, Point] = field(default_factory=dict)
    joins: list[tuple[str, str, int]] = field(default_factory=list)


def map_svg(program: Program, lang: str) -> str:
    """Return the map of a game as SVG: drawn places where they lie in its file, generated ones in rows or a circle."""
    board = _drawn(program) or max(_generated_boards(program), key=lambda each: len(each.points), default=None)
    if board is None:
        raise CommandError("no-map", f"`{program['game']}` has no map", "a game's map is its section `map`")
    points = _scaled(board.points)
    canvas = Canvas()
    for one, other, spaces in board.joins:
        _draw_join(canvas, points[one], points[other], spaces)
    texts = program["texts"].get("values", {})
    for name, (x, y) in points.items():
        canvas.put("circle", cx=x, cy=y, r=9.0, class_="place")
        canvas.put("text", _label(texts, name, lang), x=x + 12, y=y + 4)
        canvas.reach(x + 12 + LETTER * len(name), y + MARGIN / 2)
    return canvas.text()


def _drawn(program: Program) -> Board | None:
    """Return the map that a file draws, its places where the file puts them; None without one."""
    drawn = program.get("map") or {"nodes": [], "edges": []}
    points = {
        str(node["id"]): (float(node["x"]), float(node["y"])) for node in drawn["nodes"] if node.get("x") is not None
    }
    joins = [(edge["source"], edge["target"], _spaces(program, edge)) for edge in drawn["edges"]]
    return Board(points, [join for join in joins if join[0] in points and join[1] in points]) if points else None


def _generated_boards(program: Program) -> Iterator[Board]:
    for name, kind in program["kinds"].items():
        if kind["sort"] == "place" and f"{name}.neighbours" in program["columns"]:
            yield _generated(program, name, kind)


def _spaces(program: Program, edge: Mapping[str, Any]) -> int:
    """Return how many spaces lie along an edge."""
    name = str(edge.get("id", ""))
    return sum(1 for entity in program["entities"] if entity.startswith(f"space({name}, "))


def _generated(program: Program, name: str, kind: Mapping[str, Any]) -> Board:
    """Return a board that no file draws: by rows and columns where it has them, else around a circle."""
    low, high = kind["ranges"][0]
    names = program["entities"][low:high]
    columns = program["columns"]
    rows, across = columns.get(f"{name}.row"), columns.get(f"{name}.column")
    if rows and across:
        points = {n: (float(x), float(y)) for n, x, y in zip(names, across["values"], rows["values"])}
    else:
        turn = 2 * pi / max(1, len(names))
        points = {n: (sin(turn * i), -cos(turn * i)) for i, n in enumerate(names)}
    near = columns[f"{name}.neighbours"]["values"]
    joins = [(n, program["entities"][o], 0) for i, n in enumerate(names) for o in near[i] if low + i < o < high]
    return Board(points, joins)


def _scaled(points: Mapping[str, Point]) -> dict[str, Point]:
    """Return points brought into the picture, both directions alike."""
    xs, ys = [x for x, _ in points.values()], [y for _, y in points.values()]
    wide = max(max(xs) - min(xs), max(ys) - min(ys)) or 1.0
    scale = (SIZE - 2 * MARGIN) / wide
    return {n: (MARGIN + (x - min(xs)) * scale, MARGIN + (y - min(ys)) * scale) for n, (x, y) in points.items()}


def _draw_join(canvas: Canvas, one: Point, other: Point, spaces: int) -> None:
    canvas.put("line", x1=one[0], y1=one[1], x2=other[0], y2=other[1])
    for i in range(1, spaces + 1):
        part = i / (spaces + 1)
        x, y = (a + (b - a) * part for a, b in zip(one, other))
        canvas.put("circle", cx=x, cy=y, r=5.0, class_="space")


def _label(texts: Mapping[str, Any], name: str, lang: str) -> str:
    said = texts.get(name, {})
    return str(said.get(lang) or said.get("en") or name)


# ------------------------------------------------------------------------------------------------------ phases


def phases_svg(program: Program, lang: str) -> str:
    """Return the tree of phases as SVG: a phase and below it what it performs and offers."""
    canvas = Canvas()
    _draw_rule(canvas, program, lang, program["root"], 0, [0], frozenset())
    return canvas.text()


def _draw_rule(
    canvas: Canvas, program: Program, lang: str, name: str, depth: int, line: list[int], above: frozenset[str]
) -> float:
    """Draw a rule and what stands below it; return the height of its middle."""
    rule = program["rules"][name]
    title = _label(program["texts"].get("rules", {}), name, lang)
    x, y = MARGIN / 2 + depth * INDENT, MARGIN / 2 + line[0] * ROW
    told = _told(rule, lang)
    width, middle = LETTER * len(title) + 24, y + ROW / 2 - 4
    canvas.put("rect", x=x, y=y, width=width, height=ROW - 8, rx=6.0, class_=rule["kind"])
    canvas.put("text", title, x=x + 12, y=y + 18)
    canvas.put("text", told, x=x + width + 10, y=y + 18, class_="small")
    canvas.reach(x + width + 10 + LETTER * len(told), y + ROW)
    line[0] += 1
    for below in dict.fromkeys(_below(program, rule)):
        if below in above or below == name:
            continue
        end = _draw_rule(canvas, program, lang, below, depth + 1, line, above | {name})
        canvas.put("path", d=f"M {_shown(x + 10)} {_shown(y + ROW - 8)} V {_shown(end)} H {_shown(x + INDENT)}")
    return middle


def _told(rule: Mapping[str, Any], lang: str) -> str:
    """Return how a phase is repeated, in a few words."""
    for node in _nodes(rule["body"]):
        if node.get("op") == "rounds":
            pace = word(lang, "drawing", node["pace"]["by"] or "once")
            return word(lang, "drawing", "in_turn", pace=pace)
        if node.get("op") in ("forever", "until", "while", "times"):
            return word(lang, "drawing", "repeated")
    return ""


def _below(program: Program, rule: Mapping[str, Any]) -> Iterator[str]:
    """Yield the rules a phase performs and the actions it offers."""
    if rule["kind"] != "phase":
        return
    for node in _nodes(rule["body"]):
        match node:
            case {"op": "perform", "rule": name}:
                yield name
            case {"op": "offer", "actions": actions}:
                yield from (each["rule"] for each in actions if "rule" in each)


def _nodes(tree: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(tree, dict):
        yield tree
        tree = list(tree.values())
    for part in tree if isinstance(tree, list) else ():
        yield from _nodes(part)
