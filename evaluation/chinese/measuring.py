"""How far the resolver finds the people, the mentions and the speakers of Chinese chapters marked by hand."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from books.types import Span
from coref.types import Annotations, MentionKind
from evaluation.chinese.gold import UNKNOWN, GoldChapter
from evaluation.coref.tallies import Sums

_NEVER_MARKED = frozenset(("自己", "自家"))
_PRONOUNS = frozenset("我你您他她它吾汝某余俺咱")


@dataclass(frozen=True, slots=True)
class MarkCounts(Sums):
    """Counts, and the shares that they give."""

    right: int = 0
    found: int = 0
    wanted: int = 0

    @property
    def precision(self) -> float:
        return self.right / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        return self.right / self.wanted if self.wanted else 0.0

    @property
    def f1(self) -> float:
        return 2 * self.right / (self.found + self.wanted) if self.found + self.wanted else 0.0


@dataclass(frozen=True, slots=True)
class ChineseScore(Sums):
    mentions: MarkCounts = MarkCounts()
    """Spans of names, titles and pronouns that are given to somebody."""
    people: MarkCounts = MarkCounts()
    """Of those with the same span: given to the right person, who is whoever a cluster mostly means."""
    names: MarkCounts = MarkCounts()
    """The mentions by a name or a title."""
    main: MarkCounts = MarkCounts()
    """Main people who are most of some cluster."""
    clusters: int = 0
    """Clusters that are mostly of a main person; one each would be best."""
    strangers: MarkCounts = MarkCounts()
    """Found people of whom no mention is one in the gold."""
    speakers: MarkCounts = MarkCounts()
    """Speeches with the right speaker."""


def measure(gold: GoldChapter, found: Annotations) -> ChineseScore:
    ours = {
        m.span: m
        for m in found.mentions
        if m.character and gold.has(m.span) and m.span.of(gold.text) not in _NEVER_MARKED
    }
    meant = _meant({span: str(m.character) for span, m in ours.items()}, gold.mentions)
    same = [span for span in ours if span in gold.mentions]
    named = {span for span in gold.mentions if not _is_pronoun(span, gold)}
    our_names = {span for span, m in ours.items() if m.kind is not MentionKind.PRONOUN}
    main = {who for who, person in gold.cast.items() if person.main and who in gold.mentions.values()}
    quotes = {quote.span: quote for quote in found.quotes}
    said = [(span, speaker) for span, (speaker, _) in gold.quotes.items() if speaker != UNKNOWN]
    heard = sum(span in quotes and meant.get(quotes[span].speaker or "") == speaker for span, speaker in said)
    people = {str(m.character) for m in ours.values()}
    return ChineseScore(
        MarkCounts(len(same), len(ours), len(gold.mentions)),
        MarkCounts(
            sum(meant.get(str(ours[s].character)) == gold.mentions[s] for s in same), len(same), len(same)
        ),
        MarkCounts(len(named & our_names), len(our_names), len(named)),
        MarkCounts(len(main & set(meant.values())), len(main), len(main)),
        sum(who in main for who in meant.values()),
        MarkCounts(len(people - set(meant)), len(people), len(people)),
        MarkCounts(heard, sum(span in quotes for span, _ in said), len(said)),
    )


@dataclass(frozen=True, slots=True)
class Agreement(Sums):
    """How far a second annotator agrees with the first where both have marked."""

    mentions: MarkCounts
    people: MarkCounts
    """Of the same spans: those by which both mean the same person."""
    speakers: MarkCounts


def agreement(one: GoldChapter, other: GoldChapter) -> Agreement:
    first = {span: who for span, who in one.mentions.items() if other.has(span)}
    second = {span: who for span, who in other.mentions.items() if one.has(span)}
    meant = _meant(second, first)
    same = [span for span in second if span in first]
    right = sum(meant[second[span]] == first[span] for span in same)
    said = [span for span in other.quotes if span in one.quotes]
    heard = sum(meant.get(other.quotes[span][0], UNKNOWN) == one.quotes[span][0] for span in said)
    return Agreement(
        MarkCounts(len(same), len(second), len(first)),
        MarkCounts(right, len(same), len(same)),
        MarkCounts(heard, len(said), len(said)),
    )


def _meant(theirs: Mapping[Span, str], gold: Mapping[Span, str]) -> dict[str, str]:
    """Return whom each cluster means most often, by the spans that are also in the gold."""
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for span, who in theirs.items():
        if span in gold:
            votes[who][gold[span]] += 1
    return {who: counts.most_common(1)[0][0] for who, counts in votes.items()}


def _is_pronoun(span: Span, gold: GoldChapter) -> bool:
    return len(span) == 1 and span.of(gold.text) in _PRONOUNS
