"""Reword the book's verbs in the present tense, with their arguments."""

from __future__ import annotations

from collections.abc import Sequence

from coref.types import Mention, MentionKind
from generation.lexicon import words
from generation.story.sentence_grammar import GrammaticalSentence, SentenceGrammar
from generation.writing.offline.clause_parts import GrammaticalCase, Piece
from generation.writing.offline.noun_phrases import Phrases, Unfit, length
from generation.writing.offline.tenses import AUXILIARIES, SUBJECTS, Tenses

_OTHER_SUBJECTS = ("csubj", "csubj:pass", "expl", "expl:pv")
_ODD = ("dislocated", "orphan", "dep", "list", "reparandum", "amod", "det", "nummod", "compound", "appos")
_LEFT = (
    "punct", "cc", "conj", "parataxis", "discourse", "vocative", "mark", "nsubj", "nsubj:pass", "csubj",
    "advcl:relcl", "nsubj:outer", "case", "cc:preconj",
)  # fmt: skip
_OF_NOUNS = (
    "det", "amod", "nummod", "compound", "nmod:poss", "nmod:desc", "flat", "nmod", "acl", "acl:relcl",
    "appos", "case", "fixed", "goeswith", "det:predet",
)  # fmt: skip
_TAKEN = ("obj", "iobj", "xcomp", "ccomp", "obl:agent")
_OPEN = frozenset(("if", "unless", "lest", "whether", "than"))
_MEANS = frozenset(("by", "without"))
_OWN_PLACES = frozenset(("with", "about", "before", "behind", "around", "round", "beside", "over", "above"))
"""As in "she looks about her"."""
_ASKING = frozenset(("what", "who", "whom", "how", "why", "where", "when", "which", "whose"))
_LONG = 9
"""Most words of an infinitive of purpose, or of a phrase of place."""
_ADJUNCTS = 2
_DENIALS = frozenset(("not", "n't", "never", "no"))
_FAR = 16
"""Most words between a verb and its argument."""

_Placed = tuple[int, list[Piece]]
"""Pieces with their position in the sentence."""


