"""The engines that the settings name. Each is created when it is first needed and then kept."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import TypeVar, cast

from coref.protocols import ParsesText, Resolver
from coref.registry import make_resolver
from generation.checking.claims import bundled_parser
from generation.checking.claims.setup import ExtractorSetup
from generation.checking.judges.setup import JudgeSetup
from generation.checking.protocols import Extractor, Judge
from generation.protocols import Generator
from generation.registry import make_extractor, make_generator, make_judge
from retrieval.protocols import Embedder
from retrieval.registry import make_embedder
from service.settings import Settings

T = TypeVar("T")
PARSER = "native"
"""The resolver that parses generated texts, whichever resolver is used for the books."""


class Engines:
    """One instance of each engine per process, so that a model is loaded only once."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
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
    def extractor(self) -> Extractor:
        name = self._settings.extractor
        return self._once("extractor", name, lambda: make_extractor(name, setup=self.extracting()))

    def extracting(self) -> ExtractorSetup:
        told = self._settings
        return ExtractorSetup(parser=self.parser, writer=told.extractor_model, writers=told.writers)

    def parser(self) -> ParsesText:
        """The bundled resolver, which parses generated texts whichever resolver is used for the books."""
        return bundled_parser.of(self._resolver(PARSER))

    def _resolver(self, name: str) -> Resolver:
        setup = self._settings.resolvers
        return self._once("resolver", name, lambda: make_resolver(name, setup=setup))

    @property
    def judge(self) -> Judge:
        return self.judge_called(None)

    def judge_called(self, name: str | None) -> Judge:
        chosen = name or self._settings.judge
        return self._once("judge", chosen, lambda: make_judge(chosen, setup=self._judges()))

    def _judges(self) -> JudgeSetup:
        told = self._settings
        return JudgeSetup(nli=told.nli, writer=told.judge_model, writers=told.writers)

    def generator(self, name: str | None = None) -> Generator:
        chosen = name or self._settings.generator
        return self._once("generator", chosen, lambda: make_generator(chosen, setup=self._settings.writers))

    def _once(self, kind: str, name: str, make: Callable[[], T]) -> T:
        """Creates an engine without blocking the others: a large model takes minutes to load."""
        with self._lock:
            making = self._making.setdefault((kind, name), Lock())
        with making:
            if (kind, name) not in self._made:
                self._made[kind, name] = make()
            return cast(T, self._made[kind, name])
