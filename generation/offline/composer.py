"""The offline generator: descriptions, analyses and joint descriptions from the book's own evidence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from time import perf_counter

from generation import counts
from generation.audience import tell
from generation.cast import Cast, cast_of
from generation.offline import points
from generation.offline.clauses import Clause, Kind
from generation.offline.dossier import Dossier
from generation.offline.points import Point, Topic
from generation.offline.text import LONGEST_LEAD, Writer, merged
from generation.offline.wording import Wording
from generation.protocols import Audience
from generation.types import Citation, Draft, Limits, Plan, Prompt, Sentence, Task, Usage

NAME = "offline/2"
EVIDENT = 0.6
"""Share of the words wanted below which an answer ends with something counted."""


class OfflineGenerator:
    """Says again, plainly, what the book says; the same prompt gives the same draft, whatever the seed."""

    @property
    def name(self) -> str:
        return NAME

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    @property
    def prompts(self) -> str | None:
        return None

    def room(self, task: Task, limits: Limits) -> int | None:  # noqa: ARG002 - the protocol
        return None

    def plan(self, prompts: Sequence[Prompt], limits: Limits) -> Plan:  # noqa: ARG002 - the protocol
        return Plan()

    def generate(
        self, prompts: Sequence[Prompt], limits: Limits, *, audience: Audience | None = None
    ) -> list[Draft]:
        drafts = [self._draft(prompt, limits) for prompt in prompts]
        tell(audience, drafts)
        return drafts

    def _draft(self, prompt: Prompt, limits: Limits) -> Draft:
        start = perf_counter()
        cast = cast_of(prompt.book, prompt.annotations)
        about = [Dossier(cast, character, passages=prompt.passages) for character in prompt.characters]
        if prompt.task is Task.JOINT:
            sentences = [s for d in about for s in _entry(d, limits.words)]
            sentences += _shared(prompt, cast)
        elif prompt.task is Task.ANALYSIS:
            sentences = _analysis(about[0], limits.words)
        else:
            sentences = _description(about[0], limits.words)
        read = sum(len(p.text.split()) for p in prompt.passages)
        written = sum(len(s.text.split()) for s in sentences)
        return Draft(tuple(sentences), NAME, Usage(read, written, 0, perf_counter() - start))


def _description(dossier: Dossier, words: int) -> list[Sentence]:
    wording = Wording(dossier.character, dossier.cast.by_id)
    who = list(points.identity(dossier))
    said = list(points.opinions(dossier, most=1))
    like = [*points.nature(dossier, wording, most=2)][:2] or []
    deeds = _told(dossier.events(most=max(2, words // 13)), wording, Topic.DOES)
    wanted = [*who, *like, *said[: 2 - len(like)], *deeds, *points.renamed(dossier)]
    chosen = _within(wanted, words, wording)
    counted = [*points.company(dossier), *points.course(dossier), *points.standing(dossier)]
    if sum(_cost(p, wording) for p in chosen) < EVIDENT * words:
        chosen = _within([*chosen, *counted[:1]], words, wording)
    return _writer(dossier, wording).section(_ordered(chosen or counted[-1:]))


def _told(found: Sequence[Clause], wording: Wording, topic: Topic) -> list[Point]:
    """In story order; two short ones of one chapter become one."""
    ordered = sorted(found, key=lambda c: c.line.span)
    return merged([points.happening(clause, wording, topic) for clause in ordered])


def _ordered(chosen: Sequence[Point]) -> list[Point]:
    """Who and what like, then what happens in story order, then the rest."""
    told = sorted((p for p in chosen if p.chapter is not None), key=lambda p: p.citations[0].span)
    first = [p for p in chosen if p.chapter is None and p.topic in (Topic.WHO, Topic.LIKE)]
    ordered = [*first, *told, *(p for p in chosen if p.chapter is None and p not in first)]
    opening = next((at for at, p in enumerate(ordered) if p.subject is None), 0)
    return [*ordered[opening : opening + 1], *ordered[:opening], *ordered[opening + 1 :]]


def _analysis(dossier: Dossier, words: int) -> list[Sentence]:
    """A section for each thing that the book has something to say on."""
    wording = Wording(dossier.character, dossier.cast.by_id)
    writer, left, made = _writer(dossier, wording), words, []
    for heading, found in _sections(dossier, wording, words):
        chosen = _within(found, left, wording) if found and left > 0 else []
        made += writer.section(chosen, heading=heading)
        left = words - sum(len(s.text.split()) for s in made)
    return made


def _sections(dossier: Dossier, wording: Wording, words: int) -> list[tuple[str, list[Point]]]:
    many = max(2, words // 60)
    who = wording.subject if wording.has_pronoun else wording.short
    ties = points.relations(dossier, most=many // 2)
    deeds = dossier.events(most=many, kinds=(Kind.DEED, Kind.SPEECH), beside=ties)
    minds = dossier.events(most=many // 2, kinds=(Kind.MIND,), beside=(*ties, *deeds))
    feels = points.feelings(dossier, wording, most=many // 3)
    inner = [*_told(minds, wording, Topic.THINKS), *feels]
    identity = [*points.identity(dossier, most=2), *points.standing(dossier)]
    return [
        (f"Who {who} is", identity),
        (
            f"What {who} is like",
            [*points.nature(dossier, wording, most=4), *points.opinions(dossier, most=4)],
        ),
        (f"What {who} does", _told(deeds, wording, Topic.DOES)),
        (f"What {who} thinks and feels", sorted(inner, key=lambda p: p.citations[0].span)),
        (f"{wording.short} and the others", _told(ties, wording, Topic.OTHERS)),
        (
            f"The course of the story for {wording.short}",
            [*points.renamed(dossier), *(list(points.change(dossier)) or list(points.company(dossier)))],
        ),
    ]


def _entry(dossier: Dossier, words: int) -> list[Sentence]:
    """One person of a joint description: who they are, and the weightiest thing they do."""
    wording = Wording(dossier.character, dossier.cast.by_id)
    deeds = _told(dossier.events(most=2), wording, Topic.DOES)
    wanted = [*points.identity(dossier), *list(points.nature(dossier, wording, most=1))[:1], *deeds]
    counted = [*points.company(dossier), *points.course(dossier)]
    chosen = _within(wanted if len(wanted) > 1 else [*wanted, *counted[:2]], words, wording)
    return _writer(dossier, wording).section(_ordered(chosen), heading=dossier.character.name)


def _shared(prompt: Prompt, cast: Cast) -> list[Sentence]:
    """What the people of a joint description have in common: which two the book has together most."""
    if len(prompt.characters) < 3:
        return []
    best = counts.closest([c.id for c in prompt.characters[: counts.MOST_COMPARED]], cast)
    if best is None:
        return []
    one, other = cast.by_id[best[0]], cast.by_id[best[1]]
    at = next(p for p in cast.paragraphs_of(one.id) if p in set(cast.paragraphs_of(other.id)))
    cited = (Citation(cast.book.paragraphs[at].span, cast.book.paragraphs[at].chapter),)
    text = f"Of these people, {one.name} and {other.name} are most often seen together."
    return [Sentence(text, cited, "Together", (one.id, other.id))]


def _within(wanted: Iterable[Point], words: int, wording: Wording) -> list[Point]:
    """The first points that surely fit; never none, since a short honest answer is better than silence."""
    chosen: list[Point] = []
    left = words - (len(wording.opening.split()) - max(len(wording.short.split()), 1))
    for point in wanted:
        cost = _cost(point, wording)
        if cost <= left or not chosen:
            chosen.append(point)
            left -= cost
    return chosen


def _cost(point: Point, wording: Wording) -> int:
    """Words of the sentence at most."""
    subject = point.subject or wording.short
    lead = LONGEST_LEAD if point.chapter is not None else 0
    return max(len(subject.split()), 1) + len(point.predicate.split()) + lead


def _writer(dossier: Dossier, wording: Wording) -> Writer:
    return Writer(wording, character=dossier.character.id, chapters=len(dossier.cast.book.chapters))
