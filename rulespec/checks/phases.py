"""The tree of phases: what is no tree, what asks for nothing, and what passing is called."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import nodes
from rulespec.diagnostics import Related, Report
from rulespec.symbols import Names


def check(names: Names, report: Report) -> None:
    """Report phases that are steps of themselves, offers of nothing, and passing called like an action."""
    _circles(names, report)
    for phase in names.phases.values():
        if phase.offer == () and phase.passing is None:
            text = f"`{phase.name.text}` offers nothing, and there is no passing"
            report.error("empty-offer", text, phase.name.span, help="name an action, or say `pass: NAME`")
        if phase.passing is not None and phase.passing.text in names.actions:
            text = f"passing in `{phase.name.text}` is called like the action `{phase.passing.text}`"
            related = (Related(names.declared[phase.passing.text], "declared here first"),)
            report.error("duplicate-name", text, phase.passing.span, related=related)


def _circles(names: Names, report: Report) -> None:
    """Report each circle of steps once, at the step that closes it."""
    done: set[str] = set()
    for first in names.phases:
        above = {first: _steps(names, first)} if first not in done else {}
        while above:
            name = next(reversed(above))
            step = next(above[name], None)
            if step is None:
                done.add(name)
                del above[name]
            elif step.text in above:
                circle = list(above)[list(above).index(step.text) :]
                listed = " has ".join(f"`{each}`" for each in [*circle, step.text])
                report.error("recursive-phase", f"a phase may not be its own step: {listed}", step.span)
            elif step.text not in done:
                above[step.text] = _steps(names, step.text)


def _steps(names: Names, phase: str) -> Iterator[nodes.Name]:
    for step in names.phases[phase].steps or ():
        if isinstance(step, nodes.Reference) and step.name.text in names.phases:
            yield step.name
