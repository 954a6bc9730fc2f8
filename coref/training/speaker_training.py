"""Learns speaker attribution from LitBank's quotations: weights for the evidence that `coref.speech` gathers.

The training maximises the likelihood of the known speaker of each quote, over all conversations of an excerpt
jointly. Speakers that are not annotated may be anybody. The sums are those used for attribution later.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from books.types import Span
from coref.language.word_lists import table
from coref.rules.resolver import RulesResolver
from coref.speech.attributed_speech import AttributedSpeech
from coref.speech.conversations import TurnCandidates, conversations
from coref.speech.speaker_sequence import NOBODY, ConversationOutcome, TurnLink, TurnStep, weigh
from coref.speech.speaker_weights import AGAIN, ANSWER, BACK, SpeakerModel
from coref.speech.speakers import attribute, prepared, steps_of
from coref.speech.turns import Turn
from coref.training.gold_scene import gold_scene
from coref.training.litbank_quotations import Excerpt, LitbankPlace, LitbankQuote, excerpt, meant
from coref.types import MentionKind

_SELDOM = 3
"""Less frequent evidence is not used."""
_AROUND = 3
"""Number of turns before the first known one and after the last that are included."""
_SURE = 0.9
_NEVER = -1e9
_ROUNDS = 60
_MISTAKEN: Final = {MentionKind.PRONOUN: 0.3, MentionKind.NOMINAL: 0.5}
"""Shares of wrong mentions in the gold scenes, about as many as resolvers get wrong."""
_LINKS = (AGAIN, BACK, ANSWER)


@dataclass(frozen=True, slots=True)
class SpeakerLesson:
    """Part of a conversation, with the candidates who may speak each turn."""

    asked: Sequence[TurnCandidates]
    right: Sequence[frozenset[int] | None]
    """Indices of candidates, several if a resolver split a person. None for a turn that is not annotated."""


@dataclass(frozen=True, slots=True)
class SpeakerScore:
    """Results on the turns whose speaker is known and among the candidates."""

    turns: int = 0
    right: int = 0
    sure: int = 0
    """Those for whose speaker the model's probability is at least 0.9."""
    sure_right: int = 0


def lessons(litbank: Path, novels: Path, names: Iterable[str]) -> list[SpeakerLesson]:
    found: list[SpeakerLesson] = []
    for name in names:
        given = excerpt(litbank, novels, name)
        if given.quotes:
            found += heard(given)
    return found


def heard(given: Excerpt) -> list[SpeakerLesson]:
    """Collect the lessons of one excerpt, by resolving its novel and observing the attribution."""
    found: list[SpeakerLesson] = []

    def listen(*told: Any, **more: Any) -> list[AttributedSpeech]:
        found.extend(taught(given.quotes, given.mentions, told, more))
        return attribute(*told, **more)

    RulesResolver(listen).annotate(given.book)
    return found


def taught(
    quotes: Sequence[LitbankQuote],
    mentions: Sequence[LitbankPlace],
    told: Sequence[Any],
    more: Mapping[str, Any],
) -> list[SpeakerLesson]:
    """Return the lessons of an excerpt, and the same with the gold mentions.

    `told` and `more` are the arguments of `attribute`.
    """
    tokens, spots, speeches, chapters = told
    found = _lessons_of(_Gold(quotes, meant(mentions, tokens, spots)), told, more)
    scene = gold_scene(mentions, tokens, mistaken=_MISTAKEN, seed=len(quotes))
    known = {"parties": scene.parties, "narrators": scene.narrators}
    return found + _lessons_of(
        _Gold(quotes, scene.entities), (tokens, scene.spots, speeches, chapters), known
    )


def _lessons_of(gold: _Gold, told: Sequence[Any], more: Mapping[str, Any]) -> list[SpeakerLesson]:
    _, turns, around = prepared(*told, **more)
    found = []
    for asked in conversations(turns, around):
        right = [gold.places(each) for each in asked]
        known = [at for at, places in enumerate(right) if places is not None]
        if known:
            first, end = max(0, known[0] - _AROUND), known[-1] + 1 + _AROUND
            found.append(SpeakerLesson(asked[first:end], right[first:end]))
    return found


class _Gold:
    def __init__(self, quotes: Sequence[LitbankQuote], meant: Mapping[int, str]) -> None:
        self._quotes, self._meant = quotes, meant
        self._starts = [quote.span.start for quote in quotes]

    def places(self, asked: TurnCandidates) -> frozenset[int] | None:
        """Return the candidates who speak: the last one, nobody, if it is none of them."""
        speaker = self._speaker(asked.turn)
        if speaker is None:
            return None
        theirs = (i for i, who in enumerate(asked.candidates) if self._meant.get(who) == speaker)
        return frozenset(theirs) or frozenset((asked.candidates.index(NOBODY),))

    def _speaker(self, turn: Turn) -> str | None:
        votes: Counter[str] = Counter()
        for said in turn.said:
            span = Span(said.speech.start, said.speech.end)
            at = bisect_right(self._starts, span.end)
            votes.update(
                quote.speaker for quote in self._quotes[max(0, at - 4) : at] if quote.span.overlaps(span)
            )
        return votes.most_common(1)[0][0] if votes else None


