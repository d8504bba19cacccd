"""Maps made with networkx: generated boards, node-link maps, spaces along edges, lines, neighbours, distances."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

import networkx as nx

from rulespec import nodes
from rulespec.symbols import ColumnInfo, KindInfo, Names, constant
from rulespec.value_types import Int, Kind, SetOf, Type

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def add_places(names: Names) -> None:
    """Add all kinds of places of the game to *names*: their entities, built-in columns and graphs."""
    for place in names.game.places:
        if place.board is not None and place.board.board is not None:
            _add_board(names, place, place.board.board[0].text, place.board.board[1])
        else:
            _add_rows(names, place)
    for place in names.game.places:
        if place.form == "edges":
            _add_edges(names, place)
    for place in names.game.places:
        if place.form == "nodes" and place.name.text in names.graphs:
            _neighbour_column(names, place.name.text)


def add_unions(names: Names) -> None:
    """Add `neighbours` and the spots of edges for each union of places with a graph of spaces."""
    walk = names.graphs.get("space")
    if walk is None:
        return
    _neighbour_column(names, "space")
    for union in [k for k in names.kinds.values() if k.sort == "union" and "space" in names.leaves(k.name)]:
        names.graphs[union.name] = walk
        _neighbour_column(names, union.name)
        for place in names.game.places:
            if place.form == "edges" and place.spaces is not None:
                _spots(names, place.name.text, union)


def new_ids(names: Names, texts: Iterable[str]) -> dict[str, int]:
    """Append entities; return their ids by name."""
    found = {}
    for text in texts:
        found[text] = len(names.entities)
        names.entities.append(text)
    return found


def put_column(names: Names, kind: str, name: str, given: Type, values: list[Any]) -> None:
    """Add a built-in column unless a printed one of that name exists."""
    names.columns.setdefault(f"{kind}.{name}", ColumnInfo(kind, name, None, given, values))


def members(names: Names, kind: str) -> list[int]:
    """Return the ids of all members of *kind*, in order."""
    return [i for low, high in names.kinds[kind].ranges for i in range(low, high)]


def distances(names: Names, kind: str) -> list[list[int]]:
    """Return the steps between all members of a kind of place; -1 where there is no way."""
    graph, ids = names.graphs[kind], members(names, kind)
    rows = []
    for start in ids:
        steps = nx.single_source_shortest_path_length(graph, start) if start in graph else {}
        rows.append([int(steps.get(i, -1)) for i in ids])
    return rows


def _kind(names: Names, place: nodes.Place, labels: list[str]) -> KindInfo:
    name = place.name.text
    info = KindInfo(name, "place", place.plural.text if place.plural else name + "s", place.name.span)
    first = len(names.entities)
    info.values = new_ids(names, labels)
    info.ranges = [(first, len(names.entities))]
    names.kinds[name] = info
    return info


# ------------------------------------------------------------------------------------------- boards


def _add_board(names: Names, place: nodes.Place, board: str, sizes: tuple[int, ...]) -> None:
    name = place.name.text
    if board in ("grid", "hex", "rhombus"):
        rows, columns = sizes if len(sizes) == 2 else (1, 1)  # another number of sizes is reported where it is read
        spots = [(r, c) for r in range(1, rows + 1) for c in range(1, columns + 1)]
        info = _kind(names, place, [f"{name}({r}, {c})" for r, c in spots])
        ids = dict(zip(spots, info.values.values(), strict=True))
        graph = nx.Graph(_steps(ids, board))
        graph.add_nodes_from(ids.values())
        _coordinates(names, name, spots, rows, columns)
        if board == "grid":
            _lines(names, ids, max(rows, columns))
    else:
        info = _kind(names, place, [f"{name}({i})" for i in range(1, sizes[0] + 1)])
        made = {"path": nx.path_graph, "cycle": nx.cycle_graph, "complete": nx.complete_graph}[board](sizes[0])
        graph = nx.relabel_nodes(made, dict(enumerate(info.values.values())))
    names.graphs[name] = graph
    _neighbour_column(names, name)


def _steps(ids: dict[tuple[int, int], int], board: str) -> list[tuple[int, int]]:
    found = []
    for (r, c), here in ids.items():
        near = [(r, c + 1), (r + 1, c)]
        if board == "hex":
            near.append((r + 1, c + 1) if r % 2 == 0 else (r + 1, c - 1))
        if board == "rhombus":
            near.append((r + 1, c - 1))
        found += [(here, ids[n]) for n in near if n in ids]
    return found


def _coordinates(names: Names, name: str, spots: list[tuple[int, int]], rows: int, columns: int) -> None:
    for word, size, part in (("row", rows, 0), ("column", columns, 1)):
        if word not in names.declared and word not in names.kinds:
            names.kinds[word] = KindInfo(word, "number", word + "s", numbers=(1, size))
        put_column(names, name, word, Int(1, size), [s[part] for s in spots])


def _lines(names: Names, ids: dict[tuple[int, int], int], longest: int) -> None:
    """Add the kind `line` with all lines of the lengths the game asks for, and a kind for each length."""
    lengths = sorted(n for n in asked_lines(names.game) if 0 < n <= longest)
    if not lengths or "line" in names.declared or "line" in names.kinds:
        return
    start, cells = len(names.entities), []
    first = next(iter(ids.values()))
    place = next(k for k in names.kinds.values() if (first, first + len(ids)) in k.ranges)
    for length in lengths:
        low = len(names.entities)
        for number, line in enumerate(_runs(ids, length), 1):
            names.entities.append(f"line({length}, {number})")
            cells.append(sorted(line))
        names.lines[length] = f"line {length}"
        names.kinds[f"line {length}"] = KindInfo(f"line {length}", "line", "", None, [(low, len(names.entities))])
    names.kinds["line"] = KindInfo("line", "line", "lines", None, [(start, len(names.entities))])
    put_column(names, "line", "cells", SetOf(Kind(place.name, frozenset({place.name}))), cells)


def _runs(ids: dict[tuple[int, int], int], length: int) -> list[list[int]]:
    found = []
    for down, right in DIRECTIONS if length > 1 else DIRECTIONS[:1]:
        for r, c in ids:
            run = [(r + i * down, c + i * right) for i in range(length)]
            if all(spot in ids for spot in run):
                found.append([ids[spot] for spot in run])
    return found


def asked_lines(part: object) -> set[int]:
    """Return the numbers n for which `lines(n)` stands anywhere in a tree."""
    if isinstance(part, nodes.Reference) and part.name.text == "lines" and part.args:
        size = constant(part.args[0])
        return set() if size is None else {size}
    if isinstance(part, tuple):
        return set().union(*(asked_lines(p) for p in part)) if part else set()
    if hasattr(part, "__dataclass_fields__"):
        return set().union(*(asked_lines(getattr(part, f)) for f in part.__dataclass_fields__))
    return set()


# --------------------------------------------------------------------------------- nodes, edges, spaces


def _add_rows(names: Names, place: nodes.Place) -> None:
    if place.table is None:
        return
    _kind(names, place, [row.name.text for row in place.table.rows])
    names.tables[place.name.text] = place.table
    names.drawn = names.drawn or {"nodes": [], "edges": []}
    if place.form == "nodes":
        for row, at in zip(place.table.rows, place.coordinates, strict=False):
            names.drawn["nodes"].append({"id": row.name.text, "x": at[0] if at else None, "y": at[1] if at else None})
        graph: nx.Graph = nx.Graph()
        graph.add_nodes_from(names.kinds[place.name.text].values.values())
        names.graphs[place.name.text] = graph
    else:
        for row, (one, other) in zip(place.table.rows, place.ends, strict=False):
            names.drawn["edges"].append({"id": row.name.text, "source": one.text, "target": other.text})


def _add_edges(names: Names, place: nodes.Place) -> None:
    info = names.kinds.get(place.name.text)
    node_kind = _node_kind(names, place)
    if info is None or place.table is None or node_kind is None:
        return
    values = names.kinds[node_kind].values
    ends = [(values.get(a.text, -1), values.get(b.text, -1)) for a, b in place.ends]
    thing = Kind(node_kind, frozenset({node_kind}))
    put_column(names, info.name, "ends", SetOf(thing), [sorted(pair) for pair in ends])
    edge_ids = members(names, info.name)
    for pair in ends:
        names.graphs[node_kind].add_edge(*pair)
    first = names.kinds[node_kind].ranges[0][0]
    touching: list[list[int]] = [[] for _ in values]
    for edge, pair in zip(edge_ids, ends, strict=False):
        for end in sorted(set(pair)):
            touching[end - first].append(edge)
    put_column(names, node_kind, info.plural, SetOf(Kind(info.name, frozenset({info.name}))), touching)
    if place.spaces is not None:
        _add_spaces(names, place, info, node_kind, ends)


def _node_kind(names: Names, place: nodes.Place) -> str | None:
    wanted = {end.text for pair in place.ends for end in pair}
    for other in names.game.places:
        info = names.kinds.get(other.name.text)
        if other.form == "nodes" and info is not None and wanted <= set(info.values):
            return info.name
    return None


def _add_spaces(names: Names, place: nodes.Place, info: KindInfo, node_kind: str, ends: list[tuple[int, int]]) -> None:
    """Put spaces along each edge, as many as its column says, and walk from end to end through them."""
    assert place.table is not None and place.spaces is not None
    column = [c.name.text for c in place.table.columns].index(place.spaces.text)
    graph = names.graphs.setdefault("space", nx.Graph())
    graph.add_nodes_from(members(names, node_kind))
    space = names.kinds.setdefault("space", KindInfo("space", "place", "spaces", place.spaces.span))
    start, along, edges = len(names.entities), [], []
    for row, edge, (one, other) in zip(place.table.rows, members(names, info.name), ends, strict=False):
        value = row.values[column]
        count = constant(value) if not isinstance(value, tuple) else None
        labels = [f"space({row.name.text}, {i})" for i in range(1, (count or 0) + 1)]
        made = new_ids(names, labels)
        space.values.update(made)
        along.append(list(made.values()))
        edges += [edge] * len(made)
        way = [one, *made.values(), other]
        graph.add_edges_from(itertools.pairwise(way))
    space.ranges.append((start, len(names.entities)))
    put_column(names, info.name, "spaces", SetOf(Kind("space", frozenset({"space"}))), along)
    put_column(names, "space", info.name, Kind(info.name, frozenset({info.name})), edges)


def _spots(names: Names, edge: str, union: KindInfo) -> None:
    ends, spaces = names.columns.get(f"{edge}.ends"), names.columns.get(f"{edge}.spaces")
    if ends is None or spaces is None:
        return
    both = [sorted(e + s) for e, s in zip(ends.values, spaces.values, strict=False)]
    thing = SetOf(Kind(union.name, names.leaves(union.name)))
    put_column(names, edge, union.plural, thing, both)
    put_column(names, edge, "spots", thing, both)


def _neighbour_column(names: Names, kind: str) -> None:
    graph = names.graphs[kind]
    near = [sorted(graph.neighbors(i)) if i in graph else [] for i in members(names, kind)]
    thing = Kind(kind, names.leaves(kind))
    if kind == "space":
        around = [k for k in names.kinds.values() if k.sort == "union" and "space" in names.leaves(k.name)]
        thing = Kind(around[0].name, names.leaves(around[0].name)) if around else thing
    put_column(names, kind, "neighbours", SetOf(thing), near)


def use_printed_neighbours(names: Names) -> None:
    """Make a printed column `neighbours` the graph of its kind of place."""
    for column in names.columns.values():
        if column.name == "neighbours" and column.span is not None and column.kind in names.graphs:
            graph = nx.Graph()
            ids = members(names, column.kind)
            graph.add_nodes_from(ids)
            for here, near in zip(ids, column.values, strict=False):
                graph.add_edges_from((here, there) for there in near or ())
            names.graphs[column.kind] = graph
