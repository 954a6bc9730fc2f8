"""From references to answers: the generator `llama` serves the result of `bookworm train lora`."""

from __future__ import annotations

from pathlib import Path

import pytest

from generation.models.types import LlamaSetup, WriterSetup
from generation.protocols import Generator
from generation.registry import make_generator
from generation.training.course import train
from generation.types import AnswerLimits, Draft, Prompt
from generation.writing.answer_parsing import unmarked
from tests.generation.conftest import HARBOUR, PEOPLE
from tests.generation.novel import story
from tests.generation.training.conftest import Heard
from tests.generation.training.school import REFERENCES, asker, by_heart, course, lessons, placed_of


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("school")


@pytest.fixture(scope="module")
def adapter(tiny_llama: Path, school: Path) -> Path:
    made = lessons(tiny_llama, school)
    return train(course(tiny_llama, school / "trained", made, by_heart()), told=Heard()).folder


def writer(tiny_llama: Path, school: Path, **adapters: Path) -> Generator:
    setup = LlamaSetup(base=str(tiny_llama), adapters=adapters, batch=2)
    return make_generator("llama", setup=WriterSetup(llama=setup, templates=school / "templates"))


@pytest.fixture(scope="module")
def prompts() -> list[Prompt]:
    return [asker(*story(HARBOUR, **PEOPLE))(placed_of(who), 200) for who in REFERENCES]


class Ears:
    def __init__(self) -> None:
        self.heard: list[str] = []

    def hear(self, piece: str) -> None:
        self.heard.append(piece)

    def advance(self, done: int, parts: int) -> None: ...

    def think(self) -> None: ...

    def again(self, reason: str) -> None:
        raise AssertionError(reason)

    def gone(self) -> bool:
        return False


def test_the_references_come_back(
    tiny_llama: Path, school: Path, adapter: Path, prompts: list[Prompt]
) -> None:
    ears = Ears()
    served = writer(tiny_llama, school, default=adapter)
    limits = AnswerLimits(temperature=0)
    first = served.generate(prompts[0], limits, audience=ears)
    drafts: list[Draft] = [first, *(served.generate(prompt, limits) for prompt in prompts[1:])]
    assert [draft.text for draft in drafts] == list(REFERENCES.values())
    assert all(draft.usage.calls == 1 for draft in drafts)
    assert all(draft.usage.prompt_tokens > 50 and draft.usage.completion_tokens > 10 for draft in drafts)
    assert unmarked("".join(ears.heard)) == REFERENCES["bess"]
    assert len(ears.heard) > 5
