"""Plays, whose labels name the speakers, so that no speaker has to be inferred."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from books.types import Book, Span
from coref.language.tokens import Tokens
from coref.language.word_lists import phrases, plain, table, words
from coref.names.casing import SMALL_WORDS, Casing, in_sentence, title_case
from coref.names.cast_building import Cast
from coref.names.name_clusters import CastMember
from coref.names.name_uses import NameUse, ProperName, titles_at
from coref.names.person_candidates import MentionCandidate, noun_gender
from coref.names.person_cues import NameEvidence
from coref.speech.attributed_speech import AttributedSpeech
from coref.speech.direct_speech import DirectSpeech
from coref.speech.vocatives import called_in
from coref.types import CharacterKind, QuoteType

CERTAIN = 1.0
_SURE = 100.0
"""Evidence that a name in a label is a person's."""
_OFTEN = 5
"""Two labels that both occur this often are two people, even if one begins with the other."""
_SHORTEST = 2
_MOST_ALIKE = 40
_MANNER = 3
"""Number of abbreviated names from which on abbreviation is this play's way of printing labels."""
_AND = frozenset(("and", "&", ","))


def find_speech(book: Book, tokens: Tokens) -> list[DirectSpeech]:
    """Return the speech under each label, paragraph by paragraph, without the directions inside it."""
    assert book.play is not None
    found: list[DirectSpeech] = []
    starts = [p.span.start for p in book.paragraphs]
    directions = book.play.directions
    cuts = [d.start for d in directions]
    for speech in book.play.speeches:
        at = max(0, bisect_right(starts, speech.span.start) - 1)
        while at < len(starts) and starts[at] < speech.span.end:
            inside = book.paragraphs[at].span
            within = (max(inside.start, speech.span.start), min(inside.end, speech.span.end))
            for start, end in _without(directions, cuts, *within):
                said = _stripped(book.text, start, end)
                if said:
                    found.append(DirectSpeech(*said, at))
            at += 1
    for index, each in enumerate(found):
        for i in range(tokens.at(each.start), tokens.at(each.end)):
            tokens.quote[i] = index
    return found


def _without(
    directions: Sequence[Span], starts: Sequence[int], start: int, end: int
) -> Iterator[tuple[int, int]]:
    at = max(0, bisect_left(starts, start) - 1)
    while at < len(directions) and directions[at].start < end:
        cut = directions[at]
        if cut.end > start:
            yield start, max(start, cut.start)
            start = min(end, cut.end)
        at += 1
    yield start, end


def _stripped(text: str, start: int, end: int) -> tuple[int, int] | None:
    said = text[start:end]
    bare = said.strip()
    if not any(c.isalnum() for c in bare):
        return None
    start += len(said) - len(said.lstrip())
    return start, start + len(bare)


