"""Where a book says how somebody looks or is: "was a tall man", "proud and sardonic", "had blue eyes"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from coref.traits.moods import Moods
from coref.traits.sentences import Sentence
from coref.traits.subjects import SUBJECTS
from coref.words import table as people_table
from generation.dossier import likeness
from generation.dossier.likeness import Phrase, Row
from generation.dossier.reading import Reading
from generation.dossier.types import Aspect, StrokeKind
from generation.dossier.whose import Owners
from generation.lexicon import table, words

LONGEST = 140
"""Words of a sentence that is read; the parser is lost in longer ones."""
_PRESENT = frozenset(("is", "are", "'s", "has", "have"))
_COMMA = frozenset((",", "(", "—", "--", "-"))
_BEFORE = frozenset(("ADJ", "ADV", "NOUN", "VERB", "CCONJ", "PUNCT"))
_MOST_WITH, _FARTHEST = 6, 40
_LISTED = frozenset(("ADJ", "ADV", "NOUN", "DET", "CCONJ", "PUNCT", "ADP", "VERB"))


@dataclass(frozen=True, slots=True)
class Seen:
    """One saying, with whom it is of."""

    character: str
    trust: float
    kind: StrokeKind
    aspect: Aspect
    word: int
    """What it hangs on: the offset that is cited."""
    text: str
    phrase: str
    adjectives: tuple[str, ...]
    lemmas: tuple[str, ...]
    noun: str | None
    counted: bool
    denied: bool
    speaker: str | None
    aside: bool = False
    """Said on the way, of what somebody does: "her grey eyes filled"."""


class Finder:
    """Reads one book from end to end, but only sentences that can say something."""

    def __init__(self, reading: Reading) -> None:
        self._r = reading
        self._owners = Owners(reading)
        self._moods: tuple[Sentence, Moods] | None = None

    @property
    def owners(self) -> Owners:
        return self._owners

    def all(self) -> Iterator[Seen]:
        parse = self._r.parse
        told: set[int] = set()
        for be in self._r.words_with({"be"}):
            p = self._first_of(be)
            if parse.relations[be] == "cop" and p not in told and parse.tags[p] in ("ADJ", "NOUN"):
                told.add(p)
                yield from self._said(p)
        for have in self._r.words_with({"have"}):
            if parse.relations[have] not in ("aux", "aux:pass"):
                yield from self._had(have)
        for noun in self._r.words_with(words("people")):
            if noun not in told:
                yield from self._beside(noun)
        for noun in self._r.words_with(frozenset(table("features")["looks"])):
            if parse.tags[noun] == "NOUN" and parse.tags[noun - 1] == "ADJ":
                yield from self._owned(noun)
        for word in self._r.words_with(words("looks") | words("traits") | words("ages")):
            if word > 1 and parse.tags[word - 2] == "PROPN" and parse.tags[word - 1] == "PUNCT":
                yield from self._called(word)

    def _first_of(self, be: int) -> int:
        """What a form of `be` says of its subject; of "was tall and fair" some parsers make the second."""
        parse = self._r.parse
        p = parse.heads[be]
        above = parse.heads[p]
        joined = parse.relations[p] == "conj" and be < above < p and parse.tags[above] == parse.tags[p]
        return above if joined else p

    # Sentences with "is"

    def _said(self, p: int) -> Iterator[Seen]:
        s = self._sentence(p)
        if s is None or not self._so(s, p, s.kids(p, "cop"), denied=self._denied_kind(s, p)):
            return
        subject = self._subject(s, p)
        if subject is None or self._several(s, subject) or subject > p or not self._plain(s, p, subject):
            return
        owner = self._owner(s, p, subject)
        if s.tag(p) == "ADJ":
            if owner is not None:
                yield from self._like(s, p, owner)
            elif s.tag(subject) == "NOUN":
                yield from self._featured(s, p, subject)
        elif owner is not None and likeness.is_person(s.lemma(p)):
            yield from self._kind(s, p, owner)
        elif owner is not None and s.case(p) == "of":
            yield from self._of(s, p, owner)

    def _denied_kind(self, s: Sentence, p: int) -> bool:
        """ "was not a sensible man" tells something, too."""
        return likeness.is_person(s.lemma(p)) and any(s.word(k) == "not" for k in s.kids(p, "advmod"))

    def _subject(self, s: Sentence, p: int) -> int | None:
        """Its own, or that of what it is joined to: "was not clever, but had a sweet disposition"."""
        found = s.kid(p, *SUBJECTS)
        above = s.head(p)
        if found is None and above is not None and above < p and s.relation(p) == "conj":
            return None if any(s.tag(i) == "PROPN" for i in range(above + 1, p)) else s.kid(above, *SUBJECTS)
        return found

    def _several(self, s: Sentence, subject: int) -> bool:
        """Anna and Tom; but "Elizabeth, or Beth," is one."""
        who = self._r.who(subject)
        return any(who is None or self._r.who(k) != who for k in s.kids(subject, "conj"))

    def _plain(self, s: Sentence, p: int, subject: int) -> bool:
        """Subject, verb, and what is said, in a clause of its own that tells no time or reason to doubt."""
        if s.holds(subject - 1) and s.word(subject - 1) in ("had", "were", "was", "should", "is"):
            return False
        relative = s.relation(p) == "acl:relcl" and s.word(subject) not in ("who", "that")
        if relative or any(c < subject for c in s.kids(p, "cop")):
            return False
        if any(s.word(m) not in _GROUNDS for m in s.kids(p, "mark")):
            return False
        if any(s.word(m) in _WHEN for k in s.kids(p, "advcl") for m in s.kids(k, "mark", "advmod")):
            return False
        near = s.kids(p, "advmod", "obl", "obl:unmarked", "nmod:unmarked", "obl:tmod", "nmod:tmod")
        return not any({s.lemma(k), s.word(k)} & (words("strains") | _TIMES | _PASSING) for k in near)

    def _like(self, s: Sentence, p: int, owner: tuple[str, float]) -> Iterator[Seen]:
        row = likeness.row(self._r, s, p)
        if row is None or not self._alone(s, row) or not _lasts(s, row):
            return
        yield from self._row(s, row, owner)

    def _kind(self, s: Sentence, p: int, owner: tuple[str, float]) -> Iterator[Seen]:
        found = likeness.phrase(self._r, s, p)
        if found is None or not found.counted or found.denied:
            return
        aspect = self._person(s, found) if self._fits(s.lemma(found.noun), owner[0]) else None
        if aspect is not None and self._denied_kind(s, p):
            if any(likeness.listed(s.lemma(k)) is Aspect.NATURE for k in found.row.words):
                yield from self._phrase(s, replace(found, denied=True), owner, StrokeKind.IS_A, aspect)
        elif aspect is not None:
            yield from self._phrase(s, found, owner, StrokeKind.IS_A, aspect)
            yield from self._behind(s, found.last, owner)

    def _of(self, s: Sentence, p: int, owner: tuple[str, float]) -> Iterator[Seen]:
        """ "was of a happy temper"."""
        aspect = likeness.feature_aspect(s.lemma(p))
        found = likeness.phrase(self._r, s, p)
        if aspect is Aspect.NATURE and found is not None and self._worth(s, found):
            yield from self._phrase(s, found, owner, StrokeKind.HAS, aspect)

    def _featured(self, s: Sentence, p: int, noun: int) -> Iterator[Seen]:
        """ "his air was grave and stately"."""
        aspect, own = likeness.feature_aspect(s.lemma(noun)), s.kid(noun, "nmod:poss")
        row = likeness.row(self._r, s, p)
        if aspect is None or own is None or row is None or not self._alone(s, row):
            return
        owner = self._owners.of(own)
        if owner is None or s.kids(noun, "acl", "acl:relcl", "nmod", "conj") or not _steady(s, noun, row):
            return
        if any(s.tag(i) not in ("AUX", "ADV") for i in range(noun + 1, row.first)):
            return
        plural = s.word(noun) != s.lemma(noun)
        said = f"{self._slice(row.first, row.last)} {self._slice(noun, noun).lower()}"
        counted = not plural and not likeness.is_feature("mass", s.lemma(noun))
        text = self._slice(noun, row.last)
        text = text[:1].lower() + text[1:]
        yield from self._seen(
            owner, StrokeKind.FEATURE, aspect, s, row, p, text=text, phrase=said, noun=noun, counted=counted
        )

    # Sentences with "has", and what stands beside

    def _had(self, v: int) -> Iterator[Seen]:
        s = self._sentence(v)
        if s is None or s.kids(v, "xcomp", "ccomp") or s.kids(v, "aux", "aux:pass", "compound:prt"):
            return
        subject, thing = self._subject(s, v), s.kid(v, "obj")
        if subject is None or thing is None or thing < v or self._several(s, subject):
            return
        if not any(likeness.feature_aspect(s.lemma(n)) for n in (thing, *s.kids(thing, "conj"))):
            return
        owner = self._owner(s, v, subject)
        if owner is None or not self._so(s, v, [v], denied=True):
            return
        row = sorted([thing, *s.kids(thing, "conj")])
        yield from self._things(s, row, owner, StrokeKind.HAS, v + 1)

    def _beside(self, n: int) -> Iterator[Seen]:
        """ "Mr. Knightley, a sensible man about seven-and-thirty,"."""
        at = n - 1
        while at > 1 and self._r.parse.tags[at] in _BEFORE:
            at -= 1
        if self._r.parse.tags[at] != "DET" or self._r.parse.tags[at - 1] != "PUNCT":
            return
        name = self._name_ending(at - 2)
        s = self._sentence(n)
        if name is None or s is None or not s.holds(name) or s.kids(n, "cop", "case"):
            return
        owner, found = self._owners.of(name), likeness.phrase(self._r, s, n)
        if (
            owner is None
            or found is None
            or not found.counted
            or found.start != at
            or s.word(at - 1) not in _COMMA
        ):
            return
        if s.kids(name, "conj") or s.relation(name) == "vocative" or not self._closed(s, found.last + 1):
            return
        aspect = self._person(s, found) if self._fits(s.lemma(found.noun), owner[0]) else None
        if aspect is not None:
            yield from self._phrase(s, found, owner, StrokeKind.IS_A, aspect)
            yield from self._behind(s, found.last, owner)

    def _owned(self, n: int) -> Iterator[Seen]:
        """ "her large grey eyes"."""
        if self._r.quote_at(self._r.parse.starts[n]) is not None:
            return
        s = self._sentence(n)
        found = likeness.owned(self._r, s, n) if s is not None else None
        if s is None or found is None or not all(_shaped(s.lemma(k), s.lemma(n)) for k in found.row.words):
            return
        owner = self._owners.of(found.start)
        if owner is not None:
            aspect = likeness.feature_aspect(s.lemma(n)) or Aspect.LOOKS
            yield from self._phrase(s, found, owner, StrokeKind.FEATURE, aspect, aside=True)

    def _called(self, word: int) -> Iterator[Seen]:
        """ "Emma Woodhouse, handsome, clever, and rich,"."""
        s, name = self._sentence(word), self._name_ending(word - 2)
        if (
            s is None
            or name is None
            or not s.holds(word - 2)
            or s.word(word - 1) != ","
            or s.tag(word) != "ADJ"
        ):
            return
        row = likeness.trailing(self._r, s, word)
        if row is None or len(row.words) < 2 or s.kids(name, "conj") or s.relation(name) == "vocative":
            return
        owner = self._owners.of(name)
        if owner is None or not all(likeness.lasting(s.lemma(k)) for k in row.words):
            return
        if self._r.quote_at(s.start(word)) is None and self._clean(row.first, row.last):
            yield from self._row(s, row, owner)

    def _row(self, s: Sentence, row: Row, owner: tuple[str, float]) -> Iterator[Seen]:
        text = self._slice(row.first, row.last)
        aspect = _aspect(s, row) or Aspect.NATURE
        at = row.words[0]
        yield from self._seen(owner, StrokeKind.IS, aspect, s, row, at, text=text, phrase=text)
        yield from self._with(s, row.last, owner)

    def _behind(self, s: Sentence, last: int, owner: tuple[str, float]) -> Iterator[Seen]:
        """What goes on behind a noun: "a man, tall and handsome, with a black beard"."""
        if s.holds(last + 2) and s.word(last + 1) == "," and s.tag(last + 2) in ("ADJ", "ADV"):
            at = last + 2 if s.tag(last + 2) == "ADJ" else last + 3
            row = likeness.trailing(self._r, s, at)
            if row is not None and self._clean(row.first, row.last) and _lasts(s, row):
                yield from self._row(s, row, owner)
                return
        yield from self._with(s, last, owner)

    def _name_ending(self, word: int) -> int | None:
        """The head of the name of which a word is the last."""
        for at in range(word, max(-1, word - 4), -1):
            mention = self._r.meant.get(at)
            if mention is not None and self._r.named(at):
                return at if self._r.word_at(mention.span.end - 1) == word else None
        return None

    def _closed(self, s: Sentence, at: int) -> bool:
        """Whether what stands beside a name ends there, and is not the subject of something."""
        return (
            not s.holds(at)
            or s.tag(at) in ("PUNCT", "SCONJ", "ADP")
            or s.word(at) in ("who", "that", "whose", "whom")
        )

    def _with(self, s: Sentence, last: int, owner: tuple[str, float]) -> Iterator[Seen]:
        """ "with a fine bloom, blue eyes, light hair", behind what has been said already."""
        at = last + 1
        while s.holds(at) and s.word(at) == ",":
            at += 1
        if not s.holds(at) or s.word(at) != "with" or s.kids(s.head(at) or at, "nsubj"):
            return
        nouns = []
        for n in range(at + 1, min(at + 1 + _FARTHEST, s.end)):
            if s.tag(n) not in _LISTED or s.word(n) in ("that", "this", "these"):
                break
            if s.tag(n) == "NOUN" and likeness.feature_aspect(s.lemma(n)):
                nouns.append(n)
        yield from self._things(s, nouns, owner, StrokeKind.FEATURE, at + 1)

    def _things(
        self, s: Sentence, nouns: list[int], owner: tuple[str, float], kind: StrokeKind, begin: int
    ) -> Iterator[Seen]:
        """Parts and gifts in a row, as far as it goes on without a gap."""
        for n in nouns[:_MOST_WITH]:
            aspect = likeness.feature_aspect(s.lemma(n))
            found = likeness.phrase(self._r, s, n) if aspect is not None else None
            if aspect is None or found is None or s.kids(n, "cop", "nsubj"):
                return
            if any(s.word(i) not in (",", "and") for i in range(begin, found.start)):
                return
            begin = found.last + 1
            if self._worth(s, found):
                yield from self._phrase(s, found, owner, kind, aspect)

    # What counts

    def _person(self, s: Sentence, found: Phrase) -> Aspect | None:
        """Of "a tall, heavy-looking young man": what it tells of, if anything."""
        lemmas = [s.word(k) if s.tag(k) == "VERB" else s.lemma(k) for k in found.row.words]
        if any(likeness.passes(lemma) for lemma in lemmas) or not self._clean(found.first, found.last):
            return None
        worth = [lemma for lemma in lemmas if likeness.telling(lemma)]
        if not worth and not found.behind:
            return None
        aspects = [a for lemma in worth if (a := likeness.listed(lemma)) is not None]
        if Aspect.LOOKS in aspects:
            return Aspect.LOOKS
        if aspects:
            return Aspect.NATURE if Aspect.NATURE in aspects else aspects[0]
        if any(s.tag(i) == "NUM" for i in range(found.noun, found.last + 1)):
            return Aspect.AGE
        return Aspect.NATURE

    def _fits(self, noun: str, who: str) -> bool:
        """No man is a girl, and nobody whom the book calls Mr. a boy."""
        character = self._r.people[who]
        gender = {"he": "he/him", "she": "she/her"}.get(people_table("generic_people").get(noun, ""))
        if gender is not None and character.pronouns not in (gender, None):
            return False
        grown = any(alias.text.split()[0] in _GROWN for alias in character.aliases)
        return not grown or noun not in _SMALL

    def _worth(self, s: Sentence, found: Phrase) -> bool:
        """Whether "a pleasant countenance" lasts; "a white face" does not."""
        lemmas, noun = [s.lemma(k) for k in found.row.words], s.lemma(found.noun)
        if not self._clean(found.first, found.last):
            return False
        if found.denied:
            return found.behind and likeness.is_feature("talents", noun)
        bad = [x for x in lemmas if likeness.passes(x) or x in words("marred")]
        if not lemmas or bad:
            firm = [x for x in lemmas if _shaped(x, noun) or likeness.lasting(x)]
            looks = likeness.feature_aspect(noun) is Aspect.LOOKS
            return bool(firm) and (not looks or all(x in firm or x in words("colours") for x in bad))
        if likeness.is_feature("fleeting", noun):
            return any(likeness.lasting(lemma) for lemma in lemmas)
        return True

    def _clean(self, first: int, last: int) -> bool:
        """Nobody is named in it, and nothing that only the page explains."""
        tags, lemmas = self._r.parse.tags, self._r.parse.lemmas
        return not any(
            tags[i] in ("PRON", "PROPN", "X", "SYM") or lemmas[i].casefold() in words("opaque")
            for i in range(first, last + 1)
        )

    def _alone(self, s: Sentence, row: Row) -> bool:
        """No clause or complement makes the adjectives say something else."""
        for k in row.words:
            if s.kids(k, "xcomp", "ccomp", "csubj", "expl", "obl:unmarked", "obl:tmod"):
                return False
            if any(s.word(m) not in _GROUNDS for c in s.kids(k, "advcl") for m in s.kids(c, "mark") or [k]):
                return False
            if any(s.word(a) in words("strains") | _PASSING for a in s.kids(k, "advmod", "obl")):
                return False
            behind = [o for o in s.kids(k, "obl", "nmod") if o > k]
            if any(s.case(o) != "with" or not likeness.feature_aspect(s.lemma(o)) for o in behind):
                return False
        after = row.last + 1
        if s.holds(after) and (
            s.tag(after) in ("PART", "SCONJ") or (s.tag(after) == "ADP" and s.word(after) != "with")
        ):
            return False
        return self._clean(row.first, row.last)

    def _so(self, s: Sentence, p: int, verbs: list[int], *, denied: bool = False) -> bool:
        """Neither denied, nor possible only, nor over; of what is said to somebody only the present counts."""
        mood = self._moods_of(s).of(p)
        above = s.head(p)
        apart = above is not None and above < p and any(s.word(i) in (";", ":") for i in range(above, p))
        free = mood.modal is None or (apart and above is not None and mood.modal == s.lemma(above))
        if (mood.negated and not denied) or not free or s.kids(p, "expl", "csubj"):
            return False
        if any(s.lemma(a) in ("have", "do") for a in s.kids(p, "aux")):
            return False
        if self._r.quote_at(s.start(p)) is not None:
            return any(s.word(v) in _PRESENT for v in verbs)
        return not any(s.word(v) in ("am", "being", "be") for v in verbs)

    def _owner(self, s: Sentence, p: int, subject: int) -> tuple[str, float] | None:
        if s.word(subject) in ("who", "that") and s.relation(p) == "acl:relcl":
            above = s.head(p)
            if above is None or s.kids(above, "conj") or not self._r.named(above):
                return None
            return self._owners.of(above)
        found = self._owners.of(subject)
        if found is not None and self._r.quote_at(s.start(p)) is not None:
            mention = self._r.meant[subject]
            spoken_to = self._r.book.text.startswith(",", mention.span.end)
            return found if self._r.named(subject) and not spoken_to else None
        return found

    # Making

    def _phrase(
        self,
        s: Sentence,
        found: Phrase,
        owner: tuple[str, float],
        kind: StrokeKind,
        aspect: Aspect,
        *,
        aside: bool = False,
    ) -> Iterator[Seen]:
        phrase = self._slice(found.first, found.last)
        yield from self._seen(
            owner,
            kind,
            aspect,
            s,
            found.row,
            found.noun,
            text=phrase if aside else self._slice(found.start, found.last),
            phrase=phrase,
            noun=found.noun,
            counted=found.counted,
            denied=found.denied,
            aside=aside,
        )

    def _seen(
        self,
        owner: tuple[str, float],
        kind: StrokeKind,
        aspect: Aspect,
        s: Sentence,
        row: Row,
        word: int,
        *,
        text: str,
        phrase: str,
        noun: int | None = None,
        counted: bool = False,
        denied: bool = False,
        aside: bool = False,
    ) -> Iterator[Seen]:
        speaker = self._r.speaker_at(s.start(word))
        yield Seen(
            character=owner[0],
            trust=owner[1],
            kind=kind,
            aspect=aspect,
            word=word,
            text=text,
            phrase=phrase,
            adjectives=row.texts,
            lemmas=tuple(s.lemma(k) for k in row.words),
            noun=self._slice(noun, noun).lower() if noun is not None else None,
            counted=counted,
            denied=denied,
            speaker=speaker,
            aside=aside,
        )

    def _slice(self, first: int, last: int) -> str:
        return likeness.slice_of(self._r, first, last)

    def _sentence(self, word: int) -> Sentence | None:
        s = self._r.sentence_of(word)
        return s if s.end - s.first <= LONGEST else None

    def _moods_of(self, s: Sentence) -> Moods:
        if self._moods is None or self._moods[0] is not s:
            self._moods = (s, Moods(s, lambda at: self._r.quote_at(at) is not None))
        return self._moods[1]


_GROUNDS = frozenset(("for", "because", "since", "as", "though", "although", "but"))
_WHEN = frozenset(
    ("when", "once", "while", "whilst", "if", "until", "till", "after", "before", "whenever", "as")
)
_TIMES = words("times") - frozenset(
    ("fact", "truth", "reality", "general", "first", "last", "degree", "manner", "way")
)
_PASSING = frozenset(
    ("now", "then", "again", "once", "perhaps", "presently", "already", "soon", "suddenly", "here", "there", "when",
     "formerly", "only", "probably", "still", "momentarily", "thus", "likewise", "where", "equally")
)  # fmt: skip


def _lasts(s: Sentence, row: Row) -> bool:
    """One word alone may be of the moment, unless the book says how much so."""
    lemmas = [s.lemma(k) for k in row.words]
    if len(lemmas) == 1 and " " not in row.texts[0] and likeness.listed(lemmas[0]) not in _STANDING:
        return False
    return any(map(likeness.lasting, lemmas)) and not any(map(likeness.passes, lemmas))


def _aspect(s: Sentence, row: Row) -> Aspect | None:
    found = [a for k in row.words if (a := likeness.listed(s.lemma(k))) is not None]
    return max(dict.fromkeys(found), key=found.count, default=None)


def _steady(s: Sentence, noun: int, row: Row) -> bool:
    """Whether "his … was …" is so on other days, too."""
    lemmas, of = [s.lemma(k) for k in row.words], s.lemma(noun)
    if any(likeness.passes(lemma) for lemma in lemmas):
        return False
    if likeness.is_feature("changing", of):
        wanted = None if of in _MANNERS or likeness.feature_aspect(of) is not Aspect.LOOKS else Aspect.LOOKS
        found = (likeness.lasting(lemma) for lemma in lemmas if lemma not in words("marred"))
        return any(_coloured(x, of) for x in lemmas) or any(a and wanted in (None, a) for a in found)
    return not any(lemma in words("marred") and not _coloured(lemma, of) for lemma in lemmas)


_GROWN = frozenset(("Mr.", "Mr", "Mrs.", "Mrs", "Dr.", "Dr", "Captain", "Colonel", "Lady", "Lord", "Sir"))
_SMALL = frozenset(("boy", "lad", "child", "baby", "youth"))
_STANDING = (Aspect.AGE, Aspect.CONDITION)
_MANNERS = frozenset(("air", "manner", "address", "voice", "carriage", "bearing", "dress", "presence"))
_COLOURED = frozenset(
    (
        "eye",
        "hair",
        "beard",
        "moustache",
        "mustache",
        "whisker",
        "eyebrow",
        "brow",
        "lash",
        "eyelash",
        "complexion",
        "skin",
        "curl",
        "lock",
    )
)
_UNWELL = frozenset(("red", "white", "yellow"))


def _shaped(lemma: str, noun: str) -> bool:
    return lemma in words("shapes") or _coloured(lemma, noun)


def _coloured(lemma: str, noun: str) -> bool:
    coloured = noun in _COLOURED and lemma in words("colours")
    return coloured and not (noun == "eye" and lemma in _UNWELL)
