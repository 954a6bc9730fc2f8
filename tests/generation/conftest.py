from __future__ import annotations

from pathlib import Path

import pytest

from books.types import Book
from coref.types import Annotations
from tests.generation.grammar import with_grammar
from tests.generation.indexed import IndexedStory
from tests.generation.models import tiny
from tests.generation.novel import story
from tests.novella import OpenedNovella

HARBOUR = """# The Board

[Mr. Nuttall|nuttall], the senior clerk, was the first to arrive. [He|nuttall] was a long, grey, exact
old man. [Bess Farrow|bess] came by the morning train. [Bess|bess] was brown and obliging. [Her|bess] brother
[Tom Farrow|tom] stayed at home. [Captain Crane|crane] disliked [her|bess] from the first day.

{crane>nuttall:“It’s a woman,”} said [Captain Crane|crane]. {nuttall>crane:“It is a clerk,”} said
[Mr. Nuttall|nuttall].

# The Tide

[Bess|bess] corrected the tide table and wrote to [Mr. Nuttall|nuttall]. [Captain Crane|crane] refused to
sign it. [Bess|bess] was never late. [Tom|tom] married [Lydia Sand|lydia] in the spring. [Lydia|lydia]
loved [Tom|tom].

{bess>tom:“You were a fool, and my brother,”} said [Bess|bess].

# The Wreck

[Captain Crane|crane] lost the ship on the sand. [Bess|bess] saved [Captain Crane|crane] from the water.
[Tom|tom] did not forgive [Captain Crane|crane]. [Mr. Nuttall|nuttall] resigned; [Bess|bess] became
the senior clerk.
"""
PEOPLE = {
    "bess": "Bess Farrow/she",
    "tom": "Tom Farrow/he",
    "crane": "Captain Crane/he",
    "nuttall": "Mr. Nuttall/he",
    "lydia": "Lydia Sand/she",
}


@pytest.fixture(scope="session")
def harbour() -> tuple[Book, Annotations]:
    """Three short chapters: two Farrows, a marriage, a rescue, a job that changes hands."""
    return story(HARBOUR, **PEOPLE)


@pytest.fixture(scope="session")
def port(harbour: tuple[Book, Annotations]) -> tuple[Book, Annotations]:
    """The same book with its parse."""
    return with_grammar(*harbour)


@pytest.fixture(scope="session")
def harbour_story(port: tuple[Book, Annotations], tmp_path_factory: pytest.TempPathFactory) -> IndexedStory:
    return IndexedStory.make(*port, tmp_path_factory.mktemp("harbour"))


@pytest.fixture(scope="session")
def novella_story(low_water: OpenedNovella) -> IndexedStory:
    """The first half of the novella."""
    return IndexedStory(*low_water).upto(8)


@pytest.fixture(scope="session")
def tiny_llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tiny model with Llama-3's architecture. Read it; never write into it."""
    return tiny.build(tmp_path_factory.mktemp("llama") / "base")


@pytest.fixture(scope="session")
def tiny_adapter(tiny_llama: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a LoRA adapter of `tiny_llama` that changes its answers."""
    return tiny.adapt(tiny_llama, tmp_path_factory.mktemp("llama") / "adapter")