def score(model: SpeakerModel, given: Iterable[SpeakerLesson]) -> SpeakerScore:
    total = SpeakerScore()
    for lesson in given:
        outcome = weigh(steps_of(lesson.asked, model))
        for asked, right, likely in zip(lesson.asked, lesson.right, outcome.speakers, strict=True):
            if right is None or len(asked.candidates) - 1 in right:
                continue
            best = int(np.argmax(likely[:-1]))
            sure, hit = bool(likely[best] >= _SURE), best in right
            total = SpeakerScore(
                total.turns + 1, total.right + hit, total.sure + sure, total.sure_right + (sure and hit)
            )
    return total


@dataclass(slots=True)
class _Examples:
    """Lessons as numbers: a row of evidence for each candidate of each turn."""

    lessons: Sequence[SpeakerLesson]
    names: dict[str, int] = field(default_factory=dict)
    rows: csr_matrix | None = None
    starts: list[list[int]] = field(default_factory=list)

    @staticmethod
    def of(lessons: Sequence[SpeakerLesson]) -> _Examples:
        made = _Examples(lessons)
        seen: Counter[str] = Counter()
        for lesson in lessons:
            for asked in lesson.asked:
                for evidence in asked.evidence:
                    seen.update(name for name, _ in evidence)
                for respect in asked.follows or ():
                    seen.update(f"{link}|{respect}" for link in _LINKS)
        made.names = {name: i for i, name in enumerate(sorted(n for n in seen if seen[n] >= _SELDOM))}
        made._fill()
        return made

    def _fill(self) -> None:
        data: list[float] = []
        columns: list[int] = []
        ends = [0]
        for lesson in self.lessons:
            starts = []
            for asked in lesson.asked:
                starts.append(len(ends) - 1)
                for evidence in asked.evidence:
                    for name, value in evidence:
                        if name in self.names:
                            columns.append(self.names[name])
                            data.append(value)
                    ends.append(len(columns))
            self.starts.append(starts)
        self.rows = csr_matrix((data, columns, ends), shape=(len(ends) - 1, len(self.names)))


def learn(given: Sequence[SpeakerLesson], *, strictness: float) -> SpeakerModel:
    """Fit the weights. `strictness` is the cost of departing from `coref/data/speaker_beliefs.txt`."""
    examples = _Examples.of(given)
    believed = {name: float(weight) for name, weight in table("speaker_beliefs").items()}
    beliefs = np.array([believed.get(name, 0.0) for name in examples.names])
    found = minimize(
        lambda weights: _loss(examples, weights, beliefs, strictness),
        beliefs,
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": _ROUNDS},
    )
    learnt = {name: round(float(found.x[i]), 4) for name, i in examples.names.items()}
    return SpeakerModel(believed | learnt)


def _loss(
    examples: _Examples, weights: NDArray[np.float64], beliefs: NDArray[np.float64], strictness: float
) -> tuple[float, NDArray[np.float64]]:
    assert examples.rows is not None
    scores = examples.rows @ weights
    surplus = np.zeros(len(scores))
    change = weights - beliefs
    gradient = 2 * strictness * change
    loss = strictness * float(change @ change)
    for lesson, starts in zip(examples.lessons, examples.starts, strict=True):
        steps = [
            _step(examples, asked, scores[start : start + len(asked.candidates)], weights)
            for asked, start in zip(lesson.asked, starts, strict=True)
        ]
        free, told = weigh(steps), weigh(_right_steps(steps, lesson.right))
        loss += free.total - told.total
        for at, (asked, start) in enumerate(zip(lesson.asked, starts, strict=True)):
            surplus[start : start + len(asked.candidates)] += free.speakers[at] - told.speakers[at]
            _add_links(examples, asked, free, told, at, gradient)
    gradient += examples.rows.T @ surplus
    return loss, gradient


def _step(
    examples: _Examples, asked: TurnCandidates, scores: NDArray[np.float64], weights: NDArray[np.float64]
) -> TurnStep:
    if asked.follows is None:
        return TurnStep(asked.candidates, scores, None)
    again, back, answer = (
        sum(weights[examples.names[name]] for r in asked.follows if (name := f"{link}|{r}") in examples.names)
        for link in _LINKS
    )
    return TurnStep(asked.candidates, scores, TurnLink(again, back, answer, frozenset(asked.turn.called)))


def _right_steps(steps: Sequence[TurnStep], right: Sequence[frozenset[int] | None]) -> list[TurnStep]:
    """Return the steps with all but the right candidates excluded."""
    found = []
    for step, places in zip(steps, right, strict=True):
        scores = step.scores
        if places is not None:
            out = [place not in places for place in range(len(scores))]
            scores = np.where(out, _NEVER, scores)
        found.append(TurnStep(step.candidates, scores, step.link))
    return found


def _add_links(
    examples: _Examples,
    asked: TurnCandidates,
    free: ConversationOutcome,
    told: ConversationOutcome,
    at: int,
    gradient: NDArray[np.float64],
) -> None:
    for link, more, less in zip(_LINKS, free.links[at], told.links[at], strict=True):
        for respect in asked.follows or ():
            name = f"{link}|{respect}"
            if name in examples.names:
                gradient[examples.names[name]] += more - less
