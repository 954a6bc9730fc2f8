"""Build dossiers. What needs the whole book, above all everybody's relations, is computed once."""

from __future__ import annotations

from functools import cached_property, lru_cache

from books.types import Book
from coref.types import Annotations
from generation.story.attitudes.attitudes import Attitudes
from generation.story.attributes.attributes import CharacterAttributes
from generation.story.attributes.qualities import Qualities
from generation.story.attributes.roles import Roles
from generation.story.changes import change
from generation.story.company import CompanyCounts
from generation.story.events import CharacterEvents
from generation.story.indexed_book import IndexedBook, reading_of
from generation.story.ties.relation_consensus import RelationConsensus
from generation.story.ties.told_ties import ties
from generation.story.types import Dossier, Tie

_KEPT = 4
"""Books whose findings are kept between calls."""


def make(book: Book, annotations: Annotations, character: str) -> Dossier:
    """Return the dossier of the character with this id. Book and annotations must already be cut at the
    spoiler gate.
    """
    return _findings(reading_of(book, annotations)).dossier(character)


def ties_of(book: Book, annotations: Annotations, character: str) -> tuple[Tie, ...]:
    """Return a character's relations to others, without the rest of the dossier."""
    return _findings(reading_of(book, annotations)).ties(character)


@lru_cache(maxsize=_KEPT)
def _findings(reading: IndexedBook) -> _Findings:
    return _Findings(reading)


class _Findings:
    def __init__(self, reading: IndexedBook) -> None:
        self._r = reading
        self._made: dict[str, Dossier] = {}

    def dossier(self, character: str) -> Dossier:
        found = self._made.get(character)
        if found is None:
            found = self._made[character] = self._make(character)
        return found

    def ties(self, character: str) -> tuple[Tie, ...]:
        found = self._made.get(character)
        return ties(self._r, self._consensus, character) if found is None else found.ties

    def _make(self, character: str) -> Dossier:
        deeds, qualities = self._deeds.of(character), self._qualities.of(character)
        company = self._society.company(character, deeds)
        presence = self._society.presence(character)
        changed = change(
            self._r, character, presence=presence, company=company, qualities=qualities, deeds=deeds
        )
        return Dossier(
            character=character,
            ties=ties(self._r, self._consensus, character),
            roles=self._roles.of(character),
            qualities=qualities,
            deeds=deeds,
            company=company,
            presence=presence,
            change=changed,
            speech=self._society.speech(character),
            narrates=character == self._r.annotations.narrator,
            attitudes=self._attitudes.of(character),
            portrait=self._portraits.of(character),
        )

    @cached_property
    def _consensus(self) -> RelationConsensus:
        return RelationConsensus(self._r)

    @cached_property
    def _attitudes(self) -> Attitudes:
        return Attitudes(self._r, self._consensus)

    @cached_property
    def _roles(self) -> Roles:
        return Roles(self._r)

    @cached_property
    def _qualities(self) -> Qualities:
        return Qualities(self._r)

    @cached_property
    def _portraits(self) -> CharacterAttributes:
        return CharacterAttributes(self._r)

    @cached_property
    def _deeds(self) -> CharacterEvents:
        return CharacterEvents(self._r)

    @cached_property
    def _society(self) -> CompanyCounts:
        return CompanyCounts(self._r)
