"""Writers, extractors and judges by name. Heavy libraries are imported only when they are needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from generation.checking.protocols import Extractor, Judge
from generation.checking.setup import ExtractorSetup, JudgeSetup
from generation.errors import ExtractorUnavailable, GeneratorUnavailable, JudgeUnavailable
from generation.models.protocols import LanguageModel
from generation.models.types import WriterSetup
from generation.protocols import Generator


def _offline_generator(_: WriterSetup) -> Generator:
    from generation.writing.offline.composer import OfflineGenerator

    return OfflineGenerator()


def _scripted_generator(_: WriterSetup) -> Generator:
    from generation.writing.scripted_generator import ScriptedGenerator

    return ScriptedGenerator()


def _written_by(model: Callable[[WriterSetup], LanguageModel]) -> Callable[[WriterSetup], Generator]:
    def make(setup: WriterSetup) -> Generator:
        from generation.writing.templating import Templates
        from generation.writing.writer import PortraitWriter

        return PortraitWriter(model(setup), templates=Templates.load(setup.templates, setup.prompts))

    return make


def _offline_extractor(setup: ExtractorSetup) -> Extractor:
    from generation.checking.claims.offline_extractor import OfflineExtractor

    return OfflineExtractor(setup.parser)


def _llm_extractor(setup: ExtractorSetup) -> Extractor:
    from generation.checking.claims.llm_extractor import LlmExtractor

    if setup.writer not in MODELS:
        raise ExtractorUnavailable(
            f"“{setup.writer}” has no language model that could find facts; these have one: {_known(MODELS)}."
        )
    return LlmExtractor(MODELS[setup.writer](setup.writers), offline=_offline_extractor(setup))


def _offline_judge(_: JudgeSetup) -> Judge:
    from generation.checking.judges.offline_judge import OfflineJudge

    return OfflineJudge()


def _llama_model(setup: WriterSetup) -> LanguageModel:
    from generation.models.llama.folders import find_base

    find_base(setup.llama.base)  # if there is none, that is said without an import of seconds
    from generation.models.llama.model import LlamaModel

    return LlamaModel(setup.llama)


def _openai_model(setup: WriterSetup) -> LanguageModel:
    from generation.models.openai.model import OpenAIModel

    return OpenAIModel(setup.openai)


def _test_model(_: WriterSetup) -> LanguageModel:
    from generation.models.scripted_model import ScriptedModel

    return ScriptedModel()


def _nli_judge(setup: JudgeSetup) -> Judge:
    from generation.checking.judges.nli_judge import NliJudge

    return NliJudge(setup.nli)


def _llm_judge(setup: JudgeSetup) -> Judge:
    from generation.checking.judges.llm_judge import LlmJudge

    if setup.writer not in MODELS:
        raise JudgeUnavailable(
            f"“{setup.writer}” has no language model that could judge; these have one: {_known(MODELS)}."
        )
    return LlmJudge(MODELS[setup.writer](setup.writers))


MODELS: dict[str, Callable[[WriterSetup], LanguageModel]] = {
    "llama": _llama_model,
    "openai": _openai_model,
    "scripted-model": _test_model,
}
GENERATORS: dict[str, Callable[[WriterSetup], Generator]] = {
    "llama": _written_by(_llama_model),
    "offline": _offline_generator,
    "openai": _written_by(_openai_model),
    "scripted": _scripted_generator,
    "scripted-model": _written_by(_test_model),
}
FOR_TESTS = frozenset({"scripted", "scripted-model"})
"""Engines that take the place of a model in tests. They are not offered to anybody."""
EXTRACTORS: dict[str, Callable[[ExtractorSetup], Extractor]] = {
    "llm": _llm_extractor,
    "offline": _offline_extractor,
}
JUDGES: dict[str, Callable[[JudgeSetup], Judge]] = {
    "llm": _llm_judge,
    "nli": _nli_judge,
    "offline": _offline_judge,
}


def expect_generator(name: str) -> None:
    """Raise GeneratorUnavailable if there is no generator of that name."""
    if name not in GENERATORS:
        raise GeneratorUnavailable(f"There is no generator “{name}”; the known ones: {_known(GENERATORS)}.")


def make_generator(name: str, *, setup: WriterSetup = WriterSetup()) -> Generator:
    expect_generator(name)
    return GENERATORS[name](setup)


def make_model(name: str, *, setup: WriterSetup = WriterSetup()) -> LanguageModel:
    """Return the language model of a generator that has one."""
    if name not in MODELS:
        raise GeneratorUnavailable(
            f"“{name}” has no language model; these have one: {_known(MODELS)}.",
            remedy="Choose one of them, or run `bookworm doctor` to see what they lack.",
        )
    return MODELS[name](setup)


def expect_extractor(name: str) -> None:
    """Raise ExtractorUnavailable if there is no extractor of that name."""
    if name not in EXTRACTORS:
        raise ExtractorUnavailable(f"There is no extractor “{name}”; the known ones: {_known(EXTRACTORS)}.")


def make_extractor(name: str, *, setup: ExtractorSetup = ExtractorSetup()) -> Extractor:
    expect_extractor(name)
    return EXTRACTORS[name](setup)


def expect_judge(name: str) -> None:
    """Raise JudgeUnavailable if there is no judge of that name."""
    if name not in JUDGES:
        raise JudgeUnavailable(f"There is no judge “{name}”; the known ones: {_known(JUDGES)}.")


def make_judge(name: str, *, setup: JudgeSetup = JudgeSetup()) -> Judge:
    expect_judge(name)
    return JUDGES[name](setup)


def offered(registry: Iterable[str]) -> list[str]:
    return [name for name in registry if name not in FOR_TESTS]


def _known(registry: Iterable[str]) -> str:
    return ", ".join(sorted(offered(registry)))
