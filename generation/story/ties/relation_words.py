"""The words for relations between people, with the inverse of each and the tie that it is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from coref.language.word_lists import table
from coref.traits.relation_phrases import relation_of
from generation.lexicon import rows
from retrieval.tokenizer import terms

_NONE = "-"
_TURNED = "~"
_SHE, _HE = "she/her", "he/him"


@dataclass(frozen=True, slots=True)
class RelationType:
    """A kind of relation, with the nouns for its holder."""

    name: str
    tie: str
    """What it is among the ties that readers know: `parent`, of a stepmother."""
    turned: bool
    """Whether the tie is the owner's: whoever has a daughter is a parent."""
    inverse: str | None
    she: str | None
    he: str | None
    anyone: str | None

    def term(self, pronouns: str | None) -> str | None:
        """Return the noun for the holder, or None if it depends on a gender that nobody knows."""
        if self.she == self.he:
            return self.she
        return self.she if pronouns == _SHE else self.he if pronouns == _HE else self.anyone


@cache
def relations() -> dict[str, RelationType]:
    found = {}
    for tie, name, *rest in rows("relations"):
        inverse, she, he, anyone = (None if word == _NONE else word for word in rest)
        plain = tie.removeprefix(_TURNED)
        found[name] = RelationType(name, plain.replace("_", " "), plain != tie, inverse, she, he, anyone)
    return found


@cache
def tie_names() -> tuple[str, ...]:
    return tuple(dict.fromkeys(relation.tie for relation in relations().values()))


@cache
def is_mutual(tie: str) -> bool:
    """Whether both are it to each other."""
    return not any(relation.tie == tie and relation.turned for relation in relations().values())


@cache
def usual(tie: str, *, turned: bool) -> RelationType:
    """Return the relation that a tie is from one person's side, or from the other's."""
    wanted = turned and not is_mutual(tie)
    return next(r for r in relations().values() if r.tie == tie and r.turned == wanted)


@cache
def _by_word() -> dict[str, RelationType]:
    return {word: r for r in relations().values() for word in (r.she, r.he, r.anyone) if word}


def meant_by(lemma: str) -> tuple[RelationType, str | None] | None:
    """Return the relation that a noun names, with the pronouns that it implies for its holder."""
    plainest = relation_of(lemma)
    relation = _by_word().get(plainest[1]) if plainest else None
    if relation is None or plainest is None:
        return None
    if relation.she == relation.he:
        return relation, None
    told = table("kin").get(lemma, "").split()[:1]
    gender = {"she": _SHE, "he": _HE}.get(told[0]) if told else None
    if gender is None and plainest[1] not in (None, relation.anyone):
        gender = _SHE if plainest[1] == relation.she else _HE
    return relation, gender


def asked_for(word: str) -> tuple[RelationType, str | None] | None:
    """Return the same for a word of a question, which may be a plural."""
    return next((found for lemma in (word.lower(), *terms(word)) if (found := meant_by(lemma))), None)


def fits(pronouns: str | None, implied: str | None) -> bool:
    """Whether somebody with these pronouns can be called by a word that implies others, or none."""
    return implied is None or pronouns not in (_SHE, _HE) or pronouns == implied


@cache
def relation_words() -> frozenset[str]:
    """Return every noun that names a relation, in lower case."""
    nouns = [noun for name in ("kin", "more_kin", "social") for noun in table(name)]
    return frozenset(noun for noun in nouns if meant_by(noun) is not None)
