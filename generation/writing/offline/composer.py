"""The offline generator: descriptions, analyses and joint descriptions from the book's own evidence."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

from coref.types import Character
from generation.story import counts
from generation.story.cast import CastIndex, cast_of
from generation.story.dossier_builder import make
from generation.story.sentence_grammar import grammar_of
from generation.types import AnswerLimits, Citation, Draft, Prompt, Sentence, Task, Usage
from generation.writing.modelless import Modelless
from generation.writing.offline import planning
from generation.writing.offline.clause_retelling import Clauses
from generation.writing.offline.event_points import EventSelection
from generation.writing.offline.name_choice import NameChoice
from generation.writing.offline.planning import PlannedSection, TextSubject
from generation.writing.offline.realising import SentenceRealiser

NAME = "offline/4"


class OfflineGenerator(Modelless):
    """Restate plainly what the book says. The same prompt and seed give the same draft."""

    @property
    def name(self) -> str:
        return NAME

    def draft(self, prompt: Prompt, limits: AnswerLimits) -> Draft:
        start = perf_counter()
        sentences = _sentences(prompt, limits)
        read = sum(len(p.text.split()) for p in prompt.passages)
        written = sum(len(s.text.split()) for s in sentences)
        return Draft(tuple(sentences), NAME, Usage(read, written, 0, perf_counter() - start))


def _sentences(prompt: Prompt, limits: AnswerLimits) -> list[Sentence]:
    cast = cast_of(prompt.context.book, prompt.context.annotations)
    naming = NameChoice(cast)
    people = [_subject(prompt, cast, naming, character, limits) for character in prompt.context.people]
    if prompt.task is Task.JOINT:
        entries = [_written(s, planning.entry(s, limits.words), limits.words) for s in people]
        return [s for entry in entries for s in entry] + _shared(prompt, cast)
    plan = planning.analysis if prompt.task is Task.ANALYSIS else planning.description
    return _written(people[0], plan(people[0], limits.words), limits.words)


def _subject(
    prompt: Prompt, cast: CastIndex, naming: NameChoice, character: Character, limits: AnswerLimits
) -> TextSubject:
    dossier = make(prompt.context.book, prompt.context.annotations, character.id)
    grammar = grammar_of(cast)
    return TextSubject(
        dossier=dossier,
        deeds=EventSelection(dossier, cast, Clauses(grammar) if grammar else None, passages=prompt.passages),
        naming=naming,
        cast=cast,
        whole=prompt.context.upto is None,
        seed=limits.seed,
    )


def _written(subject: TextSubject, sections: Sequence[PlannedSection], words: int) -> list[Sentence]:
    """Return as many sentences as the words allow, but at least one."""
    teller = SentenceRealiser(subject.naming, subject.id)
    made: list[Sentence] = []
    for section in sections:
        heading = section.heading
        teller.open()
        for points in section.sentences:
            sentence = teller.sentence(points, heading=heading, room=words if made else None)
            if sentence is None:
                continue
            made.append(sentence)
            words -= len(sentence.text.split())
            heading = None
    return made


def _shared(prompt: Prompt, cast: CastIndex) -> list[Sentence]:
    """Return what the people of a joint description have in common: the two who are most often together."""
    if len(prompt.context.people) < 3:
        return []
    best = counts.closest([c.id for c in prompt.context.people[: counts.MOST_COMPARED]], cast)
    if best is None:
        return []
    one, other = cast.by_id[best[0]], cast.by_id[best[1]]
    at = next(p for p in cast.paragraphs_of(one.id) if p in set(cast.paragraphs_of(other.id)))
    cited = (Citation(cast.book.paragraphs[at].span, cast.book.paragraphs[at].chapter),)
    text = f"Of these people, {one.name} and {other.name} are most often seen together."
    return [Sentence(text, cited, "Together", (one.id, other.id))]
