"""The offline judge: compare a claim with the sentences of the book that contain its words and people.

Predicates of the claim and of the book are compared with their agents and patients, through passives and
pronouns. A relation between two people is decided by the votes of all its mentions. The weights of the
features and the meaning of the scores were fitted on facts known to be true or false
(`evaluation/judging/fit.py`). A claim about order or cause is at best uncertain, since no feature measures
them. If a book is not parsed, only words are compared.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from coref.protocols import ParsesText
from generation.checking.claims.bundled_parser import native
from generation.checking.judges import kin_claims, propositions, word_overlap
from generation.checking.judges.agreement_features import ComparableClaim, PredicateAgreement, meet, numbers
from generation.checking.judges.claim_parsing import ParsedClaim, parse
from generation.checking.judges.content_words import LONGEST, chapter_of, content_words, strangers
from generation.checking.judges.judge_weights import JudgeWeights, own_weights
from generation.checking.types import NOWHERE, Case, Evidence
from generation.types import Citation, Claim, Label, Verdict

NAME = "offline/3"
_OPEN = re.compile(r"\b(?:before|after|because|until|till|since|when|while|so that)\b", re.IGNORECASE)
"""Words of order and cause. Even if both parts of such a claim are true, it may be false."""
_SIDES = {Label.SUPPORTED: 1.0, Label.CONTRADICTED: -1.0}
_PLAIN = 0.6
"""Score from which the book is taken to contradict the claim."""
_SHOWN = 3
_SAME, _OTHER, _TWICE = 1.3, 2.0, 2.0
"""Minimum votes for the claimed relation, minimum votes for another one, and the ratio needed to win."""


@dataclass(frozen=True, slots=True)
class _Ruling:
    label: Label
    score: float
    where: tuple[Evidence, ...] = ()
    rule: str | None = None
    """The rule that decided, or None for the sum of the features."""


@dataclass(frozen=True, slots=True)
class ClaimSigns:
    """The verdict on a claim with its features, from which the weights are fitted."""

    numbers: tuple[float, ...] | None
    """The features, or None if a rule decided or there was nothing to weigh."""
    verdict: Verdict
    rule: str | None
    doubtful: bool = False
    """Whether something speaks against the claim that no sum outweighs."""


class OfflineJudge:
    def __init__(
        self, *, parser: Callable[[], ParsesText | None] = native, weights: JudgeWeights | None = None
    ) -> None:
        """Create a judge. `parser` returns a parser for claims, loaded when first needed."""
        self._parser = parser
        self._weights = weights or own_weights()

    @property
    def name(self) -> str:
        return NAME

    def judge(self, cases: Sequence[Case]) -> list[Verdict]:
        return [seen.verdict for seen in self.see(cases)]

    def see(self, cases: Sequence[Case]) -> list[ClaimSigns]:
        """Return the verdicts with the features they are based on."""
        settled = [self._settled(case) for case in cases]
        parsed = self._parse(
            [
                case.claim if held is None and case.sentences else None
                for case, held in zip(cases, settled, strict=True)
            ]
        )
        rows = zip(cases, settled, parsed, strict=True)
        return [held or self._see(case, told) for case, held, told in rows]

    def _parse(self, claims: Sequence[Claim | None]) -> list[ParsedClaim | None]:
        """Parse all claims at once. The result is None for a missing claim, or if there is no parser."""
        asked = [claim for claim in claims if claim is not None]
        parser = self._parser() if asked else None
        found = iter(parse(asked, parser) if parser is not None else [None] * len(asked))
        return [None if claim is None else next(found) for claim in claims]

    def _settled(self, case: Case) -> ClaimSigns | None:
        """Decide a claim if that is possible without parsing it."""
        claim = case.claim
        if claim.counted is not None:
            agrees = claim.counted.said == claim.counted.found
            label = Label.SUPPORTED if agrees else Label.CONTRADICTED
            return ClaimSigns(None, Verdict(label, 1.0, claim.citations, self.name), "counted")
        if len(claim.text) > LONGEST or not claim.text.strip() or not case.evidence:
            return self._seen(_Ruling(Label.UNSUPPORTED, 1.0, (), "nothing"))
        if case.holds:
            sure = self._weights.rule("composed")
            return self._seen(_Ruling(Label.SUPPORTED, sure, case.cited, "composed"))
        return None

    def _see(self, case: Case, parsed: ParsedClaim | None) -> ClaimSigns:
        if not case.sentences or parsed is None:
            label, score, shown = word_overlap.verdict(case.claim, case.evidence)
            sure = self._weights.rule(f"lexical {label}") if label in _SIDES else score
            return ClaimSigns(None, Verdict(label, round(sure, 3), shown, self.name), "lexical")
        return self._weighed(case, parsed)

    def _weighed(self, case: Case, parsed: ParsedClaim) -> ClaimSigns:
        asked = _asked(case.claim, parsed)
        settled = self._kin(asked, case)
        if settled is not None:
            return self._seen(settled)
        met = meet(asked, case.sentences)
        side = _SIDES.get(word_overlap.verdict(case.claim, case.sentences)[0], 0.0)
        signs = numbers(asked, case, met, lexical=side)
        doubtful = self._doubtful(case, asked, met)
        total = self._weights.sum(signs)
        ruling = self._contrary(met) or self._sum(case, asked, met, total, doubtful=doubtful)
        return replace(self._seen(ruling, tuple(signs)), doubtful=doubtful)

    def _kin(self, asked: ComparableClaim, case: Case) -> _Ruling | None:
        claimed = kin_claims.tied(asked)
        if claimed is None:
            return None
        votes = kin_claims.vote(claimed, case)
        denied = asked.chief is not None and asked.chief.denied
        if votes.same >= _SAME and votes.same >= _TWICE * votes.other:
            rule = "kin denied" if denied else "kin"
            label = Label.CONTRADICTED if denied else Label.SUPPORTED
            return _Ruling(label, self._weights.rule(rule), tuple(votes.places), rule)
        if votes.other >= _OTHER and votes.other >= _TWICE * votes.same and not denied:
            sure = self._weights.rule("other kin")
            return _Ruling(Label.CONTRADICTED, sure, tuple(votes.against), "other kin")
        some = votes.same > 0 or votes.other > 0
        label = Label.UNCERTAIN if some else Label.UNSUPPORTED
        return _Ruling(label, 0.5, tuple(votes.places or votes.against), "kin unsure")

    def _contrary(self, met: PredicateAgreement) -> _Ruling | None:
        for name in ("denied", "swapped", "opposite", "miscounted"):
            value = getattr(met, name)
            if value >= _PLAIN and value > _TWICE * met.agreed:
                return _Ruling(Label.CONTRADICTED, self._weights.rule(name), (met.places[name],), name)
        return None

    def _sum(
        self,
        case: Case,
        asked: ComparableClaim,
        met: PredicateAgreement,
        total: float,
        *,
        doubtful: bool,
    ) -> _Ruling:
        likely = self._weights.likely(total)
        best = met.places.get("agreed") or max(case.sentences, key=lambda m: m.words)
        if total < self._weights.uncertain or asked.subject is None:
            return _Ruling(Label.UNSUPPORTED, 1 - likely)
        if total < self._weights.supported or doubtful:
            return _Ruling(Label.UNCERTAIN, likely, (best,))
        chapter = chapter_of(case.claim)
        if chapter is not None and chapter != best.chapter:
            return _Ruling(Label.UNCERTAIN, likely, (best,))
        return _Ruling(Label.SUPPORTED, likely, (best,))

    def _doubtful(self, case: Case, asked: ComparableClaim, met: PredicateAgreement) -> bool:
        """Whether something speaks against the claim that no sum outweighs."""
        nobody = strangers(case.claim) & (case.occurrences or NOWHERE).unknown
        unmet_denial = asked.told.denies and not met.agreed
        return bool(_OPEN.search(case.claim.text)) or unmet_denial or bool(nobody)

    def _seen(self, ruling: _Ruling, signs: tuple[float, ...] | None = None) -> ClaimSigns:
        where = dict.fromkeys(Citation(p.span, p.chapter) for p in ruling.where)
        verdict = Verdict(ruling.label, round(ruling.score, 3), tuple(where)[:_SHOWN], self.name)
        return ClaimSigns(signs, verdict, ruling.rule)


def _asked(claim: Claim, parsed: ParsedClaim) -> ComparableClaim:
    told = propositions.read(parsed.words, parsed.who, parsed.moods, span=claim.span)
    chief = next((p for p in told.propositions if p.chief), next(iter(told.propositions), None))
    return ComparableClaim(told, claim.subject, content_words(claim), chief)
