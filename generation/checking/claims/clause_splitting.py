"""The clauses of a parsed sentence: one with several predicates side by side says one thing with each.

Everything else stays in its clause. What a sentence says in passing would need words put in to stand alone,
and would be false wherever the parse is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from coref.language.parsed_sentence import ParsedSentence

SUBJECTS = ("nsubj", "nsubj:pass", "csubj")
_AUXILIARIES = ("aux", "aux:pass", "cop")
_PARTICIPLES = frozenset(
    ("is", "are", "be", "been", "being", "has", "have", "had", "was", "were", "'s", "'ve")
)
"""Auxiliaries with which a verb is a participle."""
_IN_PASSING = ("acl", "acl:relcl", "advcl", "appos", "parataxis")
"""What a noun goes without where it is the subject of another clause, too."""
_OPENING, _CLOSING = frozenset('“"«'), frozenset('”"»')
_MOST = 40
"""Most clauses of one sentence. A sentence with more is an artificial list."""


@dataclass(frozen=True, slots=True)
class Clause:
    words: tuple[int, ...]
    """Words of the sentence. The second half of "Bess saved him and left" has the "Bess" of the first."""
    own: tuple[int, ...]
    """Those that no other clause lends it."""


def clauses(s: ParsedSentence) -> list[Clause]:
    """Return the clauses in order, or none where the sentence has no predicate."""
    quoted = frozenset(_quoted(s))
    splitter = _Splitter(s, quoted)
    roots = [i for i in s if s.head(i) is None and splitter.is_predicate(i)]
    found = [clause for root in roots for clause in splitter.clauses(root, (), ()) if clause.own]
    told = [c for c in found if not all(i in quoted or s.tag(i) == "PUNCT" for i in c.own)]
    return sorted((told or found)[:_MOST], key=lambda c: c.own[0])


class _Splitter:
    def __init__(self, s: ParsedSentence, quoted: frozenset[int]) -> None:
        self._s, self._quoted = s, quoted

    def is_predicate(self, i: int) -> bool:
        return self._s.tag(i) in ("VERB", "AUX") or bool(self._s.kids(i, "cop", *SUBJECTS))

    def clauses(self, p: int, subject: Sequence[int], shared: Sequence[int]) -> Iterator[Clause]:
        """Yield the clause of a predicate and of those beside it.

        Its subject and the `shared` auxiliaries are another clause's if it has none of its own.
        """
        s = self._s
        mine = s.kid(p, *SUBJECTS)
        joined = [k for k in s.kids(p, "conj", "parataxis") if self._stands_beside(p, k, shared)]
        own = self._trimmed(self._below(p, joined))
        if mine is None:
            yield Clause((*subject, *shared, *own), tuple(own))
        else:
            yield Clause(tuple(own), tuple(own))
            subject = self._trimmed(self._below(mine, s.kids(mine, *_IN_PASSING)))
        for k in joined:
            yield from self.clauses(k, subject, self._lent(p, k, shared))

    def _stands_beside(self, p: int, k: int, shared: Sequence[int]) -> bool:
        s = self._s
        if k < p or k in self._quoted or any(s.word(c) in ("or", "nor") for c in s.kids(k, "cc")):
            return False
        if s.relation(k) == "parataxis":
            return bool(s.kids(k, *SUBJECTS))
        if self.is_predicate(k):
            return True
        # "the son and heir of" is one phrase, "the son of Tom and a friend of Bess" is not.
        called = bool(s.kids(p, "cop") or shared)
        return called and (s.tag(k) == "ADJ" or bool(s.kids(k, "det", "nmod:poss", "case")))

    def _lent(self, p: int, k: int, shared: Sequence[int]) -> Sequence[int]:
        """Return the auxiliaries of one predicate that the other shares: its own or those it `shared`."""
        s = self._s
        theirs = s.kids(p, *_AUXILIARIES)
        if s.kids(k, *_AUXILIARIES, *SUBJECTS):
            return ()
        if not theirs:
            return shared if self._alike(p, k) else ()
        if not (self._alike(p, k) if s.tag(k) == "VERB" else s.kids(p, "cop")):
            return ()
        denied = [n for n in s.kids(p, "advmod") if s.word(n) in ("not", "n't", "never") and n < p]
        return tuple(sorted((*theirs, *denied)))

    def _alike(self, p: int, k: int) -> bool:
        """Whether a verb has the form that another's auxiliaries require."""
        s = self._s
        theirs = [s.word(a) for a in s.kids(p, *_AUXILIARIES)]
        form = s.word(k)
        if not theirs:
            return s.tag(k) != "VERB" or form.endswith("ing")
        if theirs[-1] not in _PARTICIPLES:
            return form == s.lemma(k)
        past = theirs[-1] in ("was", "were") and bool(s.kids(p, "cop"))
        return form != s.lemma(k) and not form.endswith("s") and not past

    def _below(self, i: int, without: Sequence[int]) -> list[int]:
        found, todo = list[int](), [i]
        while todo:
            found.append(todo.pop())
            todo += (k for k in self._s.dependents(found[-1]) if k not in without)
        return sorted(found)

    def _trimmed(self, words: Sequence[int]) -> list[int]:
        """Return the words without punctuation and conjunctions at either end, but quotation marks."""
        s, kept = self._s, list(words)
        while kept and s.tag(kept[0]) in ("PUNCT", "CCONJ") and s.word(kept[0]) not in _OPENING:
            kept.pop(0)
        while kept and s.tag(kept[-1]) in ("PUNCT", "CCONJ") and s.word(kept[-1]) not in _CLOSING:
            kept.pop()
        return kept


def _quoted(s: ParsedSentence) -> Iterator[int]:
    """Yield the words in quotation marks: what somebody said stays as it is."""
    inside = False
    for i in s:
        if s.word(i) in (_CLOSING if inside else _OPENING):
            inside = not inside
        elif inside:
            yield i
