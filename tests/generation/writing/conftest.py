"""Whatever is written here is cited from its chapter and before the gate."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any

import pytest

from generation.types import Draft, Prompt
from generation.writing.offline.composer import OfflineGenerator
from generation.writing.writer import PortraitWriter
from tests.generation.cited import assert_cited


@pytest.fixture(autouse=True)
def cited() -> Iterator[None]:
    """Language models are shown passages, and cite no other words. Without one the whole book is read."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PortraitWriter, "generate", _checked(PortraitWriter.generate, by_model=True))
        patch.setattr(OfflineGenerator, "generate", _checked(OfflineGenerator.generate, by_model=False))
        yield


def _checked(generate: Callable[..., Draft], *, by_model: bool) -> Callable[..., Draft]:
    @wraps(generate)
    def checked(writer: object, prompt: Prompt, *limits: Any, **audience: Any) -> Draft:
        draft = generate(writer, prompt, *limits, **audience)
        assert_cited(draft, prompt.context, shown=prompt.passages if by_model else ())
        return draft

    return checked
