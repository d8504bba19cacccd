"""The command line: one file a command. Each reads arguments, prints and gives the exit code, nothing more."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line. An interrupt is answered from the first import on."""
    try:
        from rulespec.cli.app import main as run
    except KeyboardInterrupt:
        sys.exit(130)
    run(prog_name="rulespec")
