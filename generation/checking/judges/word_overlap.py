"""Judge whether a sentence of the book says the same as a claim in the same words.

This is strict on purpose: a claim is supported only by a sentence, or two consecutive ones, with its content
words, people, polarity, numbers and direction. It needs no parser. For a book that is not parsed it is the
only comparison, and for any other book one of several.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from generation.checking.categories import is_verb
from generation.checking.judges.sentence_content import SentenceContent, read_claim, read_evidence, read_pairs
from generation.checking.judges.sentence_relations import inverses
from generation.checking.types import Evidence
from generation.lexicon import rows, table, words
from generation.types import Citation, Claim, Label
from generation.verbs import stem

ENOUGH = 0.79
"""Minimum share of a claim's content words, by weight, in a sentence that supports it."""
SIBLINGS = frozenset({"sister", "brother"})
ONLY = frozenset({"father", "mother", "husband", "wife"})
"""Relatives that a person has only one of."""
LIGHT = 0.4
"""Weight of a word like "thing" relative to one like "poison"."""
DOUBT = 0.5
"""Minimum share of the words in a sentence that makes the claim uncertain."""


@dataclass(frozen=True, slots=True)
class _Finding:
    label: Label
    score: float
    reading: SentenceContent


def verdict(claim: Claim, evidence: Sequence[Evidence]) -> tuple[Label, float, tuple[Citation, ...]]:
    """Return a verdict from the words of single sentences and of pairs: its label, score and citations."""
    findings = list(_findings(claim, evidence))
    if not any(f.label in (Label.SUPPORTED, Label.CONTRADICTED) for f in findings):
        findings += _pairs(claim, evidence)
        findings += _inferred(claim, evidence)
    best = max(findings, key=_rank, default=None)
    if best is None:
        return Label.UNSUPPORTED, 1.0, ()
    same = [f for f in findings if f.label is best.label and f.score >= best.score]
    shown = () if best.label is Label.UNSUPPORTED else _citations(same[:3])
    return best.label, best.score, shown


def _rank(finding: _Finding) -> tuple[int, float]:
    """Return a sort key by which support outweighs contradiction, and contradiction outweighs doubt."""
    order = (Label.UNSUPPORTED, Label.UNCERTAIN, Label.CONTRADICTED, Label.SUPPORTED)
    return order.index(finding.label), finding.score


def _citations(findings: Sequence[_Finding]) -> tuple[Citation, ...]:
    cited = (Citation(f.reading.line.span, f.reading.line.chapter) for f in findings)
    return tuple(dict.fromkeys(cited))


def _findings(claim: Claim, evidence: Sequence[Evidence]) -> Iterator[_Finding]:
    said, chapter = read_claim(claim)
    for one in evidence:
        before: frozenset[str] = frozenset()
        for reading in read_evidence(one, claim):
            yield _compare(claim, said, reading, chapter=chapter, near=before)
            before = reading.people


def _pairs(claim: Claim, evidence: Sequence[Evidence]) -> Iterator[_Finding]:
    """Yield support from two consecutive sentences. Pairs that do not support the claim are ignored."""
    said, chapter = read_claim(claim)
    for one in evidence:
        for reading in read_pairs(one, claim):
            found = _compare(claim, said, reading, chapter=chapter, near=frozenset())
            if found.label is Label.SUPPORTED:
                yield found


def _inferred(claim: Claim, evidence: Sequence[Evidence]) -> Iterator[_Finding]:
    """Yield support for siblings from sentences that give both of them the same mother or father."""
    said, _ = read_claim(claim)
    wanted = {
        frozenset((r.holder.character, r.owner.character)) for r in said.relations if r.term in SIBLINGS
    }
    parents: dict[tuple[str, str], dict[str, SentenceContent]] = {}
    for one in evidence if wanted else ():
        for reading in read_evidence(one, claim):
            for seen in reading.relations:
                if seen.term in ONLY:
                    key = (seen.holder.character, seen.term)
                    parents.setdefault(key, {})[seen.owner.character] = reading
    for children in parents.values():
        if any(pair <= children.keys() for pair in wanted):
            yield from (_Finding(Label.SUPPORTED, 1.0, reading) for reading in children.values())


def _compare(
    claim: Claim, said: SentenceContent, found: SentenceContent, *, chapter: int | None, near: frozenset[str]
) -> _Finding:
    related = _kinship(said, found)
    if related is not None:
        return _Finding(related, 1.0, found)
    wanted = list(said.stems)
    opposite = _opposite(wanted, found)
    hits = [w for w in wanted if w not in opposite and found.find(w)]
    share = _weigh([*hits, *opposite]) / _weigh(wanted) if wanted else 0.0
    if claim.subject is None or share < DOUBT:
        return _Finding(Label.UNSUPPORTED, 1 - share, found)
    if claim.subject not in found.people:
        label = Label.UNCERTAIN if claim.subject in near and share >= ENOUGH else Label.UNSUPPORTED
        return _Finding(label, DOUBT * share, found)
    label = _settle(claim, said, found, hits=hits, opposite=opposite, share=share)
    if chapter is not None and chapter != found.line.chapter and label is Label.SUPPORTED:
        label = Label.CONTRADICTED
    if said.relations and label is not Label.UNSUPPORTED:
        label = Label.UNCERTAIN
    return _Finding(label, share if label is not Label.UNCERTAIN else DOUBT, found)


