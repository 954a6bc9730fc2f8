"""The offline generator: descriptions, analyses and joint descriptions from the book's own evidence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from time import perf_counter

from generation import counts
from generation.cast import Cast, cast_of
from generation.offline import points
from generation.offline.clauses import Kind
from generation.offline.dossier import Dossier
from generation.offline.points import Point, Topic
from generation.offline.text import LONGEST_LEAD, Writer
from generation.offline.wording import Wording
from generation.types import Citation, Draft, Limits, Prompt, Sentence, Task, Usage

NAME = "offline/1"


class OfflineGenerator:
    """Says again, plainly, what the book says; the same prompt gives the same draft, whatever the seed."""

    @property
    def name(self) -> str:
        return NAME

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def generate(self, prompts: Sequence[Prompt], limits: Limits) -> list[Draft]:
        return [self._draft(prompt, limits) for prompt in prompts]

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
    many = max(2, words // 20)
    who = list(points.identity(dossier)) or list(points.standing(dossier))
    like = [*points.nature(dossier, most=3), *points.opinions(dossier, most=1)]
    does = list(points.happenings(dossier, wording, topic=Topic.DOES, kind=Kind.DEED, most=many))
    thinks = list(points.happenings(dossier, wording, topic=Topic.THINKS, kind=Kind.MIND, most=1))
    later = [*points.renamed(dossier), *points.company(dossier)]
    wanted = [*who, *like[:1], *does, *thinks, *later, *points.course(dossier)]
    return _writer(dossier, wording).section(_ordered(_within(wanted, words, wording)))


def _ordered(chosen: Sequence[Point]) -> list[Point]:
    """Who and what like, then what happens in story order, then the rest; never a deed for an opening."""
    told = sorted((p for p in chosen if p.chapter is not None), key=lambda p: p.citations[0].span)
    first = [p for p in chosen if p.chapter is None and p.topic in (Topic.WHO, Topic.LIKE)]
    rest = [p for p in chosen if p.chapter is None and p.topic not in (Topic.WHO, Topic.LIKE)]
    return [*first, *told, *rest] if first else [*rest[-1:], *told, *rest[:-1]]


def _analysis(dossier: Dossier, words: int) -> list[Sentence]:
    """A section for each thing that the book has something to say on."""
    wording = Wording(dossier.character, dossier.cast.by_id)
    many = max(2, words // 60)
    who, sections = wording.subject if wording.has_pronoun else wording.short, []
    sections.append((f"Who {who} is", [*points.identity(dossier), *points.standing(dossier)]))
    like = [*points.nature(dossier, most=5), *points.opinions(dossier, most=4)]
    sections.append((f"What {who} is like", like))
    deeds = points.happenings(dossier, wording, topic=Topic.DOES, kind=Kind.DEED, most=many)
    sections.append((f"What {who} does", list(deeds)))
    minds = points.happenings(dossier, wording, topic=Topic.THINKS, kind=Kind.MIND, most=many // 2)
    feels = points.feelings(dossier, wording, most=many // 3)
    inner = sorted((*minds, *feels), key=lambda p: p.citations[0].span)
    sections.append((f"What {who} thinks and feels", inner))
    sections.append((f"{wording.short} and the others", list(points.company(dossier))))
    sections.append(
        (f"The course of the story for {wording.short}", [*points.renamed(dossier), *points.course(dossier)])
    )
    writer, left, made = _writer(dossier, wording), words, []
    for heading, found in sections:
        chosen = _within(found, left, wording) if found and left > 0 else []
        made += writer.section(chosen, heading=heading)
        left = words - sum(len(s.text.split()) for s in made)
    return made


def _entry(dossier: Dossier, words: int) -> list[Sentence]:
    """One person of a joint description: who they are, and the weightiest thing they do."""
    wording = Wording(dossier.character, dossier.cast.by_id)
    who = list(points.identity(dossier))
    does = list(points.happenings(dossier, wording, topic=Topic.DOES, kind=Kind.DEED, most=2))
    chosen = _within([*who, *does, *points.company(dossier), *points.course(dossier)], words, wording)
    return _writer(dossier, wording).section(chosen, heading=dossier.character.name)


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
    subject = max(len(wording.short.split()), 1)
    left = words - (len(wording.opening.split()) - subject)
    for point in wanted:
        cost = subject + len(point.predicate.split()) + (LONGEST_LEAD if point.chapter is not None else 0)
        if cost <= left or not chosen:
            chosen.append(point)
            left -= cost
    return chosen


def _writer(dossier: Dossier, wording: Wording) -> Writer:
    return Writer(wording, character=dossier.character.id, chapters=len(dossier.cast.book.chapters))
