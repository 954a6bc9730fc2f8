"""`bookworm train chinese-names`, `chinese-links` and `chinese-telling`: what is read in Chinese novels."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from coref.training.commands.options import WeightsFile, WeightsFolder, folder_given
from service.cli import output

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from coref.chinese.name_training import MarkedText
    from evaluation.chinese.readings import ReadChineseSentence

_NEWER_AGAIN = 7
"""How often the newer texts are read in an epoch, with other names: there are few of them."""
_SCENES_AGAIN = 50
_FULL = (2, 3)
"""Lengths of the full names of a dictionary."""


Packages = Annotated[
    Path,
    folder_given(
        "--packages", "Folder with the packages that carry the novels (evaluation/chinese/README.md)."
    ),
]


def chinese_names(
    packages: Packages,
    to: WeightsFolder,
    epochs: Annotated[int, typer.Option("--epochs", min=1)] = 10,
    seed: Annotated[int, typer.Option("--seed")] = 0,
    count: Annotated[
        int, typer.Option("--networks", min=1, help="Number of networks; the next ones have the next seeds.")
    ] = 3,
) -> None:
    """Train on novels in the public domain. `bookworm evaluate chinese` measures it."""
    import random
    from functools import partial

    from coref.chinese import name_tagger
    from coref.chinese.lexicon import surname_of
    from coref.chinese.name_signs import SignIds
    from coref.chinese.name_training import train, vocabulary
    from coref.chinese.segment import listed_names
    from evaluation.chinese.renaming import ChineseRenaming
    from evaluation.chinese.sources import THREE_KINGDOMS, chapters, name_signs

    known = list(chapters(packages))
    given, styles = name_signs(packages)
    full = tuple(name for name in listed_names() if surname_of(name) and len(name) in _FULL)

    def lessons(renaming: ChineseRenaming) -> Iterator[Sequence[MarkedText]]:
        for chapter in known:
            old = chapter.source.startswith(THREE_KINGDOMS)
            scenes = chapter.source.startswith("scenes")
            for _ in range(1 if old else _SCENES_AGAIN if scenes else _NEWER_AGAIN):
                yield renaming.renamed(chapter, old=old)

    texts = [each.text for chapter in known for each in chapter.paragraphs]
    characters, tags = vocabulary([*texts, *[("".join(given) + "".join(styles) + "".join(full))] * 3])
    output.tell(f"{len(known)} chapters, {sum(map(len, texts)):,} characters")
    networks = []
    for each in range(seed, seed + count):
        renaming = ChineseRenaming(given, styles, random.Random(each), full)
        ids = SignIds.of(characters, tags)
        networks.append(train(partial(lessons, renaming), ids, epochs=epochs, seed=each, tell=output.tell))
    to.mkdir(parents=True, exist_ok=True)
    name_tagger.save(networks, characters, tags, to / name_tagger.WEIGHTS)
    name_tagger.shipped.cache_clear()


def chinese_links(
    packages: Packages,
    to: WeightsFile,
) -> None:
    """Learn which other name is whose from the Three Kingdoms, whose people and names are known."""
    import numpy as np

    from coref.chinese import name_links
    from coref.chinese.names import find_names
    from coref.chinese.segment import segment
    from evaluation.chinese.sources import as_book, three_kingdoms
    from evaluation.metrics.logistic import fit, predict

    chapters, people = three_kingdoms(packages)
    bearers = {form: name for name, forms in people.items() for form in forms}
    book = as_book(chapters)
    words = segment(book, lambda _: None)
    of = [paragraph.chapter for paragraph in book.paragraphs]
    names = find_names(words, of)
    pairs, signs = name_links.pairs_with_signs(names.words, names.counts, of)
    known = [n for n, (full, other) in enumerate(pairs) if full in people and other in bearers]
    true = np.array([bearers[pairs[n][1]] == pairs[n][0] for n in known])
    weights = fit(signs[known], true, ridge=1.0)
    likely = predict(signs[known], weights) >= name_links.LIKELY
    output.tell(
        f"{len(known)} pairs of known names, {true.sum()} of one person: {(likely & true).sum()} are found, "
        f"and {(likely & ~true).sum()} that are not."
    )
    trained = {"on": "the Romance of the Three Kingdoms", "pairs": len(known)}
    to.write_text(name_links.as_json([float(w) for w in weights], trained=trained), "utf-8")


def chinese_telling(
    packages: Packages,
    to: WeightsFolder,
) -> None:
    """Learn what tells who somebody is in Chinese from what readers said of sentences of two novels."""
    import numpy as np

    from evaluation.chinese.indexed import indexed
    from evaluation.chinese.readings import MUCH, held_out, lessons, train, would_show
    from evaluation.chinese.sources import red_chamber, three_kingdoms
    from evaluation.metrics.logistic import area
    from retrieval.telling import chinese
    from retrieval.telling.head import JUDGED, OUTPUTS

    told = None
    for novel, chapters in (("sanguo", three_kingdoms(packages)[0]), ("honglou", red_chamber(packages))):
        with indexed(chapters) as (index, annotations):
            found = lessons(novel, index, annotations)
        output.tell(f"{novel}: {len(found.read)} sentences of {len(set(found.people))} people")
        told = found if told is None else told + found
    assert told is not None
    seen = list(held_out(told))
    for name in ("any", *JUDGED):
        true = np.array([_said(each, name) for each, _ in seen])
        share = area(np.array([scores[OUTPUTS.index(name)] for _, scores in seen]), true)
        output.tell(f"{name}: {true.mean():.0%} of the sentences, area under the curve {share:.2f}")
    shown = [each for each, scores in seen if would_show(scores)]
    output.tell(
        f"Of {len(shown)} that it would show, "
        f"{np.mean([each.about for each in shown]):.0%} are about the person, "
        f"{np.mean([each.telling > 0 for each in shown]):.0%} tell something, "
        f"{np.mean([each.telling == MUCH for each in shown]):.0%} what one wants to know, and "
        f"{np.mean([each.alone for each in shown]):.0%} can be understood alone"
    )
    to.mkdir(parents=True, exist_ok=True)
    chinese.save(train(told), to / chinese.WEIGHTS)
    chinese.shipped.cache_clear()


def _said(read: ReadChineseSentence, name: str) -> bool:
    """Whether a reader said that of a sentence."""
    said = {"any": read.wanted, "about": read.about, "telling": read.telling > 0, "alone": read.alone}
    return said[name]