def _settle(
    claim: Claim,
    said: SentenceContent,
    found: SentenceContent,
    *,
    hits: list[str],
    opposite: list[str],
    share: float,
) -> Label:
    """Return the label of a sentence that shares enough words, by people, polarity, numbers and direction."""
    head = hits[0] if hits else opposite[0]
    agents = _agents(said, found, head if hits else stem_of_opposite(head, found))
    if claim.subject not in agents:
        deed = any(is_verb(said.tokens[at].lower()) for at in said.stems.get(head, ()))
        swapped = bool(agents & said.people) and share >= ENOUGH and deed
        return Label.CONTRADICTED if swapped else Label.UNSUPPORTED
    if share < ENOUGH:
        return Label.UNCERTAIN
    if bool(opposite) != _negation_differs(said, found, hits):
        return Label.CONTRADICTED
    if not opposite and _denies(said, said.stems) != _denies(found, hits):
        return Label.UNCERTAIN
    if said.numbers != found.numbers & said.numbers:
        return Label.CONTRADICTED if found.numbers else Label.UNCERTAIN
    return Label.SUPPORTED if said.people <= found.people else Label.UNCERTAIN


def _weigh(stems: Iterable[str]) -> float:
    return sum(LIGHT if word in _light() else 1.0 for word in stems)


@cache
def _light() -> frozenset[str]:
    return frozenset(map(stem, words("light_words")))


def _agents(said: SentenceContent, found: SentenceContent, head: str) -> frozenset[str]:
    """Return who may be the subject of the claim's first content word in the sentence."""
    passive = any(said.passive(at) for at in said.stems.get(head, ()))
    agents: set[str] = set()
    for at in found.find(head):
        agent = found.agent(at)
        if found.passive(at) == passive:
            agents |= {agent} if agent else set()
        elif agent:
            agents |= found.people - {agent}
    alone = found.people if len(found.people) == 1 else frozenset()
    return frozenset(agents) or alone


def _negation_differs(said: SentenceContent, found: SentenceContent, hits: Sequence[str]) -> bool:
    """Whether the first shared word, if possible a verb, is denied in only one of the two."""
    word = next((w for w in hits if _verbal(said, w) or _verbal(found, w)), hits[0] if hits else None)
    if word is None:
        return False
    here = {said.negated(at) for at in said.stems[word]}
    return not here & {found.negated(at) for at in found.find(word)}


def _denies(reading: SentenceContent, about: Iterable[str]) -> bool:
    """Whether any of these words is in the scope of a negation."""
    return any(reading.negated(at) for word in about for at in reading.find(word))


def _verbal(reading: SentenceContent, word: str) -> bool:
    return any(is_verb(reading.tokens[at].lower()) for at in reading.find(word))


def _opposite(wanted: Sequence[str], found: SentenceContent) -> list[str]:
    """Return the words of the claim whose opposite, and not the word itself, is in the sentence."""
    return [w for w in wanted if w not in found.stems and antonyms().get(w, frozenset()) & found.stems.keys()]


def stem_of_opposite(word: str, found: SentenceContent) -> str:
    return next(iter(sorted(antonyms()[word] & found.stems.keys())))


def _kinship(said: SentenceContent, found: SentenceContent) -> Label | None:
    """Compare relations and their direction, so that a son is not taken for his father's father."""
    for claimed in said.relations:
        pair = (claimed.holder.character, claimed.owner.character)
        for seen in found.relations:
            here = (seen.holder.character, seen.owner.character)
            if here == pair:
                return _same_way(claimed.term, seen.term)
            if here == pair[::-1]:
                return _other_way(claimed.term, seen.term)
    return None


def _same_way(claimed: str, seen: str) -> Label | None:
    if claimed == seen:
        return Label.SUPPORTED
    both = claimed in table("kin") and seen in table("kin")
    return Label.CONTRADICTED if both and seen not in ("child", "twin", "widow", "widower") else None


def _other_way(claimed: str, seen: str) -> Label | None:
    """Compare a claimed relation with one stated in the other direction."""
    if claimed in inverses(seen) or seen in inverses(claimed):
        return Label.SUPPORTED
    return Label.CONTRADICTED if claimed in table("kin") and seen in table("kin") else None


@cache
def antonyms() -> dict[str, frozenset[str]]:
    pairs: dict[str, set[str]] = {}
    for one, other in rows("antonyms"):
        pairs.setdefault(stem(one), set()).add(stem(other))
        pairs.setdefault(stem(other), set()).add(stem(one))
    return {word: frozenset(others) for word, others in pairs.items()}