@dataclass(slots=True)
class SpeakerLabels:
    """The labels of a play as uses of names. Empty for all other books."""

    uses: list[NameUse] = field(default_factory=list)
    by_speech: list[int | None] = field(default_factory=list)
    """The use in the label of each speech; None if several people speak."""
    starts: list[int] = field(default_factory=list)
    """Where each speech begins in the text."""
    roles: dict[str, CastMember] = field(default_factory=dict)
    """People whose label is a noun: `the king` may be the one who speaks as `KING`."""
    _nouns: dict[str, ProperName] = field(default_factory=dict)

    @staticmethod
    def of(book: Book, tokens: Tokens, casing: Casing) -> SpeakerLabels:
        if book.play is None:
            return SpeakerLabels()
        spans = [(tokens.at(s.label.start), tokens.at(s.label.end), s.span.start) for s in book.play.speeches]
        made = SpeakerLabels(starts=[start for _, _, start in spans])
        full = _full_names(tokens, [(first, end) for first, end, _ in spans], book.play.directions)
        for first, end, _ in spans:
            parts = [] if _is_group(tokens, first, end) else list(_each(tokens, first, end))
            found = [use for one, other in parts if (use := _use(tokens, one, other, full))]
            made.by_speech.append(len(made.uses) if len(found) == 1 else None)
            made.uses += found
        made._learn(casing)
        made.uses += made._on_stage(tokens, book.play.directions)
        made._give_articles(tokens)
        return made

    def _learn(self, casing: Casing) -> None:
        """Learn that words in labels are names elsewhere too. Nouns are kept apart."""
        for use in self.uses:
            if _is_noun(use.name):
                self._nouns.setdefault(use.name.core[0].casefold(), use.name)
            else:
                for word in use.name.core:
                    casing.inside[word] += 1

    def _give_articles(self, tokens: Tokens) -> None:
        """Display `KING` as `the King` if the play uses the article."""
        pairs = zip(tokens.lower, tokens.lower[1:], strict=False)
        articled = {word for article, word in pairs if article == "the"}
        for use in self.uses:
            noun = use.name.core[0]
            if noun.casefold() in self._nouns and noun.casefold() in articled:
                use.shown = f"the {noun}"

    def _on_stage(self, tokens: Tokens, directions: Iterable[Span]) -> Iterator[NameUse]:
        """Yield uses in directions such as `Enter Ghost`, where the nouns of labels denote their speakers."""
        taken = {i for use in self.uses for i in range(use.first, use.end)}
        longest = max((len(noun.split()) for noun in self._nouns), default=0)
        for span in directions:
            at, end = tokens.at(span.start), tokens.at(span.end)
            while at < end:
                found = 0
                if tokens.words[at][0].isupper() and at not in taken:
                    sizes = range(min(longest, end - at), 0, -1)
                    found = next((n for n in sizes if " ".join(tokens.lower[at : at + n]) in self._nouns), 0)
                if found:
                    name = self._nouns[" ".join(tokens.lower[at : at + found])]
                    yield NameUse(at, at + found, name, shown=name.text)
                at += found or 1

    def among(self, found: Iterable[NameUse]) -> list[NameUse]:
        """Return the uses of names in the whole book, with the labels' own replacing those found there."""
        if not self.starts:
            return list(found)
        taken = {i for use in self.uses for i in range(use.first, use.end)}
        others = [use for use in found if not any(i in taken for i in range(use.first, use.end))]
        return sorted([*others, *self.uses], key=lambda use: use.first)

    def testify(self, evidence: dict[ProperName, NameEvidence]) -> None:
        """Add evidence that everybody with a label is a person."""
        for name in {use.name for use in self.uses}:
            evidence[name].person += _SURE * evidence[name].count
            evidence[name].article = 0

    def enter(self, cast: Cast) -> None:
        """Add everybody with a label to the cast, even those whom nobody names."""
        new: dict[ProperName, CastMember] = {}
        for use in self.uses:
            if use.first not in cast.options:
                new[use.name] = new.get(use.name) or cast.add()
                new[use.name].names[use.name] += 1
                cast.options[use.first] = [new[use.name]]
            person = cast.options[use.first][0]
            person.speaks = True
            cast.options[use.first] = [person]
            noun = use.name.core[0].casefold()
            if noun in self._nouns and len(noun.split()) == 1:
                self.roles.setdefault(noun, person)
                gender = noun_gender(noun)
                person.gender = person.gender or (gender if gender in ("he", "she") else None)
            if _is_several(noun):
                person.kind = CharacterKind.GROUP


def _is_noun(name: ProperName) -> bool:
    """Recognise `King`, `First Clown` and `The Flower Girl`, where the label is a noun."""
    return not name.titles and (" " in name.core[0] or _means_somebody(name.core[0]))


def _means_somebody(word: str) -> bool:
    low = word.casefold()
    return noun_gender(low) is not None or title_case(word) in table("titles")


def _is_several(noun: str) -> bool:
    last = noun.split()[-1]
    return last in words("group_nouns") or (last.endswith("s") and noun_gender(last[:-1]) is not None)


def _is_group(tokens: Tokens, first: int, end: int) -> bool:
    said = " ".join(word for word in tokens.lower[first:end] if word[0].isalnum())
    return said in phrases("group_labels")


