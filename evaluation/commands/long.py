"""`bookworm evaluate long`: summaries of long stretches of Chinese novels, as in CNNSum."""

from __future__ import annotations

from json import dumps as to_json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from coref.training.commands.options import file_given
from evaluation.chinese.types import LongPrompt, WindowSize
from service.cli import output
from service.cli.json_values import plain
from service.cli.options import JsonFlag
from service.cli.session import Session

if TYPE_CHECKING:
    from collections.abc import Sequence

    from books.types import Book
    from evaluation.chinese.cleaning import Noise
    from evaluation.chinese.long_summaries import LongAnswer, LongSample, LongScore
    from evaluation.chinese.windows import ChineseWindow
    from generation.models.protocols import LanguageModel

_EXAMPLE = 160
"""Characters of an abnormal answer that are shown."""


def long(
    context: typer.Context,
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE …",
            exists=True,
            dir_okay=False,
            help="Samples of CNNSum, such as cnnsum_XL_32k.jsonl: `context` and `summary` on each line.",
        ),
    ] = None,
    novels: Annotated[list[Path] | None, file_given("--novel", "Gather samples from this novel too.")] = None,
    sizes: Annotated[
        list[WindowSize] | None, typer.Option("--size", help="Only samples of this size; may be repeated.")
    ] = None,
    prompts: Annotated[
        list[LongPrompt] | None,
        typer.Option("--prompt", help="Instruction before the text (IB) or behind it (IE); default: both."),
    ] = None,
    generator: Annotated[
        str | None, typer.Option("--generator", metavar="NAME", help="Generator whose language model writes.")
    ] = None,
    most: Annotated[int | None, typer.Option("--most", min=1, help="Samples of each size.")] = None,
    samples: Annotated[
        Path | None,
        typer.Option("--samples", metavar="FILE", dir_okay=False, help="Write the samples as JSON lines."),
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Summarise long stretches of Chinese novels: ROUGE-L by length and prompt, and what goes wrong."""
    from evaluation.chinese.long_summaries import answers, gap, published, read_samples, scores, size_of
    from generation.registry import make_model

    session = Session.of(context)
    model = make_model(generator, setup=session.engines.rule.writers()) if generator else None
    books, removed = _cleaned(novels or ())
    gathered = _gathered(books, sizes or list(WindowSize), model)
    found = [sample for sample, _ in gathered]
    for path in files or ():
        try:
            found += read_samples(path, size_of(path))
        except (ValueError, KeyError) as error:
            raise typer.BadParameter(f"{path.name}: {error}", param_hint="FILE") from error
    found = _first(found, sizes or list(WindowSize), most)
    if not found:
        raise typer.BadParameter(
            "Give files of samples, or a --novel with enough chapters.", param_hint="FILE"
        )
    if samples is not None:
        rows = ({"context": each.context, "summary": each.summary, "source": each.source} for each in found)
        samples.write_text("".join(to_json(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    said: list[LongAnswer] = []
    for prompt in prompts or list(LongPrompt):
        for answer in answers(model, found, prompt) if model else ():
            said.append(answer)
            output.tell(f"Prompt-{prompt}, {answer.sample.source}: {answer.tokens} tokens")
    measured = scores(said)
    windows = [window for _, window in gathered]
    if json:
        output.write_json(_document(windows, removed, said, measured, gap(measured), published()))
        return
    _show_removed(removed)
    _show_lengths(windows)
    _show_scores(measured, gap(measured), said)
    _show_published(published())


def _cleaned(novels: Sequence[Path]) -> tuple[dict[str, Book], dict[str, list[Noise]]]:
    """Read novels without what websites left in them, which is returned too."""
    from books.reading import read
    from evaluation.chinese.cleaning import noise, without

    books, removed = {}, {}
    for path in novels:
        book = read(path.read_bytes(), name=path.name)
        removed[path.stem] = noise(book.text)
        cleaned = without(book.text, removed[path.stem])
        books[path.stem] = read(cleaned.encode(), name=f"{path.stem}.txt") if removed[path.stem] else book
    return books, removed


def _gathered(
    books: dict[str, Book], sizes: Sequence[WindowSize], model: LanguageModel | None
) -> list[tuple[LongSample, ChineseWindow]]:
    """Return the samples of some novels. Without a model, a character counts as a token."""
    from coref.chinese.segment import guessed_words
    from evaluation.chinese.long_summaries import LongSample
    from evaluation.chinese.windows import windows

    found = []
    for name, book in books.items():
        for size in sizes:
            for window in windows(
                name,
                book,
                size,
                tokens=model.count_tokens if model else len,
                words=lambda text: sum(not word.isspace() for word in guessed_words(text)),
            ):
                source = f"{name}: chapters {window.first + 1} to {window.last + 1}"
                found.append((LongSample(window.span.of(book.text), None, size, source), window))
    return found


def _first(found: Sequence[LongSample], sizes: Sequence[WindowSize], most: int | None) -> list[LongSample]:
    return [sample for size in sizes for sample in [each for each in found if each.size is size][:most]]


def _document(
    windows: Sequence[ChineseWindow],
    removed: dict[str, list[Noise]],
    said: Sequence[LongAnswer],
    measured: Any,
    difference: float | None,
    known: Sequence[Any],
) -> dict[str, Any]:
    return {
        "samples": plain(windows),
        "removed": plain(removed),
        "scores": [
            {"size": size, "prompt": prompt, **plain(score)} for (size, prompt), score in measured.items()
        ],
        "mse": difference,
        "answers": [{**plain(each), "sample": each.sample.source} for each in said],
        "published": list(known),
    }


def _show_removed(removed: dict[str, list[Noise]]) -> None:
    """Show what was taken out, all of it, so that somebody can see whether it was the novel's."""
    for name, found in removed.items():
        if found:
            output.out.print(f"Removed from {name}: {len(found)}", markup=False)
        for each in found:
            output.out.print(f"  {each.span.start}–{each.span.end} {each.kind}: {each.text}", markup=False)


def _show_lengths(windows: Sequence[ChineseWindow]) -> None:
    from evaluation.chinese.windows import MEASURES, lengths

    if not windows:
        return
    table = Table("Size", "Samples", "Novels", "Counted in", "Least", "Quarter", "Mean", "Most", box=None)
    for size in WindowSize:
        mine = [window for window in windows if window.size is size]
        for measure in MEASURES if mine else ():
            told = lengths(mine, measure)
            figures = (told.least, told.quarter, told.mean, told.most)
            novels = str(len({window.novel for window in mine}))
            table.add_row(size, str(len(mine)), novels, measure, *(f"{figure:,.0f}" for figure in figures))
    output.out.print(table)


def _show_scores(
    measured: dict[tuple[WindowSize, LongPrompt], LongScore],
    difference: float | None,
    said: Sequence[LongAnswer],
) -> None:
    if not measured:
        return
    table = Table("Size", "Prompt", "Samples", "ROUGE-L", "Tokens", "Abnormal", box=None)
    for (size, prompt), score in measured.items():
        wrong = ", ".join(f"{kind} {share:.0%}" for kind, share in score.abnormal.items())
        rouge = "–" if score.rouge is None else f"{score.rouge:.1f}"
        table.add_row(size, prompt, str(score.samples), rouge, f"{score.tokens:.0f}", wrong or "none")
    output.out.print(table)
    if difference is not None:
        output.out.print(f"Mean squared difference of the prompts: {difference:.1f}")
    shown: set[str] = set()
    for answer in said:
        for kind in answer.abnormal:
            if kind not in shown and answer.text:
                shown.add(kind)
                output.out.print(f"{kind}: {answer.text[:_EXAMPLE]}", markup=False)


def _show_published(rows: Sequence[dict[str, str]]) -> None:
    table = Table(
        "Published (mean of both prompts)", *WindowSize, "MSE of the prompts", box=None, header_style="dim"
    )
    for row in rows:
        table.add_row(row["model"], *(row[size] or "–" for size in WindowSize), row["mse"])
    output.out.print(table)
