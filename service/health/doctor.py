"""What works here, what is missing and how to get it. `/readyz` asks less, and often: see `readiness.py`."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from books.errors import BookwormError
from service.health.checks import Check, Health, told
from service.health.generators import checks

if TYPE_CHECKING:
    from service.settings import Settings

GIB: Final = 2**30
ROOMY: Final = 2 * GIB
TIGHT: Final = GIB // 4
"""Free disk space below which an ingest may fail."""
_FOR_GPU: Final = "See docs/operations.md for GPU support."

EXTRAS: Final = {
    "postgres": "psycopg",
    "s3": "s3fs",
    "gpu": "accelerate",
    "train": "matplotlib",
    "booknlp": "booknlp",
    "otel": "opentelemetry.sdk",
    "dev": "pytest",
}
"""For each optional extra, the module whose presence shows that it is installed."""


class Named(Protocol):
    """Any engine."""

    @property
    def name(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Report:
    checks: tuple[Check, ...]

    @property
    def ready(self) -> bool:
        """Whether nothing required is missing."""
        return not any(c.needed and c.health is Health.MISSING for c in self.checks)

    @property
    def troubled(self) -> tuple[Check, ...]:
        """Required parts that do not work fully."""
        return tuple(c for c in self.checks if c.needed and c.health is not Health.WORKS)


def examine(settings: Settings) -> Report:
    """Runs all checks and creates every registered engine once.

    Takes seconds, and keeps nothing on disk but which precision of the encoders is fastest.
    """
    return Report(
        (
            check_python(),
            check_names(),
            check_disk(settings),
            check_files(settings),
            check_database(settings),
            check_store(settings),
            *check_all_engines(settings),
            check_retriever(settings.retriever),
            check_gpu(),
            check_encoders(settings),
            check_faiss(),
            *check_extras(settings),
        )
    )


def check_python() -> Check:
    version = platform.python_version()
    if (3, 11) <= sys.version_info[:2] < (3, 14):
        return Check("system", "Python", Health.WORKS, f"{version}, {os.cpu_count()} cores")
    return Check(
        "system", "Python", Health.MISSING, f"{version} is not supported", "Use Python 3.11 to 3.13."
    )


def check_names() -> Check:
    from service.settings import misspelt

    check = partial(Check, "system", "settings")
    if found := misspelt():
        return check(Health.DEGRADED, " ".join(found), "See docs/settings.md for the names of all settings.")
    return check(Health.WORKS, "all names are known")


def check_disk(settings: Settings) -> Check:
    folder = next(p for p in (settings.data_dir, *settings.data_dir.parents) if p.exists())
    free = shutil.disk_usage(folder).free
    detail = f"{free / GIB:.1f} GiB free at {settings.data_dir}"
    if not os.access(folder, os.W_OK):
        return Check(
            "system", "disk", Health.MISSING, f"{folder} is not writable", "Set `BOOKWORM_DATA_DIR`."
        )
    if free >= ROOMY:
        return Check("system", "disk", Health.WORKS, detail)
    health = Health.DEGRADED if free >= TIGHT else Health.MISSING
    return Check("system", "disk", health, detail, "Free some space, or move `BOOKWORM_DATA_DIR` elsewhere.")


def check_files(settings: Settings) -> Check:
    """Every open book maps about seven files."""
    import resource

    wanted = 64 + 8 * settings.open_books
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    detail = f"{soft} open files allowed, {wanted} needed for {settings.open_books} open books"
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return Check("system", "limits", Health.WORKS, detail)
    return Check(
        "system", "limits", Health.DEGRADED, detail, "Raise `ulimit -n` or lower `BOOKWORM_OPEN_BOOKS`."
    )


def check_database(settings: Settings) -> Check:
    from db.database import Database

    check = partial(Check, "storage", "database")
    database = Database(settings.database)
    where = database.url.render_as_string(hide_password=True)
    try:
        if _not_made_yet(database.url.database, backend=database.url.get_backend_name()):
            return check(Health.WORKS, f"{where}, will be created when it is first needed")
        database.ping()
        current = database.up_to_date()
    except Exception as error:  # as for engines
        return check(Health.MISSING, *told(error))
    finally:
        database.dispose()
    if current:
        return check(Health.WORKS, where)
    remedy = "Make a backup, then run `bookworm books`, which migrates it."
    return check(Health.MISSING, f"{where} needs a migration", remedy)


def _not_made_yet(path: str | None, *, backend: str) -> bool:
    return backend == "sqlite" and path is not None and not Path(path).exists()


def check_store(settings: Settings) -> Check:
    from db.store import ArtefactStore

    check = partial(Check, "storage", "artefacts")
    if "://" not in settings.artefacts and not Path(settings.artefacts).exists():
        return check(Health.WORKS, f"{settings.artefacts}, will be created when it is first needed")
    try:
        store = ArtefactStore(settings.artefacts, workspace=settings.workspace)
        store.versions("doctor")  # only to access the store; no book has this id
    except (BookwormError, OSError) as error:
        return check(Health.MISSING, *told(error))
    return check(Health.WORKS, settings.artefacts)


def check_all_engines(settings: Settings) -> Iterator[Check]:
    """Checks every registered engine, and those in the settings: a folder with a model is not registered."""
    from coref.registry import RESOLVERS, make_resolver
    from generation.checking.setup import ExtractorSetup, JudgeSetup
    from generation.registry import (
        EXTRACTORS,
        GENERATORS,
        JUDGES,
        make_extractor,
        make_generator,
        make_judge,
        offered,
    )
    from retrieval.registry import EMBEDDERS, make_embedder
    from service.engines import Engines

    engines = Engines(settings)
    writers, bits = engines.rule.writers(), settings.bits_rule
    (extractor, finder), (judge, asked) = engines.checkers()
    extractors = ExtractorSetup(writer=finder, writers=writers)
    judges = JudgeSetup(nli=settings.nli, writer=asked, writers=writers)
    special = checks(writers)
    kinds: tuple[tuple[str, str, Iterable[str], Callable[[str], Named]], ...] = (
        ("resolver", settings.resolver, RESOLVERS, partial(make_resolver, setup=settings.resolvers)),
        ("embedder", settings.embedder, EMBEDDERS, partial(make_embedder, bits=bits)),
        ("generator", engines.default.name, GENERATORS, partial(make_generator, setup=writers)),
        ("extractor", extractor, EXTRACTORS, partial(make_extractor, setup=extractors)),
        ("judge", judge, JUDGES, partial(make_judge, setup=judges)),
    )
    for kind, chosen, known, make in kinds:
        for name in dict.fromkeys((chosen, *offered(known))):
            needed = name == chosen
            if kind == "generator" and name in special:
                yield special[name](needed=needed)
            else:
                yield check_engine(kind, name, partial(make, name), needed=needed)


def check_engine(kind: str, name: str, make: Callable[[], Named], *, needed: bool) -> Check:
    check = partial(Check, kind, name, needed=needed)
    try:
        return check(Health.WORKS, make().name)
    except Exception as error:
        # The doctor must not fail itself: any exception of an engine is a finding.
        return check(Health.MISSING, *told(error))


def check_retriever(name: str) -> Check:
    from retrieval.errors import RetrieverUnknown
    from retrieval.registry import expect_retriever

    check = partial(Check, "retriever", name)
    try:
        expect_retriever(name)
    except RetrieverUnknown as error:
        return check(Health.MISSING, *told(error))
    return check(Health.WORKS, name)


def check_gpu() -> Check:
    import torch

    check = partial(Check, "system", "GPU", needed=False)
    if torch.cuda.is_available():
        memory = torch.cuda.get_device_properties(0).total_memory / GIB
        return check(Health.WORKS, f"{torch.cuda.get_device_name(0)}, {memory:.0f} GiB")
    return check(Health.MISSING, "none, everything runs on the CPU", _FOR_GPU)


def check_encoders(settings: Settings) -> Check:
    """Which precision reads books fastest here."""
    check = partial(Check, "system", "encoders")
    try:
        choice = settings.bits_rule.choice()
    except Exception as error:  # as for engines
        return check(Health.MISSING, *told(error))
    rates = ", ".join(f"{bits} bits: {rate:,}" for bits, rate in choice.rates.items())
    measured = f" (pieces of words per second with {rates})" if rates else ""
    return check(Health.WORKS, f"{choice.bits} bits{measured}")


def check_faiss() -> Check:
    """Which build of FAISS is installed, and whether it uses the GPU."""
    import torch

    check = partial(Check, "system", "FAISS")
    try:
        faiss = import_module("faiss")
        cards = faiss.get_num_gpus() if hasattr(faiss, "StandardGpuResources") else None
    except Exception as error:  # as for engines
        return check(Health.MISSING, *told(error))
    if cards:
        return check(Health.WORKS, f"{faiss.__version__}, uses the GPU")
    if cards is None and torch.cuda.is_available():
        detail = f"{faiss.__version__}, built without GPU support: uses the CPU although there is a GPU"
        return check(Health.DEGRADED, detail, _FOR_GPU, needed=False)
    return check(Health.WORKS, f"{faiss.__version__}, uses the CPU")


def check_extras(settings: Settings) -> Iterator[Check]:
    needed = {
        "postgres": settings.database.startswith("postgres"),
        "s3": settings.artefacts.startswith("s3"),
        "otel": settings.otel_endpoint is not None,
    }
    for extra, module in EXTRAS.items():
        check = partial(Check, "extras", extra, needed=needed.get(extra, False))
        if _installed(module):
            yield check(Health.WORKS, f"{module} is installed")
        else:
            yield check(Health.MISSING, f"{module} is not installed", f"pip install 'bookworm[{extra}]'")


def _installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # the parent package is missing
        return False
