"""What is known of a book before the network reads it: words, direct speech and uses of names."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from books.types import Book
from coref.language.tokens import Tokens, paragraph_of, tokenize
from coref.names import person_cues
from coref.names.name_uses import NameUse, ProperName
from coref.names.person_cues import NameEvidence
from coref.native.book_words import BookWords, words_of
from coref.native.document import Range, SpeechState
from coref.native.spoken_words import speech_of
from coref.speech import direct_speech, play_speakers
from coref.speech.direct_speech import DirectSpeech
from coref.speech.name_survey import study
from coref.speech.play_speakers import SpeakerLabels


@dataclass(slots=True)
class Groundwork:
    book: Book
    tokens: Tokens
    words: BookWords
    heard: list[DirectSpeech]
    labels: SpeakerLabels
    uses: list[NameUse]
    evidence: dict[ProperName, NameEvidence]
    paragraphs: list[int]
    """The paragraph of each token."""

    @property
    def chapters(self) -> list[int]:
        """The chapter of each paragraph."""
        return [paragraph.chapter for paragraph in self.book.paragraphs]

    @property
    def chapter_of_token(self) -> list[int]:
        chapters = self.chapters
        return [chapters[paragraph] for paragraph in self.paragraphs]

    def likely_names(self) -> list[Range]:
        """Return the places of names that the rules alone consider people, in words."""
        likely = person_cues.people_among(self.evidence)
        return self.places(use for use in self.uses if use.name in likely)

    def places(self, uses: Iterable[NameUse]) -> list[Range]:
        return sorted({span for use in uses if (span := self._place(use)) is not None})

    def _place(self, use: NameUse) -> Range | None:
        tokens = self.tokens
        first, end = self.words.within(tokens.starts[use.first], tokens.ends[use.end - 1])
        if first >= len(self.words):
            return None
        sentence = self.words.sentence_of(first)
        return (first, end) if first < end <= self.words.sentences[sentence][1] else None


def lay(book: Book) -> Groundwork:
    tokens = tokenize(book)
    heard: list[DirectSpeech] = []
    if book.play:
        heard = play_speakers.find_speech(book, tokens)
    elif not _is_parted(book.text):
        heard = direct_speech.find_speech(book, tokens)
    words = words_of(tokens, heard)
    if not book.play and _is_parted(book.text):
        heard = _heard_apart(book, tokens, words)
        words = words_of(tokens, heard)
    names = study(book, tokens)
    return Groundwork(
        book, tokens, words, heard, names.labels, names.uses, names.evidence, paragraph_of(tokens)
    )


def _is_parted(text: str) -> bool:
    """Return whether blanks precede commas, as in a text printed word by word."""
    return text.count(" ,") > 0.9 * text.count(",") > 0


def _heard_apart(book: Book, tokens: Tokens, words: BookWords) -> list[DirectSpeech]:
    """Find direct speech in such a text.

    Blanks do not distinguish opening from closing marks there, so the marks alternate.
    """
    words.speech = list(speech_of(words.words))
    found: list[DirectSpeech] = []
    for paragraph, (begin, end) in zip(book.paragraphs, words.paragraphs, strict=True):
        start: int | None = None
        for at in range(begin, end):
            spoken = words.speech[at] is not SpeechState.NARRATED
            closes = words.speech[at] is SpeechState.MARK and start is not None
            if spoken and start is None:
                start = at
            elif start is not None and (closes or not spoken):
                found.append(_stretch(words, start, at + closes, paragraph.index))
                start = None
        if start is not None:
            found.append(_stretch(words, start, end, paragraph.index))
    for index, each in enumerate(found):
        for i in range(tokens.at(each.start), tokens.at(each.end)):
            tokens.quote[i] = index
    return found


def _stretch(words: BookWords, first: int, end: int, paragraph: int) -> DirectSpeech:
    return DirectSpeech(words.starts[first], words.ends[end - 1], paragraph)
