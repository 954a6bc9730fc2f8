"""The engines that the settings name. Each is created when it is first needed and then kept."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import TypeVar, cast

from coref import encoder_bits
from coref.protocols import ParsesText, Resolver
from coref.registry import make_resolver
from generation.checking.claims import bundled_parser
from generation.checking.protocols import Extractor, Judge
from generation.checking.setup import ExtractorSetup, JudgeSetup
from generation.models.protocols import LanguageModel
from generation.protocols import Generator
from generation.registry import MODELS, make_extractor, make_generator, make_judge, make_model
from retrieval.protocols import Embedder
from retrieval.registry import make_embedder
from service.default_generator import DefaultGenerator, GeneratorRule
from service.judge_marks import MARKS, KeptMarks
from service.settings import Settings

T = TypeVar("T")
AUTO, LLM, OFFLINE = "auto", "llm", "offline"
PARSER = "native"
"""The resolver that parses generated texts, whichever resolver is used for the books."""


def checker(wanted: str, model: str, generator: str) -> tuple[str, str]:
    """Return the judge or extractor for what `generator` writes, and whose language model it asks if any."""
    if wanted != AUTO:
        return wanted, model
    return (LLM, generator) if generator in MODELS else (OFFLINE, model)


class Engines:
    """One instance of each engine per process, so that a model is loaded only once."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        encoder_bits.choose(settings.bits_rule)
        self.rule = GeneratorRule(settings)
        self._lock = Lock()
        self._making: dict[tuple[str, str], Lock] = {}
        self._made: dict[tuple[str, str], object] = {}

    @property
    def resolver(self) -> Resolver:
        return self._resolver(self._settings.resolver)

    @property
    def embedder(self) -> Embedder:
        name = self._settings.embedder
        bits = self._settings.bits_rule
        return self._once("embedder", name, lambda: make_embedder(name, bits=bits))

    @property
    def settings(self) -> Settings:
        return self._settings

    @property
    def default(self) -> DefaultGenerator:
        """The generator that is used if none is requested."""
        return self.rule.current()

    @property
    def usual_extractor(self) -> str:
        """The name of the extractor for texts of the default generator."""
        return self.checkers()[0][0]

    def checkers(self, generator: str | None = None) -> tuple[tuple[str, str], tuple[str, str]]:
        """Return extractor and judge for what a generator writes, each with whose language model it asks."""
        told, writer = self._settings, generator or self.default.name
        return (
            checker(told.extractor, told.extractor_model, writer),
            checker(told.judge, told.judge_model, writer),
        )

    @property
    def extractor(self) -> Extractor:
        """The extractor for texts of the default generator, and of readers."""
        return self.extractor_for(None)

    def extractor_for(self, generator: str | None) -> Extractor:
        """The extractor for what a generator writes."""
        (name, writer), _ = self.checkers(generator)
        setup = ExtractorSetup(parser=self.parser, writer=writer, writers=self.rule.writers())
        key = f"{name} {writer} {self._server}"
        return self._once("extractor", key, lambda: make_extractor(name, setup=setup))

    def parser(self) -> ParsesText:
        """The bundled resolver, which parses generated texts whichever resolver is used for the books."""
        return bundled_parser.of(self._resolver(PARSER))

    def _resolver(self, name: str) -> Resolver:
        setup = self._settings.resolvers
        return self._once("resolver", name, lambda: make_resolver(name, setup=setup))

    @property
    def judge(self) -> Judge:
        """The judge for texts of the default generator, and of readers."""
        return self.judge_called(None)

    def judge_called(self, name: str | None, *, examined: bool = True) -> Judge:
        """Return a judge. What measures judges asks for one that is not examined."""
        return self._judge(name or self._settings.judge, None, examined=examined)

    def judge_for(self, generator: str | None) -> Judge:
        """The judge for what a generator writes."""
        return self._judge(self._settings.judge, generator)

    def _judge(self, wanted: str, generator: str | None, *, examined: bool = True) -> Judge:
        told = self._settings
        name, writer = checker(wanted, told.judge_model, generator or self.default.name)
        setup = JudgeSetup(nli=told.nli, writer=writer, writers=self.rule.writers())

        def make() -> Judge:
            made = make_judge(name, setup=setup)
            return self._proven(made) if examined and name != OFFLINE else made

        return self._once("judge", f"{name} {writer} {self._server} {examined}", make)

    def _proven(self, judge: Judge) -> Judge:
        from generation.checking.judges.proven_judge import ProvenJudge

        records = KeptMarks(self._settings.data_dir / MARKS)
        return ProvenJudge(judge, instead=self.judge_called(OFFLINE), records=records)

    def generator(self, name: str | None = None) -> Generator:
        chosen, setup = name or self.default.name, self.rule.writers()
        return self._once(
            "generator", f"{chosen} {self._server}", lambda: make_generator(chosen, setup=setup)
        )

    def model(self, name: str | None) -> LanguageModel | None:
        """The language model of a generator; None for none, and for `offline`, which quotes the book."""
        from generation.writing.writer import PortraitWriter

        if name is None or name == OFFLINE:
            return None
        generator = self.generator(name)
        return generator.model if isinstance(generator, PortraitWriter) else make_model(name)

    @property
    def _server(self) -> str:
        """What tells the servers apart that were the default one after the other."""
        openai = self.rule.writers().openai
        return f"{openai.url} {openai.model}"

    def _once(self, kind: str, name: str, make: Callable[[], T]) -> T:
        """Creates an engine without blocking the others: a large model takes minutes to load."""
        with self._lock:
            making = self._making.setdefault((kind, name), Lock())
        with making:
            if (kind, name) not in self._made:
                self._made[kind, name] = make()
            return cast(T, self._made[kind, name])
