"""Social and professional roles of characters that the book as a whole supports.

One word is not enough: pirates call their leader `the captain` once, and the captain is somebody else.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from coref.language.word_lists import table
from coref.language.word_lists import words as list_words
from generation.lexicon import words
from generation.story.attributes.attribute_statements import (
    AttributeStatement,
    AttributionManner,
    phrase,
    sayings,
)
from generation.story.indexed_book import IndexedBook
from generation.story.ties.appositions import names_beside
from generation.story.types import CharacterRole

_WEIGHTS = {
    AttributionManner.SAID: 2.0,
    AttributionManner.BESIDE: 2.0,
    AttributionManner.CALLED: 0.3,
    AttributionManner.QUALIFIED: 0.0,
}
_SPOKEN = 0.5
"""Factor of a vote that a character gives in direct speech."""
_TITLE = 4.0
_LEAST, _LEAST_OF_FEW = 1.5, 1.0
_FEW = 120
"""Number of mentions of a character up to which one plain sentence is enough."""
_MINE = 0.5
"""Share of the uses of a role that a character must have where no sentence states it plainly."""
_CALLED = 4
_DEVOTED = frozenset(("obedient", "humble", "devoted", "faithful"))
_CITED = 3


@dataclass(frozen=True, slots=True)
class _RoleVote:
    saying: AttributeStatement
    weight: float


class Roles:
    """The roles of characters in one book. It matters who else has the same role."""

    def __init__(self, reading: IndexedBook) -> None:
        self._r = reading
        self._votes: dict[str, dict[str, list[_RoleVote]]] = defaultdict(lambda: defaultdict(list))
        for character in reading.people:
            for saying in sayings(reading, character, wanted=is_role):
                if saying.noun and not self._many(saying.word) and not self._signs(saying.word):
                    self._vote(character, saying)
        for character, saying in self._beside():
            self._votes[saying.lemma][character].append(_RoleVote(saying, _weight(saying)))

    def _vote(self, character: str, saying: AttributeStatement) -> None:
        """Add a vote. Appositions are left to `_beside`, which reads them better."""
        weight = 0.0 if saying.manner is AttributionManner.BESIDE else _weight(saying)
        if weight > 0:
            self._votes[saying.lemma][character].append(_RoleVote(saying, weight))

    def _beside(self) -> Iterator[tuple[str, AttributeStatement]]:
        """Match "Barrymore, the butler," whoever `the butler` alone was resolved to."""
        for s, nouns in self._r.sentences_with(role_words()):
            for n in nouns:
                if s.tag(n) != "NOUN" or self._many(n) or self._signs(n) or s.kids(n, "cop"):
                    continue
                for name in names_beside(self._r, s, n)[:1]:
                    who = self._r.who(name)
                    if who is not None:
                        at = s.span(n, n)
                        speaker = self._r.speaker_at(at.start)
                        yield (
                            who,
                            AttributeStatement(
                                n, s.lemma(n), True, AttributionManner.BESIDE, speaker, 1.0, at.start, at.end
                            ),
                        )

    def of(self, character: str) -> tuple[CharacterRole, ...]:
        found = [r for lemma in self._votes if (r := self._role(lemma, character)) is not None]
        titled = {role.head for role in found}
        found += [r for r in self._titles(character) if r.head not in titled]
        named = {word.casefold().strip(".") for word in self._r.people[character].name.split()}
        told = [r for r in found if r.head not in named]
        return tuple(sorted(told, key=lambda r: (-r.votes, r.head)))

    def _role(self, lemma: str, character: str) -> CharacterRole | None:
        votes = self._votes[lemma].get(character, [])
        if not votes:
            return None
        plain = [v for v in votes if v.saying.manner is not AttributionManner.CALLED]
        titled = lemma in set(self._title_nouns(character))
        whole = sum(v.weight for v in votes) + _TITLE * titled
        own = [v for v in plain if v.saying.speaker is None]
        few = self._r.people[character].mention_count <= _FEW
        if not titled and whole < (_LEAST_OF_FEW if few and own else _LEAST):
            return None
        places = {self._r.book.paragraph_at(v.saying.start) for v in plain}
        if lemma in words("passing_roles") and not titled:
            return None
        if not titled and plain and len(places) < 2 and len(votes) < 2 and not self._plainly(own, few=few):
            return None
        if not titled and self._share(lemma, character) < _MINE and len(own) < 2:
            return None
        if not own and not titled and len(places) < 2 and len(votes) < _CALLED:
            return None
        return self._made(lemma, votes, own or plain or votes, whole, called=not plain)

    def _plainly(self, own: list[_RoleVote], *, few: bool) -> bool:
        """Whether one sentence is enough: it has the name, or the character has few mentions."""
        return any(few or v.saying.trust == 1.0 for v in own)

    def _made(
        self, lemma: str, votes: list[_RoleVote], best: list[_RoleVote], whole: float, *, called: bool
    ) -> CharacterRole:
        told = Counter(phrase(self._r, v.saying.word) for v in best)
        text = max(told, key=lambda t: (told[t], len(t) if not called else -len(t)))
        at = [v.saying for v in best if phrase(self._r, v.saying.word) == text]
        the = [self._the(v.saying.word) for v in votes]
        speaker = None if any(v.saying.speaker is None for v in votes) else at[0].speaker
        cited = dict.fromkeys(self._r.cite(s.start) for s in at[:_CITED])
        unique = 2 * sum(the) > len(the)
        return CharacterRole(text, lemma, tuple(cited), whole, unique, called, speaker)

    def _many(self, word: int) -> bool:
        """Whether the noun is plural. "The officers" is nobody's role."""
        s = self._r.sentence_of(word)
        return s.word(word) != s.lemma(word)

    def _signs(self, word: int) -> bool:
        """Match "Your obedient servant", as letters end."""
        s = self._r.sentence_of(word)
        return s.lemma(word) == "servant" and any(s.word(k) in _DEVOTED for k in s.kids(word, "amod"))

    def _the(self, word: int) -> bool:
        s = self._r.sentence_of(word)
        return any(s.word(k) == "the" for k in s.kids(word, "det"))

    def _share(self, lemma: str, character: str) -> float:
        every = {who: sum(v.weight for v in votes) for who, votes in self._votes[lemma].items()}
        return every[character] / sum(every.values())

    def _titles(self, character: str) -> Iterator[CharacterRole]:
        """Yield the roles that titles express: Dr. Livesey is a doctor."""
        for noun in dict.fromkeys(self._title_nouns(character)):
            if self._r.people[character].mention_count:
                cited = (self._r.cite(self._titled_at(character)),)
                yield CharacterRole(noun, noun, cited, _TITLE)

    def _title_nouns(self, character: str) -> Iterator[str]:
        for alias in self._r.people[character].aliases:
            first, _, rest = alias.text.partition(" ")
            title = first.strip(".").casefold()
            noun = table("title_nouns").get(title, title)
            often = alias.count >= 0.05 * sum(a.count for a in self._r.people[character].aliases)
            if (
                rest[:1].isupper()
                and first[:1].isupper()
                and often
                and is_role(noun)
                and noun not in _unfit()
            ):
                yield noun

    def _titled_at(self, character: str) -> int:
        aliases = self._r.people[character].aliases
        return min(a.first for a in aliases if " " in a.text and a.text[:1].isupper())


def _weight(saying: AttributeStatement) -> float:
    weight = _WEIGHTS[saying.manner] * saying.trust
    return weight if saying.speaker is None else weight * _SPOKEN


@cache
def role_words() -> frozenset[str]:
    """Return the listed roles. Words that only have the ending of a role are recognised where they occur."""
    return words("roles") - words("passing_roles")


@cache
def is_role(noun: str) -> bool:
    """Whether a noun is an occupation or a station in life."""
    ends = any(noun.endswith(end) and noun != end for end in words("role_endings"))
    return noun in words("roles") or ends


@cache
def _unfit() -> frozenset[str]:
    """Return titles that express no role: the name contains them already, or a boy has them."""
    return words("passing_roles") | {rank.casefold() for rank in list_words("rank_titles")}
