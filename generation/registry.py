"""The writers and the judges by name. What is heavy is imported when it is asked for, not before."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from generation.errors import GeneratorUnavailable, JudgeUnavailable
from generation.models.types import WriterSetup
from generation.protocols import Generator, Judge
from retrieval.protocols import Embedder


def _offline_generator(_: WriterSetup) -> Generator:
    from generation.offline.composer import OfflineGenerator

    return OfflineGenerator()


def _scripted_generator(_: WriterSetup) -> Generator:
    from generation.scripted import ScriptedGenerator

    return ScriptedGenerator()


def _offline_judge(embedder: Embedder | None) -> Judge:
    from generation.judges.offline import OfflineJudge

    return OfflineJudge(embedder=embedder)


GENERATORS: dict[str, Callable[[WriterSetup], Generator]] = {
    "offline": _offline_generator,
    "scripted": _scripted_generator,
}
JUDGES: dict[str, Callable[[Embedder | None], Judge]] = {"offline": _offline_judge}


def make_generator(name: str, *, setup: WriterSetup = WriterSetup()) -> Generator:
    if name not in GENERATORS:
        raise GeneratorUnavailable(f"There is no generator “{name}”; the known ones: {_known(GENERATORS)}.")
    return GENERATORS[name](setup)


def make_judge(name: str, *, embedder: Embedder | None = None) -> Judge:
    if name not in JUDGES:
        raise JudgeUnavailable(f"There is no judge “{name}”; the known ones: {_known(JUDGES)}.")
    return JUDGES[name](embedder)


def _known(registry: Iterable[str]) -> str:
    return ", ".join(sorted(registry))
