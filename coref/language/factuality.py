"""The factuality of a predicate: whether it is denied or only possible, and its tense.

A predicate has words of its own for that (`not`, `might`, `if`, `did`) and inherits from the word that
governs it: somebody who only tried to go may not have gone, and somebody who refused to go did not go.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from coref.language.parsed_sentence import ParsedSentence
from coref.language.word_lists import words
from coref.types import Tense

_DEEPEST = 12
"""How many governing words are followed upwards in a sentence."""
_SUBJECTS = ("nsubj", "nsubj:pass", "csubj", "csubj:pass", "expl")
_AUXILIARIES = ("aux", "aux:pass", "cop")
_WILL = frozenset(("will", "shall"))
_PAST = frozenset(("was", "were", "had", "did", "got", "wast", "wert", "hadst", "didst"))
_THIRD = frozenset(("he", "she", "it"))
ASKED = "?"
ORDERED = "!"
TO = "to"


@dataclass(frozen=True, slots=True)
class Mood:
    negated: bool = False
    modal: str | None = None
    tense: Tense | None = None


class Moods:
    """The moods of the predicates of one sentence. Each is computed once."""

    def __init__(self, sentence: ParsedSentence, quoted: Callable[[int], bool]) -> None:
        self._s = sentence
        self._quoted = quoted
        self._known: dict[int, Mood] = {}

    def of(self, predicate: int, *, depth: int = 0) -> Mood:
        found = self._known.get(predicate)
        if found is None:
            found = self._own(predicate)
            if depth < _DEEPEST:
                found = self._governed(predicate, found, depth)
                self._known[predicate] = found
        return found

    def _own(self, p: int) -> Mood:
        s = self._s
        denied = sum(1 for k in s.kids(p, "advmod", "cc:preconj") if _denies(s, k)) % 2 == 1
        without = any(s.word(k) == "without" for k in s.kids(p, "mark", "case"))
        nothing = any(self._nothing(k) for k in s.kids(p, "obj", "det", "nsubj", "nsubj:pass"))
        return Mood(denied or without or nothing, self._modal(p), self._tense(p))

    def _nothing(self, k: int) -> bool:
        """Recognise `no answer`, `nobody`, and the `no` of "was no coward"."""
        s = self._s
        if s.relation(k) == "det":
            return s.word(k) in ("no", "neither")
        return s.word(k) in ("nobody", "nothing", "none", "neither") or denied_thing(s, k)

    def _modal(self, p: int) -> str | None:
        s = self._s
        aux = next((m for k in s.kids(p, "aux") if (m := _modal_of(s, k))), None)
        if aux:
            return aux
        if any(_open(s, k) for k in s.kids(p, "mark")):
            return "if"
        if s.relation(p) == "advcl" and self._inverted(p):
            return "if"
        if s.relation(p) in ("root", "conj", "parataxis", "ccomp") and s.asked(p):
            return ASKED
        return ORDERED if self._orders(p) else None

    def _inverted(self, p: int) -> bool:
        """Recognise "Had she been there", where the auxiliary stands before its subject."""
        s = self._s
        subject, aux = s.kid(p, *_SUBJECTS), s.kid(p, *_AUXILIARIES)
        return subject is not None and aux is not None and aux < subject

    def _orders(self, p: int) -> bool:
        s = self._s
        return (
            s.relation(p) in ("root", "parataxis", "ccomp")
            and s.tag(p) == "VERB"
            and s.word(p) == s.lemma(p)
            and not s.kids(p, *_SUBJECTS)
            and not any(s.lemma(k) != "do" for k in s.kids(p, *_AUXILIARIES))
        )

    def _tense(self, p: int) -> Tense | None:
        s = self._s
        auxiliaries = s.kids(p, *_AUXILIARIES)
        if any(s.lemma(k) in _WILL for k in auxiliaries):
            return Tense.FUTURE
        finite = next((k for k in auxiliaries if s.lemma(k) not in words("modals")), None)
        if auxiliaries and (finite is None or finite != auxiliaries[0]):
            return None  # the form of a verb after a modal does not show the tense
        if finite is not None:
            past = s.word(finite) in _PAST or s.lemma(finite) == "have"
            return None if s.word(finite) in ("be", "being") else Tense.PAST if past else Tense.PRESENT
        return self._by_form(p) if s.tag(p) in ("VERB", "AUX") and not _has_to(s, p) else None

    def _by_form(self, p: int) -> Tense | None:
        s = self._s
        word, lemma = s.word(p), s.lemma(p)
        if word.endswith("ing") and not lemma.endswith("ing"):
            return None
        if word == lemma:
            subject = s.kid(p, "nsubj")
            if subject is None:
                return None
            third = s.word(subject) in _THIRD or s.tag(subject) == "PROPN"
            return Tense.PAST if third else Tense.PRESENT  # "he put": the present tense would end in s
        if word.endswith("s") and not lemma.endswith("s"):
            return Tense.PRESENT
        participle = s.relation(p) in ("acl", "advcl", "amod") and not s.kids(p, *_SUBJECTS)
        return None if participle else Tense.PAST

    # What a predicate inherits from the word that governs it

    def _governed(self, p: int, own: Mood, depth: int) -> Mood:
        g = self._s.head(p)
        if g is None:
            return own
        relation = self._s.relation(p)
        if relation == "xcomp":
            return self._complement(p, g, own, self.of(g, depth=depth + 1))
        if relation == "conj":
            return self._joined(p, g, own, self.of(g, depth=depth + 1))
        if relation in ("ccomp", "csubj"):
            return self._reported(p, g, own, self.of(g, depth=depth + 1))
        if relation in ("advcl", "acl"):
            return self._adverbial(p, g, own, self.of(g, depth=depth + 1))
        return own

    def _complement(self, p: int, g: int, own: Mood, above: Mood) -> Mood:
        """Combine a complement with its governor.

        What is begun is done, what is refused is not done, and what is tried may not be done.
        """
        s = self._s
        governor = s.lemma(g)
        negated = own.negated ^ above.negated ^ (governor in words("denying_verbs"))
        if _has_to(s, p) and _too_much(s, g):
            return Mood(not own.negated, own.modal or above.modal, own.tense or above.tense)
        if s.tag(p) not in ("VERB", "AUX") and not s.kids(p, "cop"):  # seemed proud, called her proud
            opinion = governor in words("seeming_verbs") or (
                governor in words("naming_verbs") and bool(s.kids(g, "obj", "nsubj:pass"))
            )
            own = replace(own, modal=own.modal or (governor if opinion else None))
        elif governor == "go" and s.word(g) == "going" and _has_to(s, p):
            return Mood(negated, own.modal or above.modal, Tense.FUTURE)
        elif governor == "have" and _has_to(s, p):
            own = replace(own, modal="must")
        elif governor not in words("fulfilling_verbs") and governor not in words("denying_verbs"):
            own = replace(own, modal=own.modal or governor)
        return Mood(negated, own.modal or above.modal, own.tense or above.tense)

    def _joined(self, p: int, g: int, own: Mood, above: Mood) -> Mood:
        """Let a conjunct share an earlier subject and auxiliary that it lacks: "did not see or hear"."""
        s = self._s
        if s.kids(p, *_SUBJECTS):
            return own
        marked = above.modal in ("if", ASKED, ORDERED)
        shared = not s.kids(p, *_AUXILIARIES) and (
            bool(s.kids(g, *_AUXILIARIES)) or s.tag(g) not in ("VERB", "AUX") or _has_to(s, g)
        )
        if s.tag(p) in ("VERB", "AUX"):
            shared = shared and (s.word(p) == s.lemma(p) or bool(s.kids(g, "aux:pass")))
        if not shared:
            return replace(own, modal=own.modal or (above.modal if marked else None))
        link = {s.word(k) for k in s.kids(p, "cc")}
        negated = own.negated or (above.negated and not link & {"but", "yet"})
        if "nor" in link:
            negated = True
        return Mood(negated, own.modal or above.modal, above.tense)

    def _reported(self, p: int, g: int, own: Mood, above: Mood) -> Mood:
        """What somebody thinks or says need not be true. Direct speech does not count as a report."""
        s = self._s
        governor = s.lemma(g)
        if governor not in words("opinion_verbs") or self._quoted(s.start(p)) != self._quoted(s.start(g)):
            return own
        if governor in words("fulfilling_verbs") and self._bare(p):
            return own  # "heard him laugh" is no opinion
        leans = governor in words("leaning_verbs") and above.negated
        denies = governor in ("doubt", "deny") and not above.negated
        return replace(own, negated=own.negated ^ leans ^ denies, modal=own.modal or governor)

    def _bare(self, p: int) -> bool:
        word = self._s.word(p)
        return not self._s.kids(p, *_AUXILIARIES, "mark") and (
            word == self._s.lemma(p) or word.endswith("ing")
        )

    def _adverbial(self, p: int, g: int, own: Mood, above: Mood) -> Mood:
        """A purpose may fail. A participle takes the tense of its main clause."""
        s = self._s
        if _has_to(s, p):
            if s.lemma(g) in words("fulfilling_verbs") and s.tag(g) == "ADJ":
                return Mood(own.negated ^ above.negated, own.modal or above.modal, own.tense or above.tense)
            if _too_much(s, g):
                return Mood(not own.negated, own.modal, own.tense or above.tense)
            return replace(own, modal=own.modal or TO)
        return replace(own, tense=own.tense or above.tense) if s.relation(p) == "advcl" else own


def denied_thing(s: ParsedSentence, noun: int) -> bool:
    """Recognise `no friend`."""
    return any(s.word(k) in ("no", "neither") for k in s.kids(noun, "det"))


def _denies(s: ParsedSentence, k: int) -> bool:
    if s.word(k) == "no":  # "no longer", "no more"
        return True
    longer = s.kids(k, "advmod", "det")
    return (
        s.word(k) in words("denials")
        or s.lemma(k) in words("denials")
        or any(s.word(n) == "no" for n in longer)
    )


def _modal_of(s: ParsedSentence, k: int) -> str | None:
    return s.lemma(k) if s.lemma(k) in words("modals") else None


def _open(s: ParsedSentence, k: int) -> bool:
    """Recognise `if` and `as if`."""
    return s.word(k) in words("open_marks") or any(
        s.word(n) in ("if", "though") and s.word(k) == "as" for n in s.kids(k, "fixed", "mark")
    )


def _has_to(s: ParsedSentence, p: int) -> bool:
    return any(s.word(k) == "to" for k in s.kids(p, "mark"))


def _too_much(s: ParsedSentence, g: int) -> bool:
    """Recognise `too proud`, which denies the infinitive after it: "too proud to beg"."""
    return any(s.word(k) == "too" and k < g for k in s.kids(g, "advmod"))