class Predicates:
    """Builds the predicates of one clause."""

    def __init__(self, grammar: SentenceGrammar, read: GrammaticalSentence) -> None:
        self._g = grammar
        self._s = read.words
        self._mentions = read.mentions
        self.phrases = Phrases(grammar, read, self.infinite)
        self.tenses = Tenses(grammar, read)
        self._doer: str | None = None

    # Predicates

    def predicate(self, v: int, doer: str) -> list[Piece]:
        """Return the finite verb first, then everything that is worth keeping."""
        return self._around(v, self.tenses.told(v), doer)

    def infinite(self, v: int) -> list[Piece]:
        """Return "to go", "going", "go", "gone" as it is written."""
        s = self._s
        asked = [
            k for k in s.kids(v, "advmod", "obj") if k < v and s.word(k) in ("how", "what", "where", "when")
        ]
        found: dict[int, Piece] = {k: s.word(k) for k in (*asked, *s.kids(v, "mark"), *self.tenses.chain(v))}
        if any(s.word(k) in _OPEN for k in s.kids(v, "mark")):
            raise Unfit("condition")
        if (chain := self.tenses.chain(v)) and s.word(chain[0]) not in (
            "be",
            "have",
            "being",
            "having",
            "been",
        ):
            raise Unfit("finite after all")
        found[v] = self._g.form(v).lower() if s.tag(v) == "VERB" else ""
        body = self._around(v, found)
        subjects = s.kids(v, *SUBJECTS)
        if len(subjects) > 1 or any(k > v for k in subjects):
            raise Unfit("odd subject")
        return [*self.phrases.noun(subjects[0]), *body] if subjects else body

    def setting(self, k: int) -> list[Piece]:
        """Return "when he hears of it"."""
        s = self._s
        mark = s.kids(k, "mark", "advmod")[0]
        subject = s.kid(k, *SUBJECTS)
        if subject is None or not mark < subject < k or s.kids(k, "advcl", "parataxis"):
            raise Unfit("odd setting")
        return [
            s.word(mark),
            *self.phrases.noun(subject, case=GrammaticalCase.SUBJECT),
            *self._around(k, self.tenses.agreed(k, subject, mark)),
        ]

    def _around(self, v: int, fixed: dict[int, Piece], doer: str | None = None) -> list[Piece]:
        """Return the dependents of a verb in order. `fixed` has the forms of the verb itself."""
        if doer is not None:
            self._doer = doer
            self._not_itself(v, doer)
        kids = [k for k in self._s if self._s.head(k) == v and k not in fixed]
        self._check_kids(v, kids)
        found: list[_Placed] = [(k, [piece]) for k, piece in fixed.items() if piece]
        if self._s.tag(v) != "VERB":
            found.append((v, self._complement(v)))
        begin, room, lost = min(k for k in fixed if k >= 0), _ADJUNCTS, False
        needed = not any(self._s.relation(k) in _TAKEN for k in kids)
        for k in kids:
            kept = self._kid(v, k, begin, needed=needed and room == _ADJUNCTS, room=room > 0)
            found += kept
            room -= bool(kept) and self._s.relation(k).startswith(("obl", "nmod"))
            lost |= not kept and k > v and self._s.relation(k).startswith(("obl", "adv"))
        if lost and any(self._s.word(k) in _DENIALS for k in kids):
            raise Unfit("denied in part only")
        return [piece for _, pieces in sorted(found, key=lambda f: f[0]) for piece in pieces]

    def _check_kids(self, v: int, kids: Sequence[int]) -> None:
        """Refuse dependents that no verb has, which are the parser's mistakes."""
        s, verb = self._s, self._s.tag(v) == "VERB"
        if s.kids(v, *_OTHER_SUBJECTS, *(_ODD if verb else _ODD[:5])):
            raise Unfit("odd grammar")
        between = [k for o in s.kids(v, "obj") for k in s.kids(v, "obl") if v < k < o]
        if between or len(s.kids(v, "obj")) > 1 or (verb and s.kids(v, "nmod:poss")):
            raise Unfit("odd objects")
        if verb and s.kids(v, "obj", "iobj") and self.tenses.is_passive(v):
            raise Unfit("passive with an object")
        taken = any(s.relation(k) in _TAKEN for k in (*kids, *s.kids(v, "advcl")))
        if verb and not taken and not self.tenses.is_passive(v) and s.lemma(v) in words("transitive_verbs"):
            raise Unfit("object wanting")
        if any(abs(k - v) > _FAR for k in kids if s.relation(k) in _TAKEN):
            raise Unfit("far from its verb")

    def _kid(self, v: int, k: int, begin: int, *, needed: bool, room: bool) -> list[_Placed]:
        """Return a dependent of a verb, if it is kept."""
        relation = self._s.relation(k)
        if relation in AUXILIARIES or relation in _LEFT:
            return []
        if self._s.tag(v) != "VERB" and relation in _OF_NOUNS:
            return []
        if relation in ("obj", "iobj"):
            return [(k, self._object(k, begin))]
        if relation in ("xcomp", "ccomp"):
            return [(k, self._clausal(v, k, relation, begin))]
        if relation == "compound:prt":
            return [(k, [self._s.word(k)])]
        if relation == "advmod":
            return self._adverb(v, k, begin)
        if relation == "advcl":
            return self._subordinate(v, k)
        if relation.startswith(("obl", "nmod")):
            pieces = self._oblique(v, k, needed=needed or relation == "obl:agent", room=room)
            return [(k, pieces)] if pieces else []
        raise Unfit(f"{relation} beside a verb")

    def _not_itself(self, v: int, doer: str) -> None:
        """Refuse "she told her" where both are the same person."""
        s = self._s
        for k in s.kids(v, "obj", "iobj", "obl"):
            mention = self._mentions.get(k)
            if mention is None or (mention.character == doer) == s.word(k).endswith("self"):
                continue
            if s.word(k).endswith("self"):
                raise Unfit("whose self")
            if mention.character != doer:
                continue
            if s.relation(k) != "obl" or s.case(k) not in _OWN_PLACES:
                raise Unfit("somebody else")

    def _complement(self, v: int) -> list[Piece]:
        """Return the complement: "was *very angry*", "was *a widow*"."""
        s = self._s
        if s.tag(v) == "ADJ":
            for k in s.kids(v, "advmod"):
                if s.word(k) in words("turning_adverbs"):
                    raise Unfit(f"turned: {s.word(k)}")
            near = [
                k
                for k in s.kids(v, "advmod")
                if k == v - 1 and (s.word(k).endswith("ly") or s.word(k) == "very")
            ]
            return [*(s.word(k) for k in near), s.word(v)]
        if s.tag(v) in ("NOUN", "PROPN"):
            return self.phrases.noun(v)
        raise Unfit(f"complement {s.tag(v)}")

    def _object(self, k: int, begin: int) -> list[Piece]:
        if k < begin or self._s.case(k) is not None:
            raise Unfit("object in front, or none")
        if self._s.tag(k) == "ADJ" and not self._s.kids(k, "det"):
            raise Unfit("adjective as object")
        return self.phrases.noun(k)

    def _clausal(self, v: int, k: int, relation: str, begin: int) -> list[Piece]:
        s = self._s
        if k < begin or self._g.quoted(k):
            raise Unfit("said")
        if relation == "ccomp" and not s.kids(k, *SUBJECTS):
            relation = "xcomp"
        if relation == "ccomp" and s.tag(v) == "VERB" and s.lemma(v) not in words("that_verbs"):
            raise Unfit(f"{s.lemma(v)} that")
        if relation == "xcomp":
            if s.lemma(v) in words("incomplete_verbs") and s.word(k).endswith("ing"):
                raise Unfit("a participle beside")
            if s.tag(k) == "VERB" or s.kids(k, *SUBJECTS):
                if not s.kids(v, "obj", "iobj") and not s.kids(k, *SUBJECTS):
                    self._check_own(v, k)
                return self.infinite(k)
            if s.kids(k, *AUXILIARIES) or s.kids(k, "mark"):
                return self.infinite(k)
            if s.tag(v) == "VERB" and s.lemma(v) not in words("adjective_verbs"):
                raise Unfit(f"{s.lemma(v)} with an adjective")
            return self._around(k, {k: ""})
        return self._that(k)

    def _check_own(self, v: int, k: int) -> None:
        """Refuse an infinitive whose object is its own subject: "tries to save him" is not himself."""
        s = self._s
        if s.tag(v) == "VERB" and s.lemma(v) in words("no_infinitive") and not self.tenses.is_passive(v):
            raise Unfit("object wanting")
        if self._doer is not None:
            self._not_itself(k, self._doer)

    def _that(self, k: int) -> list[Piece]:
        """Return "that he will come", "what she has done"."""
        s = self._s
        marks = [s.word(m) for m in s.kids(k, "mark")]
        if marks not in ([], ["that"], ["whether"], ["if"], ["how"]):
            raise Unfit("odd mark")
        subject = s.kids(k, *SUBJECTS)[0]
        asked = [
            a for a in s.kids(k, "obj", "advmod", "obl", "nsubj") if s.word(a) in _ASKING and a <= subject
        ]
        if subject > k or (asked and not marks and s.word(asked[0]) in ("which", "whose")):
            raise Unfit("inverted")
        agreed = self.tenses.agreed(k, subject)
        opening = [s.word(a) for a in asked[:1]] or [m if m != "if" else "whether" for m in marks] or ["that"]
        if any(s.head(a) == k and s.relation(a) in ("obj", "advmod", "obl") for a in asked):
            body = self._asked(k, asked[0], agreed)
        else:
            body = self._around(k, agreed)
        who: list[Piece] = (
            [] if subject in asked else self.phrases.noun(subject, case=GrammaticalCase.SUBJECT)
        )
        self._sure(subject)
        return [*opening, *who, *body]

    def _sure(self, subject: int) -> None:
        """Refuse "she knew that she was right" where only the page shows who is meant."""
        mention = self._mentions.get(subject)
        if mention is None or mention.character is None or mention.kind is not MentionKind.PRONOUN:
            return
        if mention.character == self._doer and self._rivalled(subject, mention):
            raise Unfit("he or he")
        if mention.character != self._doer and self._doer is not None:
            mine, theirs = self._g.pronouns(self._doer), self._g.pronouns(mention.character)
            if mine == theirs and self._s.word(subject) != "i":
                raise Unfit("he or he")

    def _rivalled(self, subject: int, mention: Mention) -> bool:
        """Whether another person who could be meant precedes the pronoun in the sentence."""
        mine = self._g.pronouns(str(mention.character))
        others = {m.character for k, m in self._mentions.items() if k < subject} - {None, mention.character}
        return self._s.word(subject) != "i" and any(self._g.pronouns(str(o)) == mine for o in others)

    def _asked(self, k: int, asked: int, agreed: dict[int, Piece]) -> list[Piece]:
        """Return the clause without its question word, which is already used."""
        agreed = {**agreed, asked: ""}
        return self._around(k, {at: p for at, p in agreed.items() if at >= 0})

    def _adverb(self, v: int, k: int, begin: int) -> list[tuple[int, list[Piece]]]:
        s, word = self._s, self._s.word(k)
        if word in words("turning_adverbs"):
            raise Unfit(f"turned: {word}")
        if word in ("not", "n't", "never"):
            if k < begin:
                raise Unfit("inverted")
            return [(k, ["not" if word == "n't" else word])]
        if any(s.word(x) in _DENIALS for x in s.kids(k, "advmod", "det")):
            raise Unfit("turned: no longer")
        if s.kids(k, "advmod", "case", "obl", "nmod", "advcl", "conj", "fixed"):
            return []
        kept = word in words("told_adverbs")
        if not kept or k < begin or (abs(k - v) > 4 and word.endswith("ly")):
            if not kept and k == v + 1 and not s.kids(v, "obj", "obl", "xcomp", "ccomp"):
                raise Unfit(f"needed: {word}")
            return []
        return [(k, [word])]

    def _subordinate(self, v: int, k: int) -> list[tuple[int, list[Piece]]]:
        """Keep "to save him", "by refusing it". Clauses of time and reason are left out, conditions are
        refused.
        """
        s = self._s
        marks = [s.word(m) for m in s.kids(k, "mark")]
        if any(m in _OPEN for m in marks):
            raise Unfit("condition")
        if k < v or s.tag(k) != "VERB" or s.kids(k, *SUBJECTS):
            return []
        if marks == ["to"] or (len(marks) == 1 and marks[0] in _MEANS and s.word(k).endswith("ing")):
            needed = (k <= v + 2 and not s.kids(v, "obj", "xcomp", "ccomp")) or s.tag(v) == "ADJ"
            try:
                pieces = self.infinite(k)
            except Unfit:
                if needed:
                    raise
                return []
            if length(pieces) <= _LONG or needed:
                return [(k, pieces)]
        self.phrases.dropped += 1
        return []

    def _left(self, k: int, case: str | None) -> bool:
        """Whether it says when, in spite of what, or how it struck somebody, and is left out."""
        s = self._s
        if case in ("than", "except"):
            raise Unfit(case)
        head = s.head(k)
        if (
            case == "of"
            and head is not None
            and s.tag(head) == "VERB"
            and s.lemma(head) not in words("of_verbs")
        ):
            return True
        if case == "to" and s.lemma(k) in words("comments"):
            return True
        return bool({s.lemma(k), s.word(k)} & words("times")) or case in words("left_prepositions")

    def _bare(self, k: int, *, needed: bool) -> list[Piece]:
        """Return an adjunct without a preposition: "three miles". A reflexive pronoun ("himself") is left
        out.
        """
        s = self._s
        if s.word(k).endswith(("self", "selves")):
            return []
        if s.kids(k, "nummod"):
            return self.phrases.noun(k)
        if needed or s.tag(k) == "PROPN":
            raise Unfit("no preposition")
        return []

    def _oblique(self, v: int, k: int, *, needed: bool, room: bool) -> list[Piece]:
        s = self._s
        case = s.case(k)
        if k < v or self._left(k, case):
            return []
        if case is None and s.relation(k) != "obl:agent":
            return self._bare(k, needed=needed)
        try:
            pieces = self.phrases.noun(k)
        except Unfit:
            if needed:
                raise
            self.phrases.dropped += 1
            return []
        if not needed and (not room or length(pieces) > _LONG):
            self.phrases.dropped += 1
            return []
        return pieces
