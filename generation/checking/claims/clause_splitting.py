"""Propositions of a parsed sentence: its clauses, coordinated predicates, appositions and relative clauses.

A proposition is a sequence of the sentence's words, some of them borrowed from another clause: the second
half of "Bess saved him and left" takes its subject from the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from coref.language.parsed_sentence import ParsedSentence
from generation.checking.claims.sentence_tree import AUXILIARIES, NOMINAL, SUBJECTS, SentenceTree

_APART = frozenset(("although", "though", "while", "whilst", "whereas"))
"""The clause after one of these words is an addition that holds without the rest."""
_TOGETHER = frozenset(("between", "among", "amongst", "both", "either", "neither"))
"""Coordinated words after one of these mean nothing alone."""
_OBJECTS = ("obj", "obl", "nmod", "iobj")
_MOST = 40
"""Most propositions of one sentence. A sentence with more is an artificial list."""

Bit = int | str
"""A word of the sentence, or one that is inserted."""


@dataclass(frozen=True, slots=True)
class ClauseProposition:
    bits: tuple[Bit, ...]
    own: tuple[int, ...]
    """The words at their own position in the sentence."""


def propositions(s: ParsedSentence) -> list[ClauseProposition]:
    """Return the propositions in order, or none where no clause is found."""
    splitter = _Splitter(s)
    found = list(dict.fromkeys(p for p in splitter.all() if p.own))
    told = [p for p in found if not splitter.is_speech(p)]
    return sorted((told or found)[:_MOST], key=lambda p: p.own[0])


class _Splitter(SentenceTree):
    def is_speech(self, p: ClauseProposition) -> bool:
        """Whether it is entirely in quotation marks: somebody says so, the text does not."""
        return all(i in self._quoted or self._s.tag(i) == "PUNCT" for i in p.own)

    def all(self) -> Iterator[ClauseProposition]:
        for root in self._roots:
            subject = self._headless(root)
            if subject is not None:
                yield from self._clause(subject, self._noun(root), (), apart={root})
                yield from self._asides([k for k in self._apart(root) if k != subject])
            elif self._predicates(root):
                yield from self._clause(root, None, ())
            else:
                yield from self._fragment(root)

    def _headless(self, root: int) -> int | None:
        """Match "Emma, handsome and rich, is the mistress", where a parse may attach the predicate to the
        name.
        """
        s = self._s
        if s.tag(root) not in NOMINAL or self._predicates(root):
            return None
        likely = s.kids(root, "appos", "conj", "parataxis", "acl", "acl:relcl", "dep")
        return next((k for k in likely if k > root and self._acts_alone(k)), None)

    def _acts_alone(self, k: int) -> bool:
        """Whether a word is a predicate without a subject, or a word in place of one."""
        s = self._s
        if s.kids(k, *SUBJECTS) or self._relative(k) is not None:
            return False
        finite = s.tag(k) == "VERB" and not s.word(k).endswith(("ing", "en", "ed"))
        return bool(s.kids(k, "cop")) or (finite and s.relation(k) == "acl:relcl")

    def _fragment(self, root: int) -> Iterator[ClauseProposition]:
        """Yield the appositions and relative clauses of a fragment that has no clause."""
        apart = self._apart(root)
        words = self._trimmed(self._below(root, set(apart)))
        yield ClauseProposition(tuple(words), tuple(words))
        yield from self._asides(apart)

    def _clause(
        self, p: int, subject: Sequence[Bit] | None, shared: Sequence[int], apart: set[int] | None = None
    ) -> Iterator[ClauseProposition]:
        """Yield a clause. Its subject and the `shared` auxiliaries are taken from another clause if it has
        none.
        """
        s = self._s
        own = next((k for k in s.kids(p, *SUBJECTS) if k not in (apart or ())), None)
        asides = self._apart(p)
        joined = [k for k in s.kids(p, "conj", "parataxis", "list") if self._joins(p, k)]
        advs = [k for k in s.kids(p, "advcl") if self._stands_apart(k)]
        without = {*asides, *joined, *advs, *(apart or ())}
        words = self._trimmed(self._below(p, without))
        if own is None and subject is not None:
            lead: tuple[Bit, ...] = (*subject, *shared)
            words = self._trimmed([w for w in words if w not in set(lead)])
        else:
            lead = ()
            subject = self._noun(own) if own is not None else subject
        for some in self._singly(p, words):
            yield ClauseProposition((*lead, *some), tuple(some))
        yield from self._asides(asides)
        for k in joined:
            yield from self._clause(
                k,
                subject,
                self._borrowed(p, k) or (shared if not s.kids(p, *AUXILIARIES) and self._alike(p, k) else ()),
            )
        for k in advs:
            yield from self._adverbial(p, k, subject)

    def _adverbial(self, p: int, k: int, subject: Sequence[Bit] | None) -> Iterator[ClauseProposition]:
        """Match "Though she loves him, …", "Proud of her wit, …", beside the main clause."""
        s = self._s
        marks = set(s.kids(k, "mark"))
        if s.kids(k, *SUBJECTS):
            yield from self._clause(k, None, (), apart=marks)
        elif subject is not None:
            be = "was" if self._past(p) else "is"
            yield from self._clause(k, (*subject, be), (), apart=marks)

    def _stands_apart(self, k: int) -> bool:
        s = self._s
        marked = [s.word(m) for m in s.kids(k, "mark", "advmod") if m < k]
        if k in self._quoted:
            return False
        if s.kids(k, *SUBJECTS):
            return bool(marked) and marked[0] in _APART
        return not marked and s.tag(k) == "ADJ" and not s.kids(k, "case")

    def _joins(self, p: int, k: int) -> bool:
        """Whether a word coordinated with a predicate is a predicate of its own."""
        s = self._s
        if k in self._quoted or k < p:
            return False
        if any(s.word(c) in ("or", "nor") for c in s.kids(k, "cc")):
            return False
        if s.relation(k) == "parataxis" and not (
            s.kids(k, *SUBJECTS) and s.tag(k) in ("VERB", "ADJ", "NOUN")
        ):
            return False
        if s.tag(p) in ("NOUN", "PROPN") and s.tag(k) in ("NOUN", "PROPN") and not self._predicates(k):
            # "the son and heir of" is one phrase, unless each has its own beginning.
            return bool(s.kids(k, "det", "nmod:poss", "case")) or not s.kids(p, "det", "nmod:poss")
        if s.tag(p) == "VERB" and s.tag(k) in NOMINAL and not self._predicates(k):
            return False
        return bool(s.kids(p, "cop")) or self._predicates(k) or s.tag(k) == "ADJ"

    def _borrowed(self, p: int, k: int) -> tuple[int, ...]:
        """Return the auxiliaries of one predicate that the other shares."""
        s = self._s
        own = s.kids(k, *AUXILIARIES)
        theirs = s.kids(p, *AUXILIARIES)
        if own or not theirs or s.kids(k, *SUBJECTS):
            return ()
        denied = [n for n in s.kids(p, "advmod") if s.word(n) in ("not", "n't", "never") and n < p]
        if s.tag(k) != "VERB":
            return tuple(sorted((*theirs, *denied))) if s.kids(p, "cop") else ()
        return tuple(sorted((*theirs, *denied))) if self._alike(p, k) else ()

    def _alike(self, p: int, k: int) -> bool:
        """Whether a verb has the form that another's auxiliaries require."""
        s = self._s
        theirs = [s.word(a) for a in s.kids(p, *AUXILIARIES)]
        if not theirs:
            return s.tag(k) != "VERB" or s.word(k).endswith("ing")
        last, form = theirs[-1], s.word(k)
        if last in ("is", "are", "be", "been", "being", "has", "have", "had", "was", "were", "'s", "'ve"):
            finite = form == s.lemma(k) or form.endswith("s")
            past = last in ("was", "were") and bool(s.kids(p, "cop"))
            return not finite and not past
        return form == s.lemma(k)

    def _singly(self, p: int, words: list[int]) -> Iterator[list[int]]:
        """Split "meets Tom and Jane" into one item each."""
        s = self._s
        held = set(words)
        for d in s.kids(p, *_OBJECTS):
            others = [k for k in s.kids(d, "conj") if k in held and s.tag(k) in NOMINAL]
            if not others or not self._splits(d, others):
                continue
            phrase = set(self._below(d, set()))
            first = self._trimmed(sorted(held - {w for k in others for w in self._below(k, set())}))
            yield first
            for k in others:
                mine = set(self._below(k, {*others} - {k}))
                mine -= {w for w in mine if w < k and s.relation(w) in ("cc", "punct")}
                yield self._trimmed(sorted((held - phrase) | self._lent(d, k) | mine))
            return
        yield words

    def _lent(self, d: int, k: int) -> set[int]:
        """Return what precedes the first of two coordinated nouns and belongs to both: "with her" father."""
        s = self._s
        mine = () if s.kids(k, "det", "nmod:poss") else s.kids(d, "det", "nmod:poss")
        cases = () if s.kids(k, "case") else s.kids(d, "case")
        return {w for r in (*mine, *cases) for w in self._below(r, set())}

    def _splits(self, d: int, others: Sequence[int]) -> bool:
        s = self._s
        joints = [w for k in others for w in s.kids(k, "cc")]
        said = {s.word(w) for w in (*self._below(d, set(others)), *joints)}
        if said & (_TOGETHER | {"or", "nor"}) or d in self._quoted:
            return False
        people = all(s.tag(k) == "PROPN" or s.kids(k, "nmod:poss", "det") for k in (d, *others))
        return people or s.relation(d) == "obl"

    # Appositions and relative clauses

    def _apart(self, p: int) -> list[int]:
        """Return appositions and relative clauses between commas, anywhere in a clause."""
        s, found, todo = self._s, [], [p]
        while todo:
            i = todo.pop()
            for k in self._kids(i):
                if k > i and self._comma_before(k) and k not in self._quoted and self._is_aside(i, k):
                    found.append(k)
                elif not (i == p and s.relation(k) in ("conj", "parataxis", "advcl")):
                    todo.append(k)
        return sorted(found)

    def _is_aside(self, noun: int, k: int) -> bool:
        s = self._s
        if s.tag(noun) not in ("NOUN", "PROPN", "PRON"):
            return False
        if s.relation(k) == "acl:relcl":
            return self._relative(k) is not None
        if s.relation(k) == "appos":
            named = s.tag(noun) == "PROPN" or s.kids(noun, "nmod:poss", "det")
            return bool(named) and not s.kids(k, "cop", *SUBJECTS) and self._relative(k) is None
        return (
            s.relation(k) in ("conj", "acl", "amod")
            and s.tag(k) == "ADJ"
            and s.tag(noun) == "PROPN"
            and not s.kids(k, "cop")
        )

    def _asides(self, apart: Sequence[int]) -> Iterator[ClauseProposition]:
        s = self._s
        for k in apart:
            noun = s.head(k)
            assert noun is not None
            if s.relation(k) == "acl:relcl":
                yield from self._relative_clause(noun, k)
                continue
            be = self._be(noun)
            nested = self._apart(k)
            others = [c for c in s.kids(k, "conj") if c not in nested]
            for each in (k, *others):
                words = self._trimmed(self._below(each, {*others, *nested} - {each}))
                shared = (
                    [] if s.kids(each, "det", "nmod:poss") or each == k else s.kids(k, "det", "nmod:poss")
                )
                yield ClauseProposition((*self._noun(noun), be, *shared, *words), tuple(words))
            yield from self._asides(nested)

    def _relative_clause(self, noun: int, k: int) -> Iterator[ClauseProposition]:
        s, w = self._s, self._relative(k)
        assert w is not None
        head = self._noun(noun)
        if s.relation(w) in SUBJECTS and s.head(w) == k:
            yield from self._clause(k, head, (), apart={w})
            return
        asides = self._apart(k)
        joined = [c for c in s.kids(k, "conj") if self._joins(k, c)]
        words = self._trimmed(self._below(k, {*asides, *joined}))
        owner = s.head(w)
        if s.word(w) == "whose":
            bits: list[Bit] = []
            for i in words:
                bits += (*head, "’s") if i == w else (i,)
        else:
            case = s.kids(w, "case")
            rest = [i for i in words if i != w and i not in case]
            verb = owner if owner in rest else k
            # In "whom she tries to marry" it is "marry" that has "whom" as its object.
            verb = next((x for x in s.kids(verb, "xcomp") if x in rest and not s.kids(x, "obj")), verb)
            behind = [i for i in (verb, *s.kids(verb, "compound:prt")) if i in rest]
            at = rest.index(max(behind)) + 1 if behind and not case else len(rest)
            bits = [*rest[:at], *case, *head, *rest[at:]]
        yield ClauseProposition(tuple(bits), tuple(words))
        yield from self._asides(asides)
