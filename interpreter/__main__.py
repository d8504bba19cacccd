"""The command line of a compiled program: `python -m interpreter simulate|perft|tree|replay FILE`.

It needs nothing beyond Python itself. Exit codes: 0 done; 1 differences, errors or truncated games; 2 bad usage or an
unreadable file; 130 interrupted.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from interpreter.errors import Error, NotationError, ProgramError, SaveError, SettingError, reason_of
from interpreter.game import Game, load_program
from interpreter.playout import retold
from interpreter.simulate import Run, read_options, report_text, simulate
from interpreter.state import State
from interpreter.tree import MOST_NODES, count_tree, perft

USAGE_ERRORS = (ProgramError, NotationError, SettingError)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    options = _parser().parse_args(arguments)
    if sys.stdout is None:
        return _fail(options, "ClosedOutput", "standard output is closed: there is nowhere to write the result", 2)
    try:
        code = int(options.run(options))
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        return _nobody_reads()
    except OSError as fault:
        _nobody_reads()
        print(f"error: the result cannot be written: {reason_of(fault)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except SaveError as error:
        return _fail(options, type(error).__name__, str(error), 1)
    except USAGE_ERRORS as error:
        return _fail(options, type(error).__name__, str(error), 2)
    except Error as error:
        return _fail(options, type(error).__name__, str(error), 1)


def _nobody_reads() -> int:
    """Whoever read the output has gone, or it is full: let nothing more be written; return the exit code."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m interpreter", description="Play a compiled game.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("file", metavar="FILE", help="a compiled program, or - for standard input")
    common.add_argument("--format", choices=["text", "json"], default="text")
    table = argparse.ArgumentParser(add_help=False)
    table.add_argument("--players", type=int, metavar="N", help="how many play (default: the game's own)")
    table.add_argument("--option", action="append", default=[], metavar="K=V", help="a setting of the game")
    table.add_argument("--seed", type=int, metavar="S", help="default: a fresh one, printed")

    command = commands.add_parser("simulate", parents=[common, table], help="play many games with agents")
    command.add_argument("--games", type=int, default=100, metavar="N")
    command.add_argument("--agents", default="random", metavar="A[,A...]", help="one for all seats, or one for each")
    command.add_argument("--workers", type=int, default=1, metavar="N", help="processes")
    command.add_argument("--check", action="store_true", help="test invariants at every decision")
    command.set_defaults(run=_simulate)
    command = commands.add_parser("perft", parents=[common, table], help="count sequences of actions by depth")
    command.add_argument("--depth", type=int, required=True, metavar="D")
    command.set_defaults(run=_perft)
    command = commands.add_parser("tree", parents=[common, table], help="count the nodes of the whole tree")
    command.add_argument("--most", type=int, default=MOST_NODES, metavar="N", help="stop after N nodes")
    command.set_defaults(run=_tree)
    command = commands.add_parser("replay", parents=[common], help="run a save again and verify it")
    command.add_argument("save", metavar="SAVE")
    command.add_argument("--to", type=int, metavar="N", help="stop after N choices and show the position")
    command.set_defaults(run=_replay)
    return parser


def _simulate(options: argparse.Namespace) -> int:
    game = _load(options.file)
    if options.games < 1 or options.workers < 1:
        raise SettingError("--games and --workers must be at least 1")
    run = Run(
        players=_players(game, options),
        seed=secrets.randbits(32) if options.seed is None else options.seed,
        options=read_options(game, options.option),
        agents=tuple(options.agents.split(",")),
        check=options.check,
    )
    result = simulate(game, options.games, run, options.workers)
    _print(options, result, report_text(result))
    return 1 if result["errors"] or result["truncated"] else 0


def _perft(options: argparse.Namespace) -> int:
    if options.depth < 1:
        raise SettingError("--depth must be at least 1")
    counts = perft(_explicit_state(options), options.depth)
    rows = [{"depth": depth, "count": count} for depth, count in enumerate(counts, 1)]
    _print(options, rows, "\n".join(f"{row['depth']} {row['count']}" for row in rows))
    return 0


def _tree(options: argparse.Namespace) -> int:
    counts = count_tree(_explicit_state(options), options.most).to_dict()
    _print(options, counts, "\n".join(f"{name.replace('_', ' ')} {count}" for name, count in counts.items()))
    return 0


def _replay(options: argparse.Namespace) -> int:
    if options.to is not None and options.to < 0:
        raise SettingError("--to must be at least 0")
    game = _load(options.file)
    loaded = game.read_save(_read(options.save))
    for change in loaded.changes:
        print(
            f"note: this save was made under other rules, and leads to the same position here; {change}",
            file=sys.stderr,
        )
    state = retold(loaded.state, options.to)
    result = {"game": game.name, "choices": len(state.history()), "position": state.position_hash()}
    _print(options, result, f"{result['choices']} choices, position {result['position']}")
    return 0


def _explicit_state(options: argparse.Namespace) -> State:
    game = _load(options.file)
    return game.new_initial_state(
        players=_players(game, options),
        seed=options.seed or 0,
        options=read_options(game, options.option),
        chance="explicit",
    )


def _players(game: Game, options: argparse.Namespace) -> int:
    return int(game.program["players"]["default"]) if options.players is None else int(options.players)


def _load(file: str) -> Game:
    return load_program(_read(file))


def _read(file: str) -> str:
    try:
        return sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except OSError as fault:
        raise ProgramError(f"`{file}` cannot be read: {reason_of(fault)}") from None
    except UnicodeDecodeError:
        raise ProgramError(f"`{file}` is not a UTF-8 text") from None


def _print(options: argparse.Namespace, data: Any, text: str) -> None:
    print(json.dumps(data, ensure_ascii=False) if options.format == "json" else text)


def _fail(options: argparse.Namespace, code: str, message: str, exit_code: int) -> int:
    print(f"error: {message}", file=sys.stderr)
    if options.format == "json" and sys.stdout is not None:
        print(json.dumps({"error": {"code": code, "message": message, "help": None}}, ensure_ascii=False))
    return exit_code


if __name__ == "__main__":
    sys.exit(main())
