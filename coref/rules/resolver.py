"""The rules resolver, step by step: fast, explainable and without a model, the fallback that always works."""

from __future__ import annotations

from collections.abc import Sequence

from books.types import Book, Span
from coref.census import recount
from coref.language.tokens import Tokens, paragraph_of, tokenize
from coref.languages import refuse_foreign
from coref.names import person_candidates
from coref.names.cast_building import Cast, draw_up, find_roles
from coref.names.character_list import characters_of, ids_of
from coref.names.gender import after_names, find_genders, lean
from coref.names.name_uses import NameUse
from coref.names.person_candidates import MentionCandidate
from coref.names.stories import part_by_story
from coref.protocols import Progress
from coref.resolver_names import RULES
from coref.speech import (
    direct_speech,
    inside_quotes,
    letter_writers,
    narration,
    narrators,
    play_speakers,
    speakers,
)
from coref.speech.attributed_speech import AttributedSpeech, quotes_of
from coref.speech.name_survey import study
from coref.types import Annotations, Mention

_STAGES = {
    "words": 0.1,
    "speech": 0.15,
    "names": 0.3,
    "cast": 0.4,
    "narration": 0.7,
    "speakers": 0.8,
    "quotes": 0.95,
}


class RulesResolver:
    """Resolves by names, titles, nicknames, gender, nearest antecedents, verbs of speech and turns."""

    def __init__(self, attribute: speakers.Attribute = speakers.attribute) -> None:
        """`attribute` attributes speech to speakers. Training passes its own to observe the arguments."""
        self._attribute = attribute

    @property
    def name(self) -> str:
        return RULES

    def annotate(self, book: Book, *, progress: Progress | None = None) -> Annotations:
        refuse_foreign(book)
        tell = progress or (lambda _: None)
        tokens = tokenize(book)
        tell(_STAGES["words"])
        heard = (
            play_speakers.find_speech(book, tokens) if book.play else direct_speech.find_speech(book, tokens)
        )
        tell(_STAGES["speech"])
        names = study(book, tokens)
        tell(_STAGES["names"])
        cast = draw_up(tokens, names.uses, names.evidence, lean(after_names(tokens, names.uses)))
        part_by_story(cast, names.uses, [book.paragraphs[at].chapter for at in paragraph_of(tokens)])
        names.labels.enter(cast)
        every = _all_spots(tokens, names.uses, cast, names.labels)
        find_genders(cast.people, cast.roles, tokens, every)
        if book.play:
            told_by = narrators.nobody(book)
        else:
            told_by = narrators.find_tellers(book, tokens, cast, spots=every, uses=names.uses)
        tell(_STAGES["cast"])
        said = _read(book, tokens, cast, every, heard, told_by, names.labels, tell, self._attribute)
        annotations = _assemble(book, tokens, cast, every, said, told_by.main)
        tell(1.0)
        return annotations


def _all_spots(
    tokens: Tokens, found: Sequence[NameUse], cast: Cast, labels: play_speakers.SpeakerLabels
) -> list[MentionCandidate]:
    names = person_candidates.name_spots(tokens, found, cast.options)
    taken = bytearray(len(tokens))
    for use in found:
        taken[use.first : use.end] = b"\1" * (use.end - use.first)
    ends = {spot.end: spot for spot in names}
    nominals = person_candidates.nominal_spots(tokens, taken, ends)
    find_roles(cast, nominals, length=len(tokens))
    cast.roles.update(labels.roles)
    every = person_candidates.in_order(names, nominals, person_candidates.pronoun_spots(tokens))
    person_candidates.own(every)
    return every


def _read(
    book: Book,
    tokens: Tokens,
    cast: Cast,
    every: Sequence[MentionCandidate],
    heard: Sequence[direct_speech.DirectSpeech],
    told_by: letter_writers.Tellers,
    labels: play_speakers.SpeakerLabels,
    tell: Progress,
    attribute: speakers.Attribute,
) -> list[AttributedSpeech]:
    chapters = [p.chapter for p in book.paragraphs]
    paragraphs = paragraph_of(tokens)
    reading = narration.NarrationKnowledge.of(cast, tokens)
    share = (_STAGES["narration"] - _STAGES["cast"]) / max(len(book.chapters), 1)
    narration.read_narration(
        reading,
        every,
        narrators=told_by.by_paragraph,
        chapters=chapters,
        paragraphs=paragraphs,
        tell=lambda chapter: tell(_STAGES["cast"] + share * chapter),
    )
    tell(_STAGES["narration"])
    if book.play:
        said = play_speakers.attribute(tokens, every, heard, chapters, labels)
    else:
        said = attribute(
            tokens,
            every,
            heard,
            chapters,
            parties=dict(enumerate(cast.people)),
            narrators=told_by.by_paragraph,
        )
        letter_writers.sign(said, tokens, told_by)
    tell(_STAGES["speakers"])
    inside_quotes.read_quotes(reading, every, said, chapters=chapters, paragraphs=paragraphs)
    tell(_STAGES["quotes"])
    return said


def _assemble(
    book: Book,
    tokens: Tokens,
    cast: Cast,
    every: Sequence[MentionCandidate],
    said: Sequence[AttributedSpeech],
    teller: int | None,
) -> Annotations:
    ids = ids_of(tokens, cast, every, teller, chapters=[p.chapter for p in book.paragraphs])
    mentions = _mentions(tokens, every, ids)
    characters = recount(characters_of(tokens, cast, every, ids), mentions)
    quotes = quotes_of(said, ids)
    return Annotations(RULES, characters, mentions, quotes, ids.get(-1 if teller is None else teller))


def _mentions(tokens: Tokens, every: Sequence[MentionCandidate], ids: dict[int, str]) -> tuple[Mention, ...]:
    found = (
        Mention(
            Span(tokens.starts[s.first], tokens.ends[s.end - 1]),
            s.kind,
            ids.get(-1 if s.who is None else s.who),
            tokens.surface(s.first, s.end),
        )
        for s in every
    )
    return tuple(sorted(found, key=lambda m: m.key))
