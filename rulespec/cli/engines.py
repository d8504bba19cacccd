"""What spreads a simulation over workers: processes of this machine, or dask or ray where they are installed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import Any

from interpreter.simulate import Chunk, Mapper, Outcome, in_processes
from rulespec.cli.exits import CommandError

ENGINES = ("local", "dask", "ray")


def mapper_of(engine: str) -> Mapper:
    """Return the mapper of an engine; a CommandError says how to install one that is not there."""
    if engine == "local":
        return in_processes
    try:
        module = import_module(engine)
    except ImportError:
        message = f"the engine `{engine}` is not installed"
        raise CommandError("missing-engine", message, f"pip install 'rulespec[{engine}]'") from None
    return _dask(module) if engine == "dask" else _ray(module)


def _dask(dask: Any) -> Mapper:
    def mapper(
        function: Callable[[Chunk], list[Outcome]], chunks: Sequence[Chunk], workers: int
    ) -> Iterable[list[Outcome]]:
        tasks = [dask.delayed(function)(chunk) for chunk in chunks]
        results: Iterable[list[Outcome]] = dask.compute(*tasks, scheduler="processes", num_workers=workers)
        return results

    return mapper


def _ray(ray: Any) -> Mapper:
    def mapper(
        function: Callable[[Chunk], list[Outcome]], chunks: Sequence[Chunk], workers: int
    ) -> Iterable[list[Outcome]]:
        ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False, ignore_reinit_error=True)
        try:
            remote = ray.remote(function)
            results: Iterable[list[Outcome]] = ray.get([remote.remote(chunk) for chunk in chunks])
            return results
        finally:
            ray.shutdown()

    return mapper