def _each(tokens: Tokens, first: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the names in a label: `HAMLET and HORATIO` are two."""
    start = first
    for i in range(first, end + 1):
        if i == end or tokens.lower[i] in _AND:
            stop = i
            while stop > start and not tokens.words[stop - 1][0].isalnum():
                stop -= 1
            if stop > start:
                yield start, stop
            start = i + 1


def _use(tokens: Tokens, first: int, end: int, full: Mapping[str, str]) -> NameUse | None:
    """Return a label's name: a name with its titles, an abbreviated name, or a noun, which is not split."""
    surface = " ".join(tokens.surface(first, end).split())
    shown = in_sentence(surface)
    titles, at = titles_at(tokens, first, end)
    core = tuple(title_case(w) for w in tokens.words[at:end] if w[0].isalnum())
    low = [word.casefold() for word in core]
    if not core or tokens.lower[first] in ("the", "a", "an") or SMALL_WORDS.intersection(low):
        whole = _whole(shown)
        return NameUse(
            first, end, ProperName((), (whole,)), shown=whole if shown[:1] == "A" else plain(shown)
        )
    if len(core) == 1 and not titles and low[0] in full:
        whole = full[low[0]]
        return NameUse(first, end, ProperName((), (whole,)), shown=whole)
    if any(_counts(word) or _means_somebody(word) for word in low) and not titles:
        return NameUse(first, end, ProperName((), (shown,)), shown=shown)
    return NameUse(first, end, ProperName(titles, core), shown=shown)


def _whole(shown: str) -> str:
    """Strip an article, which the person's other labels omit or change: `A BYSTANDER`."""
    head, _, rest = shown.partition(" ")
    return rest if rest and head.casefold() in ("the", "a", "an") else shown


def _counts(word: str) -> bool:
    return word[0].isdigit() or word in words("label_ordinals")


def _full_names(
    tokens: Tokens, labels: Sequence[tuple[int, int]], directions: Iterable[Span]
) -> dict[str, str]:
    """Map abbreviated labels to full names: `bar` to Barnardo, if no other name begins so."""
    heads = Counter(tokens.lower[first] for first, end in labels if _is_one_word(tokens, first, end))
    inside = {i for first, end in labels for i in range(first, end)}
    staged = _capitalised(tokens, inside, directions)
    told = _capitalised(tokens, inside, [Span(0, len(tokens.text))])
    names = {**{word: title_case(tokens.words[first]) for first, word in _heads(tokens, labels)}, **staged}
    staged_names, told_names = sorted(names), sorted(told)
    found: dict[str, str] = {}
    for cut_short in (False, True):
        # `Exit Fran.` does not prove that Fran is a name where most labels are abbreviated.
        if cut_short and len(found) < _MANNER:
            break
        for head, count in heads.items():
            if len(head) < _SHORTEST or (head in told and not cut_short) or _means_somebody(head):
                continue
            longer = _longest(head, staged_names) or _longest(head, told_names)
            if len(longer) == 1 and not (count >= _OFTEN and heads[longer[0]] >= _OFTEN):
                found[head] = names.get(longer[0]) or told[longer[0]]
    return found


def _heads(tokens: Tokens, labels: Iterable[tuple[int, int]]) -> Iterator[tuple[int, str]]:
    for first, end in labels:
        if _is_one_word(tokens, first, end):
            yield first, tokens.lower[first]


def _is_one_word(tokens: Tokens, first: int, end: int) -> bool:
    return first < end and not any(word[0].isalnum() for word in tokens.words[first + 1 : end])


def _capitalised(tokens: Tokens, inside: Collection[int], spans: Iterable[Span]) -> dict[str, str]:
    """Return words outside labels with a capital that is evidence of a name."""
    return {
        tokens.lower[i]: title_case(tokens.words[i])
        for span in spans
        for i in range(tokens.at(span.start), tokens.at(span.end))
        if i not in inside and tokens.words[i][0].isupper() and not tokens.opens[i]
    }


def _longest(head: str, names: Sequence[str]) -> list[str]:
    """Return the names that begin with a label's letters, except those that are abbreviated themselves.

    `names` are sorted. If very many begin so, there is no answer.
    """
    able: list[str] = []
    for name in names[bisect_right(names, head) : bisect_right(names, head) + _MOST_ALIKE]:
        if not name.startswith(head):
            break
        able.append(name)
    return [name for name in able if not any(other != name and other.startswith(name) for other in able)]


def attribute(
    tokens: Tokens,
    spots: Sequence[MentionCandidate],
    heard: Sequence[DirectSpeech],
    chapters: Sequence[int],
    labels: SpeakerLabels,
) -> list[AttributedSpeech]:
    """Attribute each stretch of speech to its label's person, and to its addressee where that is plain."""
    by_use = {spot.first: spot.who for spot in spots if spot.use is not None}
    called = called_in(tokens, spots)
    said: list[AttributedSpeech] = []
    speech_of: list[int] = []
    for index, each in enumerate(heard):
        at = bisect_right(labels.starts, each.start) - 1
        use = labels.by_speech[at] if at >= 0 else None
        who = by_use.get(labels.uses[use].first) if use is not None else None
        one = AttributedSpeech(
            each, tokens.at(each.start), tokens.at(each.end), who, CERTAIN if who is not None else 0.0
        )
        one.called, one.type = called.get(index, []), QuoteType.EXPLICIT
        said.append(one)
        speech_of.append(at)
    _address(said, speech_of, chapters)
    return said


def _address(said: Sequence[AttributedSpeech], speech_of: Sequence[int], chapters: Sequence[int]) -> None:
    """Set as the addressee whoever is named in a vocative, or the one who speaks both before and after."""
    turns: dict[int, list[AttributedSpeech]] = defaultdict(list)
    for one, at in zip(said, speech_of, strict=True):
        turns[at].append(one)
    order = list(turns)
    for place, at in enumerate(order):
        near = [turns[order[i]][0] for i in (place - 1, place + 1) if 0 <= i < len(order)]
        here = chapters[turns[at][0].speech.paragraph]
        speakers = {o.speaker for o in near if chapters[o.speech.paragraph] == here}
        between = speakers.pop() if len(near) == 2 and len(speakers) == 1 else None
        called = [who for one in turns[at] for who in one.called if who != one.speaker]
        for one in turns[at]:
            own = [who for who in one.called if who != one.speaker]
            heard = next(iter((*own, *called)), between)
            one.addressee = heard if one.speaker is not None and heard != one.speaker else None
