"""The writers and the judges by name. What is heavy is imported when it is asked for, not before."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from generation.errors import GeneratorUnavailable, JudgeUnavailable
from generation.models.protocols import LanguageModel
from generation.models.types import WriterSetup
from generation.protocols import Generator, Judge
from retrieval.protocols import Embedder


def _offline_generator(_: WriterSetup) -> Generator:
    from generation.offline.composer import OfflineGenerator

    return OfflineGenerator()


def _scripted_generator(_: WriterSetup) -> Generator:
    from generation.scripted import ScriptedGenerator

    return ScriptedGenerator()


def _writer(model: LanguageModel, setup: WriterSetup) -> Generator:
    from generation.writing.templating import Templates
    from generation.writing.writer import Writer

    return Writer(model, templates=Templates.load(setup.templates))


def _llama(setup: WriterSetup) -> Generator:
    from generation.models.llama.model import LlamaModel

    return _writer(LlamaModel(setup.llama), setup)


def _openai(setup: WriterSetup) -> Generator:
    from generation.models.openai.model import OpenAIModel

    return _writer(OpenAIModel(setup.openai), setup)


def _scripted_model(setup: WriterSetup) -> Generator:
    from generation.models.scripted import ScriptedModel

    return _writer(ScriptedModel(), setup)


def _offline_judge(embedder: Embedder | None) -> Judge:
    from generation.judges.offline import OfflineJudge

    return OfflineJudge(embedder=embedder)


GENERATORS: dict[str, Callable[[WriterSetup], Generator]] = {
    "llama": _llama,
    "offline": _offline_generator,
    "openai": _openai,
    "scripted": _scripted_generator,
    "scripted-model": _scripted_model,
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
