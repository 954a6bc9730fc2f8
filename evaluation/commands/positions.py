"""`bookworm evaluate positions`: perplexity by position, for texts longer than a model was trained on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from coref.training.commands.options import folder_given
from service.cli import output
from service.cli.json_values import plain
from service.cli.options import JsonFlag

if TYPE_CHECKING:
    from evaluation.positions.perplexity import PositionCurve
    from generation.models.llama.rope import RopeScaling

_LENGTHS = (2048, 4096, 8192, 16384)


def positions(
    file: Annotated[Path, typer.Argument(metavar="FILE", exists=True, dir_okay=False, help="A long book.")],
    base: Annotated[Path, folder_given("--base", "The language model.")],
    ropes: Annotated[
        list[str] | None,
        typer.Option(
            "--rope",
            metavar="METHOD:NUMBER",
            help="A scaling of positions: pi:4, ntk:4, yarn:4, abf:1000000.",
        ),
    ] = None,
    lengths: Annotated[
        list[int] | None,
        typer.Option("--length", min=16, help="Tokens that the model reads at once; may be repeated."),
    ] = None,
    most: Annotated[int, typer.Option("--most", min=1, help="Stretches of each length.")] = 4,
    json: JsonFlag = False,
) -> None:
    """Measure how well a model follows a text by the position in it, with each scaling of positions."""
    from transformers import AutoTokenizer

    from books.reading import read
    from evaluation.positions.perplexity import curve
    from generation.models.llama.chat import encode_plain
    from generation.models.llama.folders import find_base
    from generation.models.llama.rope import RopeScaling

    scalings = {rope or "as trained": RopeScaling.parse(rope) for rope in (None, *(ropes or ()))}
    base = find_base(str(base)).folder
    book = read(file.read_bytes(), name=file.name)
    tokens = encode_plain(AutoTokenizer.from_pretrained(base, local_files_only=True), book.text)
    found: dict[str, list[PositionCurve]] = {}
    for name, scaling in scalings.items():
        model = _model(base, scaling)
        curves = (curve(model, tokens, length, most=most) for length in lengths or _LENGTHS)
        found[name] = [each for each in curves if each is not None]
        output.tell(f"{name}: {len(found[name])} lengths")
    if json:
        output.write_json(plain(found))
        return
    table = Table(
        "Positions", "Tokens", "Windows", "Perplexity", "By position, first to last eighth", box=None
    )
    for name, told in found.items():
        for each in told:
            by_position = " ".join(f"{value:.1f}" for value in each.bins)
            table.add_row(name, f"{each.length:,}", str(each.windows), f"{each.whole:.2f}", by_position)
    output.out.print(table)


def _model(base: Path, scaling: RopeScaling | None) -> Any:
    from transformers import AutoConfig, AutoModelForCausalLM

    from generation.models.llama.rope import scaled

    config = scaled(AutoConfig.from_pretrained(base, local_files_only=True), scaling)
    return AutoModelForCausalLM.from_pretrained(base, config=config, local_files_only=True).eval()
