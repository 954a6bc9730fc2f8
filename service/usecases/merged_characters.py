"""Maps earlier character ids to current ones.

Data that readers add about characters is stored under the id at that time. A merge passes it on to the
remaining character, an undone merge returns it, and after a split it stays with the character that kept the
id. If a newer resolver assigns other ids, the name decides, if it matches only one character.
"""

from __future__ import annotations

from collections.abc import Sequence

from coref.decisions.gating import ids_until_named
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
        self._moves = ids_until_named(log) | {d.other: d.character for d in merges}
        self._hidden = {d.character for d in standing(log) if d.kind is DecisionKind.HIDE}

    def of(self, key: str, name: str | None = None) -> str | None:
        """The current id of the character; None if there is none."""
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
