"""The command line: one file a command. Each reads arguments, prints and gives the exit code, nothing more."""

from __future__ import annotations

from rulespec.cli.app import main

__all__ = ["main"]
