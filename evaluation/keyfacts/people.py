"""The characters of an annotated book that the people of the corpus are."""

from __future__ import annotations

import re

from coref import lookup
from coref.errors import CharacterAmbiguous, CharacterUnknown
from coref.types import Annotations, Character
from evaluation.corpus.types import CorpusPerson

_LEAST = 3
"""Uses of a person's names from which a character is taken for that person."""
_NARRATOR = re.compile(
    r"(?<!\bthe )\b[Nn]arrat(?:ors?|es)\b(?!['’]s)|\btells (?:the|his|her|this) (?:own )?story\b"
)
"""Says of a person that they narrate, and not that they are somebody to *the narrator*."""
_NOT_WORDS = re.compile(r"[^\w ]")


def character_of(person: CorpusPerson, annotations: Annotations) -> Character | None:
    """Return the character whose names are most often the person's; a narrator may have none."""
    wanted = {_plain(name) for name in (person.name, *person.aliases)}
    uses = {
        c.id: sum(alias.count for alias in c.aliases if _plain(alias.text) in wanted)
        for c in annotations.characters
    }
    most = max(uses, key=lambda key: uses[key], default=None)
    if most is not None and uses[most] >= _LEAST:
        return annotations.character(most)
    if annotations.narrator is not None and _NARRATOR.search(f"{person.name} {person.who}"):
        return annotations.character(annotations.narrator)
    return next((c for name in (person.name, *person.aliases) if (c := _looked_up(annotations, name))), None)


def _looked_up(annotations: Annotations, name: str) -> Character | None:
    try:
        return lookup.find(annotations, name)
    except (CharacterAmbiguous, CharacterUnknown):
        return None


def _plain(name: str) -> str:
    return _NOT_WORDS.sub("", name.casefold())
