"""In scenarios a row of which there is one token is that token; an answer may say where a token lies."""

from __future__ import annotations

from interpreter.game import Game
from interpreter.proving import Bench
from interpreter.scenario import run_scenario
from rulespec.diagnostics import Report
from rulespec.loader import load_text
from rulespec.passes import build_text
from rulespec.scenario_reader import read_scenarios
from rulespec.scenarios import compile_scenarios

PEGS = """\
rulespec: 1
game: pegs
players: 2
seats: [red, blue]
kinds:
  icon: [star, moon]
tokens:
  goal: {prints: side, starts_in: goals of seat(1)}
  peg:  {count: 9, starts_in: supply}
zones:
  goals:  {each: player, holds: goal, seen_by: all}
  supply: {holds: peg, seen_by: all}
  post:   {each: goal and icon, holds: peg, at_most: goal.icons(icon), seen_by: all}
phases:
  whole_game:
    steps: [lift]
  lift:
    do: |
      choose peg from post by seat(1)
      move peg to supply
procedures:
  fill(goal): move goal.icons(star) peg from supply to post(goal, star)
tables:
  side:
    columns: {icons(icon): 0..3, copies: 1..2}
    rows:
      low:  [{star: 1}, 1]
      high: [{star: 2, moon: 3}, 1]
      twin: [{moon: 1}, 2]
"""

SCENARIOS = """\
rulespec: 1
scenarios_of: pegs
scenarios:
  - name: a row of one token is a key and an argument
    players: [red, blue]
    given: |
      move 1 high from goals to goals of blue
      move 2 peg from supply to post(high, moon)
    begin: fill(high)
    then:
      - count(post(high, moon)) is 2 and count(post(high, star)) is 2
      - high in goals of blue and low not in goals of blue
  - name: an answer says where a token lies
    players: [red, blue]
    given: |
      move 1 peg from supply to post(high, moon)
      move 1 peg from supply to post(low, star)
    begin: lift
    play:
      - red answers lift(peg=peg in post(high, moon))
    then:
      - post of high is empty and count(post of low) is 1
  - name: a row of several tokens is all of them
    players: [red, blue]
    given: move 2 twin from goals to goals of blue
    begin: fill(low)
    then:
      - count(goals of blue) is 2
"""


def test_a_row_of_one_token_is_that_token_and_an_answer_names_its_place() -> None:
    report = Report()
    built = build_text(PEGS, report)
    assert built is not None and built.program is not None, report.in_order()
    document, _ = load_text(SCENARIOS, "s.yaml", report)
    made = compile_scenarios(built, read_scenarios(document, report), report, {"s.yaml": SCENARIOS})
    assert [d.message for d in report.in_order() if d.severity == "error"] == []
    game: Game = Bench(built.program)
    assert [run_scenario(game, each).failures for each in made] == [[], [], []]
