"""The measures of coreference: published toy cases counted by hand, and a second, naive implementation."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.coref.scores import (
    b_cubed,
    ceaf_e,
    coreference,
    mentions,
    muc,
    without_singletons,
)
from evaluation.coref.tallies import PrecisionRecall, pooled

Clustering = Sequence[set[Hashable]]

# Bagga and Baldwin 1998, figures 1 to 3: three true chains; two responses that join two of them.
BAGGA: Clustering = [{1, 2, 3, 4, 5}, {6, 7}, {8, 9, 10, 11, 12}]
BAGGA_A: Clustering = [{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10, 11, 12}]
BAGGA_B: Clustering = [{1, 2, 3, 4, 5, 8, 9, 10, 11, 12}, {6, 7}]
# Pradhan et al. 2014, the example of "Scoring Coreference Partitions of Predicted Mentions".
PRADHAN: Clustering = [set("abc"), set("defg")]
PRADHAN_FOUND: Clustering = [set("ab"), set("cd"), set("fghi")]


def parts(score: PrecisionRecall) -> tuple[float, float]:
    return score.precision.value, score.recall.value


def test_muc_of_bagga_and_baldwin() -> None:
    """Both responses have one link too many of ten, for which they criticise MUC."""
    assert parts(muc(BAGGA, BAGGA_A)) == pytest.approx((9 / 10, 1))
    assert parts(muc(BAGGA, BAGGA_B)) == pytest.approx((9 / 10, 1))


def test_b_cubed_of_bagga_and_baldwin() -> None:
    """They report 76% and 58%, and full recall."""
    assert parts(b_cubed(BAGGA, BAGGA_A)) == pytest.approx((16 / 21, 1))
    assert parts(b_cubed(BAGGA, BAGGA_B)) == pytest.approx((7 / 12, 1))


def test_ceaf_by_hand_on_bagga_and_baldwin() -> None:
    """First: the same chain, 1, and 2·5/(5+7). Second: the same chain, 1, and 2·5/(5+10)."""
    assert parts(ceaf_e(BAGGA, BAGGA_A)) == pytest.approx(((1 + 5 / 6) / 2, (1 + 5 / 6) / 3))
    assert parts(ceaf_e(BAGGA, BAGGA_B)) == pytest.approx(((1 + 2 / 3) / 2, (1 + 2 / 3) / 3))


def test_pradhan_and_others_whose_mentions_differ() -> None:
    """They report: MUC 0.40 and 0.40; B³ precision 0.50, recall 0.42; CEAFe precision 0.43, recall 0.65."""
    found = coreference(PRADHAN, PRADHAN_FOUND)
    assert parts(found.muc) == pytest.approx((2 / 5, 2 / 5))
    assert parts(found.b_cubed) == pytest.approx((4 / 8, 35 / 12 / 7))
    assert parts(found.ceaf_e) == pytest.approx((1.3 / 3, 1.3 / 2))
    assert [round(f1, 2) for f1 in (found.muc.f1, found.b_cubed.f1, found.ceaf_e.f1)] == [0.4, 0.45, 0.52]
    assert found.conll == pytest.approx((found.muc.f1 + found.b_cubed.f1 + found.ceaf_e.f1) / 3)
    assert parts(mentions("abcdefg", "abcdfghi")) == pytest.approx((6 / 8, 6 / 7))


def test_singletons_count_but_have_no_links() -> None:
    gold: Clustering = [{1}, {2, 3}]
    assert parts(muc(gold, gold)) == (1, 1)
    assert muc([{1}], [{1}]).f1 == 0, "there is no link to find"
    assert parts(ceaf_e(gold, [{1}])) == pytest.approx((1, 1 / 2))
    assert without_singletons(gold) == [{2, 3}]


@pytest.mark.parametrize("one", [[], [{1, 2}]])
def test_nothing_against_something(one: Clustering) -> None:
    assert coreference(one, []).conll == 0
    assert coreference([], one).conll == 0


def test_a_mention_in_two_clusters_is_refused() -> None:
    with pytest.raises(ValueError, match="two clusters"):
        b_cubed([{1, 2}], [{1}, {1, 2}])


def test_documents_are_pooled_by_their_counts() -> None:
    """7 of 12 and 2 of 2: pooled by counts, not by the mean of the documents."""
    both = pooled([b_cubed(BAGGA, BAGGA_B), b_cubed([{1, 2}], [{1, 2}])])
    assert both.precision.value == pytest.approx(9 / 14)


@st.composite
def clusterings(draw: st.DrawFn) -> Clustering:
    """Generate up to seven mentions, each in one of four clusters or in none."""
    owners = draw(st.lists(st.sampled_from([None, 0, 1, 2, 3]), min_size=7, max_size=7))
    every: list[set[Hashable]] = [{m for m, owner in enumerate(owners) if owner == at} for at in range(4)]
    return [cluster for cluster in every if cluster]


def naive_ceaf(gold: Clustering, found: Clustering) -> float:
    short, long = sorted((gold, found), key=len)
    return max(
        sum(2 * len(a & b) / (len(a) + len(b)) for a, b in zip(short, chosen, strict=True))
        for chosen in permutations(long, len(short))
    )


def naive_b_cubed(one: Clustering, other: Clustering) -> float:
    """Return the share of cluster mates of `one`'s mentions that are mates in `other` too."""
    empty: set[Hashable] = set()
    shares = [
        len(cluster & next((o for o in other if mention in o), empty)) / len(cluster)
        for cluster in one
        for mention in cluster
    ]
    return sum(shares) / len(shares) if shares else 0.0


def naive_muc(one: Clustering, other: Clustering) -> float:
    """Return the number of kept links.

    Of the fewest that hold a cluster together, these are the ones inside the pieces that `other` cuts.
    """
    needed = sum(len(cluster) - 1 for cluster in one)
    kept = sum(max(0, len(cluster & o) - 1) for cluster in one for o in other)
    return kept / needed if needed else 0.0


@given(clusterings(), clusterings())
def test_it_is_what_a_naive_scorer_says(gold: Clustering, found: Clustering) -> None:
    result = coreference(gold, found)
    alike = naive_ceaf(gold, found)
    assert parts(result.ceaf_e) == pytest.approx(
        (alike / len(found) if found else 0, alike / len(gold) if gold else 0)
    )
    assert parts(result.b_cubed) == pytest.approx((naive_b_cubed(found, gold), naive_b_cubed(gold, found)))
    assert parts(result.muc) == pytest.approx((naive_muc(found, gold), naive_muc(gold, found)))


@given(clusterings(), clusterings())
def test_gold_and_found_change_places(gold: Clustering, found: Clustering) -> None:
    there, back = coreference(gold, found), coreference(found, gold)
    for name in ("muc", "b_cubed", "ceaf_e"):
        assert parts(getattr(there, name)) == pytest.approx(parts(getattr(back, name))[::-1])
