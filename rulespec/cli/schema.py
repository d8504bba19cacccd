"""`rulespec schema`: the JSON Schema of spec documents, for editors."""

from __future__ import annotations

import json

import click

from rulespec import schema
from rulespec.cli.exits import DONE
from rulespec.cli.output import emit_json


@click.command("schema")
def command() -> int:
    """Print the JSON Schema of game and variant files. Editors that know YAML complete and check with it."""
    emit_json(json.loads(schema.text()))
    return DONE
