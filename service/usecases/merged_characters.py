"""Who somebody is now that was known under another id.

What readers say of characters is kept under the id that these had then. Merges hand it on to whoever took
them in, an undone merge gives it back, and a split leaves it with whoever kept the id. Where a better
resolver has given out other ids, the name decides, if it fits one person only.
"""

from __future__ import annotations

from collections.abc import Sequence

from coref.decisions.log import standing
from coref.decisions.types import Decision, DecisionKind
from coref.errors import CharacterAmbiguous, CharacterUnknown
from coref.lookup import find
from coref.types import Annotations


class Heirs:
    def __init__(self, annotations: Annotations, log: Sequence[Decision]) -> None:
        self._annotations = annotations
        self._present = {character.id for character in annotations.characters}
        merges = (d for d in standing(log) if d.kind is DecisionKind.MERGE)
        self._moves = {d.other: d.character for d in merges}
        self._hidden = {d.character for d in standing(log) if d.kind is DecisionKind.HIDE}

    def of(self, key: str, name: str | None = None) -> str | None:
        """The id of the character of today; None when there is none."""
        seen: set[str] = set()
        at: str | None = key
        while at is not None and at not in self._present and at not in seen:
            seen.add(at)
            at = self._moves.get(at)
        if at in self._present:
            return at
        return None if name is None or seen & self._hidden else self._named(name)

    def _named(self, name: str) -> str | None:
        try:
            return find(self._annotations, name).id
        except (CharacterUnknown, CharacterAmbiguous):
            return None
