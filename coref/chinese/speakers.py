"""Attributes the quotations of a Chinese book: by the words beside them, by who acts, and by turns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt

from coref.chinese.lexicon import acts, speaks
from coref.chinese.names import styled
from coref.chinese.segment import ChineseWords, is_break
from coref.chinese.speech import ChineseSpeech
from coref.chinese.spots import ChineseMention
from coref.language.word_lists import words as listed
from coref.types import MentionKind, QuoteType

_TAGGED = {MentionKind.PROPER: 0.85, MentionKind.NOMINAL: 0.7, MentionKind.PRONOUN: 0.65}
_INTRODUCING = tuple(
    me + verb for me in ("我", "吾", "某", "在下") for verb in ("叫", "名叫", "是", "叫做", "就是", "乃", "")
)
_CALLED_ME = re.compile("[“「『]?[我吾某俺]姓")
_INTRODUCED = 0.8
_SAME, _ACTION, _LED, _ANSWERED, _TURN, _BESIDE = 0.8, 0.6, 0.6, 0.5, 0.45, 0.35
"""Confidences of each way to find a speaker: guesses, checked on only two short stories."""
_OMITTED = 0.5
_BARE = 0.7
"""Factor on the confidence if no marks delimit the speech."""
_UNCLOSED = 0.8
_CLAUSES = 12
_AFTER = 14
_CALLING = frozenset("，,！!？?：:")
_CLOSING = frozenset("。…—”」")
_NARROW = 60
"""Words of a paragraph whose actor is likely to speak in the next one."""
_ACTS_WITHIN = 300
_GAP = 1
"""How many paragraphs without speech a conversation may contain."""


@dataclass(slots=True)
class ChineseUtterance:
    """A piece of speech with its words and its attribution."""

    speech: ChineseSpeech
    first: int
    end: int
    speaker: int | None = None
    addressee: int | None = None
    confidence: float = 0.0
    type: QuoteType | None = None
    tagged: bool = False
    """Whether it has a tag, even one that names nobody known."""
    omitted: bool = False
    """Whether its tag has no subject, as in `忙说：`."""
    called: list[int] = field(default_factory=list)

    @property
    def open(self) -> bool:
        """Whether its speaker is unknown, and the book does not seem to name one."""
        return self.speaker is None and not self.tagged and not self.speech.continues

    def settle(self, who: int, confidence: float, kind: QuoteType = QuoteType.IMPLICIT) -> None:
        self.speaker, self.confidence, self.type = who, confidence, kind


class Attribution:
    def __init__(
        self, words: ChineseWords, spots: Sequence[ChineseMention], paragraphs: Sequence[int]
    ) -> None:
        self.words, self.paragraphs = words, paragraphs
        self.named = {
            spot.head: spot.options[0]
            for spot in spots
            if spot.kind is MentionKind.PROPER and len(spot.options) == 1
        }
        # Of two at one place, `他母亲` and `他`, the longer one.
        self.starting = {spot.first: spot for spot in reversed(spots) if spot.quote < 0}
        self.inside = {spot.first: spot for spot in reversed(spots) if spot.quote >= 0}

    def attribute(
        self, speeches: Sequence[ChineseSpeech], spots: Sequence[ChineseMention], chapters: Sequence[int]
    ) -> list[ChineseUtterance]:
        said = [ChineseUtterance(s, self.words.at(s.start), self.words.at(s.end)) for s in speeches]
        self._call(said, spots)
        for at, each in enumerate(said):
            before = said[at - 1] if at else None
            if each.speech.continues and before is not None:
                continue
            self._by_words_before(each, self._floor(each, before))
            if not each.tagged:
                self._by_words_after(each, said[at + 1] if at + 1 < len(said) else None)
            if each.speaker is None:
                self._introduce(each)
        for at, each in enumerate(said):
            if each.speaker is None and not each.speech.continues:
                self._by_neighbours(said, at)
        self._by_turns(said, chapters)
        self._finish(said, chapters)
        return said

    def _call(self, said: Sequence[ChineseUtterance], spots: Sequence[ChineseMention]) -> None:
        """Record vocatives: names that stand alone between stops, inside a quotation."""
        for spot in spots:
            if spot.quote < 0 or len(spot.options) != 1 or spot.kind is MentionKind.PRONOUN:
                continue
            after = self.words.words[spot.end] if spot.end < len(self.words) else ""
            before = self.words.words[spot.first - 1] if spot.first else ""
            each = said[spot.quote]
            if is_break(before) and (
                after in _CALLING or (spot.first > each.first + 1 and after in _CLOSING)
            ):
                each.called.append(spot.options[0])

    def _introduce(self, each: ChineseUtterance) -> None:
        """Set speakers who introduce themselves: `我叫许文`, `我姓许，叫许文`, `某姓张名飞`."""
        words = self.words.words
        opening = "".join(words[each.first : min(each.end, each.first + _AFTER)])
        if _CALLED_ME.match(opening):
            known = (self.named.get(name) for name, _ in styled(opening))
            if (who := next(known, None)) is not None:
                return each.settle(who, _INTRODUCED, QuoteType.EXPLICIT)
        for i in range(each.first, min(each.end, each.first + _AFTER)):
            spot = self.inside.get(i)
            if spot is None or spot.kind is not MentionKind.PROPER or len(spot.options) != 1:
                continue
            said = "".join(words[max(i - 6, each.first) : i])
            if said.endswith(_INTRODUCING) or ("我姓" in said and said.endswith("叫")):
                return each.settle(spot.options[0], _INTRODUCED, QuoteType.EXPLICIT)
        return None

    def _floor(self, each: ChineseUtterance, before: ChineseUtterance | None) -> int:
        """Return the first word of the paragraph, or the first after the previous quotation."""
        first = self.words.ranges[each.speech.paragraph][0]
        if before is not None and before.speech.paragraph == each.speech.paragraph:
            return max(first, before.end)
        return first

    # By words beside the quotation

    def _by_words_before(self, each: ChineseUtterance, floor: int) -> None:
        verb = self._lead_verb(each, floor)
        if verb is None:
            return
        each.tagged = True
        subject, other = self._subject_before(each, verb, floor)
        each.omitted = subject is None
        if subject is not None and subject.who is not None:
            each.settle(subject.who, self._sure(each, subject), _kind(subject))
        if other is not None and other.who != each.speaker:
            each.addressee = other.who

    def _sure(self, each: ChineseUtterance, subject: ChineseMention) -> float:
        sure = _TAGGED[subject.kind] * sqrt(subject.confidence)
        if each.speech.bare:
            sure *= _BARE
        return sure if each.speech.closed else sure * _UNCLOSED

    def _lead_verb(self, each: ChineseUtterance, floor: int) -> int | None:
        """Return where the words before a quotation lead in to it: the verb of speech, or the colon."""
        words, at = self.words.words, each.first - 1
        if at < floor:
            return None
        colon = words[at] in ("：", ":")
        if words[at] in ("，", ",") or colon:
            at -= 1
        elif is_break(words[at]):
            return None
        opens = self.words.clause_start(at, floor) if at >= floor else floor
        for i in range(at, opens - 1, -1):
            if speaks(words[i]) or (colon and acts(words[i])):
                return i
        return at + 1 if colon and at >= floor else None

    def _subject_before(
        self, each: ChineseUtterance, verb: int, floor: int
    ) -> tuple[ChineseMention | None, ChineseMention | None]:
        """Return the speaker, searched backwards from the verb's clause, and the last clause's addressee."""
        end, subject, other = verb, None, self._object_between(verb, each.first)
        spare: ChineseMention | None = None
        for _ in range(_CLAUSES):
            if end <= floor and end != verb:
                break
            opens = self.words.clause_start(end - 1, floor) if end > floor else floor
            spots = [s for i in range(opens, end) if (s := self.starting.get(i)) is not None]
            if other is None and end == verb:
                other = next((s for s in reversed(spots) if self._acted_on(s)), None)
            spoken_to = {*each.called, *([other.who] if other else [])}
            free = [s for s in spots if not self._acted_on(s) and s.who not in spoken_to]
            acting = [s for s in free if s.subject]
            spare = spare or next(iter(free), None)
            if acting:
                subject = acting[0]
                break
            if opens <= floor or self.words.words[opens - 1] in "。！？!?…":
                break
            end = opens - 1
        return subject or spare, other

    def _object_between(self, verb: int, quote: int) -> ChineseMention | None:
        return next((s for i in range(verb + 1, quote) if (s := self.starting.get(i)) is not None), None)

    def _acted_on(self, spot: ChineseMention) -> bool:
        before = self.words.words[spot.first - 1] if spot.first else ""
        if self.words.words[spot.end : spot.end + 1] == ["的"]:
            return True
        return before in listed("chinese_prepositions") and not spot.subject

    def _by_words_after(self, each: ChineseUtterance, following: ChineseUtterance | None) -> None:
        """Read `……”宝玉笑道`: the subject of a verb of speech or gesture right after the quotation."""
        end = min(self.words.ranges[each.speech.paragraph][1], each.end + _AFTER)
        subject = None
        for i in range(each.end, end):
            word = self.words.words[i]
            subject = subject or self.starting.get(i)
            if word in ("，", ",") and i == each.end:
                continue
            if is_break(word):
                return
            if subject is not None and i >= subject.end and (speaks(word) or acts(word)):
                if not self._leads_on(each, i, following):
                    self._settle_after(each, subject)
                return

    def _settle_after(self, each: ChineseUtterance, subject: ChineseMention) -> None:
        each.tagged = True
        if subject.who is not None:
            each.settle(subject.who, self._sure(each, subject), _kind(subject))

    def _leads_on(self, each: ChineseUtterance, verb: int, following: ChineseUtterance | None) -> bool:
        """Return whether the words after a quotation introduce the next one instead."""
        if following is None or following.speech.paragraph != each.speech.paragraph:
            return False
        colon = self.words.words[following.first - 1] in ("：", ":")
        alone = following.first - verb <= 3
        opens = each.first == self.words.ranges[each.speech.paragraph][0]
        ended = self.words.words[each.end - 2] not in ("，", ",", "—", "…")
        return colon and alone and ended and not opens

    # By who acts

    def _by_neighbours(self, said: Sequence[ChineseUtterance], at: int) -> None:
        each = said[at]
        before = said[at - 1] if at else None
        if before is not None and before.speech.paragraph == each.speech.paragraph:
            between = [s for i in range(before.end, each.first) if (s := self.starting.get(i)) is not None]
            goes_on = not any(s.subject for s in between) if each.omitted else not between and not each.tagged
            if goes_on and before.speaker not in (None, each.addressee, *each.called):
                assert before.speaker is not None
                each.settle(before.speaker, before.confidence * _SAME)
                return
        following = said[at + 1] if at + 1 < len(said) else None
        if following is not None and following.speech.paragraph == each.speech.paragraph:
            between = [s for i in range(each.end, following.first) if (s := self.starting.get(i)) is not None]
            known = any(s.who is not None for s in between)
            if following.speaker is not None and following.confidence >= _INTRODUCED and not known:
                each.settle(following.speaker, following.confidence * _SAME)
                return
        if each.omitted:
            self._by_last_subject(each, before)
        if each.tagged:
            return
        first, end = self.words.ranges[each.speech.paragraph]
        actor = self._actor(range(each.first - 1, self._floor(each, before) - 1, -1))
        actor = actor or self._actor(range(each.end, end))
        if actor is not None and actor.who is not None and actor.who not in each.called:
            each.settle(actor.who, _ACTION * sqrt(actor.confidence))
            return
        self._led_in(each, first)

    def _led_in(self, each: ChineseUtterance, first: int) -> None:
        """Attribute a quotation that opens a paragraph, behind one that ends in a colon."""
        paragraph = each.speech.paragraph
        if each.first == first and paragraph:
            begin, stop = self.words.ranges[paragraph - 1]
            if stop > begin and self.words.words[stop - 1] in ("：", ":"):
                actor = self._actor(range(begin, stop)) if stop - begin < 60 else None
                if actor is not None and actor.who is not None:
                    each.settle(actor.who, _LED * sqrt(actor.confidence), _kind(actor))

    def _by_last_subject(self, each: ChineseUtterance, before: ChineseUtterance | None) -> None:
        """Attribute `忙说：……` without a subject to whoever acts before it, in the paragraph."""
        for i in range(each.first - 1, self._floor(each, before) - 1, -1):
            spot = self.starting.get(i)
            if spot is not None and spot.subject and spot.who not in (None, each.addressee, *each.called):
                assert spot.who is not None
                each.settle(spot.who, _OMITTED * sqrt(spot.confidence), _kind(spot))
                return

    def _actor(self, where: range) -> ChineseMention | None:
        for i in where[:_ACTS_WITHIN]:
            spot = self.starting.get(i)
            if spot is not None and spot.subject and spot.who is not None:
                return spot
        return None

    # By turns

    def _by_turns(self, said: Sequence[ChineseUtterance], chapters: Sequence[int]) -> None:
        for at, each in enumerate(said):
            if each.open and not self._by_actor_before(said, at, chapters, _NARROW):
                self._answer(said, at, chapters)
        for at in range(len(said) - 3, -1, -1):
            each, later = said[at], said[at + 2].speaker
            if not each.open or later is None or not _near(said, at, at + 2, chapters):
                continue
            if later not in (said[at + 1].speaker, *each.called):
                each.settle(later, _TURN * 0.9)
        for at, each in enumerate(said):
            if each.open:
                self._answer(said, at, chapters)
                if each.speaker is None:
                    self._by_actor_before(said, at, chapters, 10 * _NARROW)

    def _by_actor_before(
        self, said: Sequence[ChineseUtterance], at: int, chapters: Sequence[int], most: int
    ) -> bool:
        """Attribute a quotation on its own to whoever acts in the narration of the paragraph before."""
        each, paragraph = said[at], said[at].speech.paragraph
        first, end = self.words.ranges[paragraph]
        if not paragraph or (each.first, each.end) != (first, end):
            return False
        begin, stop = self.words.ranges[paragraph - 1]
        quiet = stop > begin and self.words.quote[begin] < 0 and self.words.quote[stop - 1] < 0
        if not quiet or stop - begin > most or chapters[paragraph] != chapters[paragraph - 1]:
            return False
        actor = self._actor(range(stop - 1, begin - 1, -1))
        if actor is None or actor.who is None or actor.who in each.called:
            return False
        each.settle(actor.who, _BESIDE)
        return True

    def _answer(self, said: Sequence[ChineseUtterance], at: int, chapters: Sequence[int]) -> None:
        """Attribute a reply to whoever was addressed by name, else to the speaker before the last one."""
        each = said[at]
        if each.tagged or not at or not _near(said, at - 1, at, chapters):
            return
        before = said[at - 1]
        asked = [*([before.addressee] if before.addressee is not None else ()), *before.called]
        asked = [who for who in asked if who not in (before.speaker, *each.called)]
        if asked:
            each.settle(asked[-1], _ANSWERED)
            return
        for back in range(at - 2, max(at - 6, -1), -1):
            earlier = said[back]
            if not _near(said, back, back + 1, chapters) or earlier.speaker is None:
                return
            if earlier.speaker != before.speaker:
                if earlier.speaker not in each.called:
                    each.settle(earlier.speaker, _TURN)
                return

    def _finish(self, said: Sequence[ChineseUtterance], chapters: Sequence[int]) -> None:
        for at, each in enumerate(said):
            if each.speech.continues and at:
                last = said[at - 1]
                each.speaker, each.confidence, each.type = last.speaker, last.confidence, last.type
        for at, each in enumerate(said):
            called = [who for who in each.called if who != each.speaker]
            before = said[at - 1] if at else None
            goes_on = (
                before is not None
                and before.speech.paragraph == each.speech.paragraph
                and before.speaker == each.speaker is not None
            )
            if called:
                each.addressee = called[0]
            elif goes_on and before is not None and before.addressee is not None and each.addressee is None:
                each.addressee = before.addressee
            elif each.addressee is None or each.addressee == each.speaker:
                each.addressee = _spoken_with(said, at, chapters)


def _spoken_with(said: Sequence[ChineseUtterance], at: int, chapters: Sequence[int]) -> int | None:
    """Return the nearest other speaker, first before it, then after it."""
    speaker = said[at].speaker
    if speaker is None:
        return None
    for step in (-1, 1):
        for other in range(at + step, at + 4 * step, step):
            if not 0 <= other < len(said) or not _near(
                said, min(other, other - step), max(other, other - step), chapters
            ):
                break
            if said[other].speaker not in (None, speaker):
                return said[other].speaker
    return None


def _near(said: Sequence[ChineseUtterance], one: int, other: int, chapters: Sequence[int]) -> bool:
    if not (0 <= one < len(said) and 0 <= other < len(said)):
        return False
    return all(
        chapters[said[i].speech.paragraph] == chapters[said[i + 1].speech.paragraph]
        and said[i + 1].speech.paragraph - said[i].speech.paragraph <= _GAP + 1
        for i in range(one, other)
    )


def _kind(subject: ChineseMention) -> QuoteType:
    return QuoteType.EXPLICIT if subject.kind is MentionKind.PROPER else QuoteType.ANAPHORIC
