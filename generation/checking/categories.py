"""Assign claims to PRISMA's six classes: MiniLM with a small trained adapter reads them.

`bookworm train categories` makes the adapter. It reads English alone: Chinese is of the class "other".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Final

from coref.native.minilm import encoder_folder
from generation.checking.entailment.written_evidence import names_for, written_claim
from generation.types import Category, Claim
from retrieval.tokenizer import is_chinese

if TYPE_CHECKING:
    from retrieval.telling.reader import SentenceReader

NAME: Final = "offline/3"
WEIGHTS: Final = "categories.safetensors"
CLASSES: Final = tuple(Category)
"""In the order of the adapter's outputs."""


def categorise(texts: Sequence[str], reader: SentenceReader | None = None) -> list[Category]:
    """Return the category of each text, one proposition with its names."""
    read = list(dict.fromkeys(text for text in texts if not is_chinese(text)))
    found = (reader or _shipped())(read).argmax(1).tolist() if read else []
    known = {text: CLASSES[at] for text, at in zip(read, found, strict=True)}
    return [known.get(text, Category.OTHER) for text in texts]


def categorised(claims: Iterable[Claim]) -> list[Claim]:
    """Return the claims with their categories."""
    made = list(claims)
    found = categorise([written_claim(claim, names_for(claim)) for claim in made])
    return [replace(claim, category=category) for claim, category in zip(made, found, strict=True)]


@cache
def _shipped() -> SentenceReader:
    from retrieval.telling.reader import in_package

    return in_package(encoder_folder(), "generation.data", WEIGHTS)
