"""A Llama of 8 billion random weights: reading, writing and training, compared with the device's peak.

    python -m benchmarks.llm [--shape 8b|tiny] [--device auto|cpu|cuda] [--bits 16|8|4]
                             [--without training] [--to FOLDER]

All of it takes a few minutes on one H200; `--shape tiny` runs the same on any processor, as a test.
"""

from __future__ import annotations

import argparse
import json
import platform
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

import torch

from benchmarks import llm_roofline, llm_training, llm_writing, timing
from benchmarks.llm_roofline import Roofline
from benchmarks.llm_shapes import SHAPES, Shape, adapted, bare, write_folder
from benchmarks.llm_training import Training
from benchmarks.llm_writing import Describing, Reading, Stepping, told
from benchmarks.tables import Goal, at_least, under
from generation.models.llama.loading import device_of

PARTS = ("writing", "training")
READ_AT_LEAST = 50.0
"""Percent of the roofline."""
TOGETHER, WITHIN = 32, 15.0
"""Descriptions at once, and the maximum seconds for them."""


@dataclass(frozen=True, slots=True)
class Measured:
    shape: str
    bits: int
    """Of the base's linear layers."""
    weights: int
    device: str
    versions: dict[str, str]
    roofline: Roofline
    reading: list[Reading]
    stepping: list[Stepping]
    describing: list[Describing]
    training: Training | None
    goals: list[Goal]


def measure(shape: Shape, device: str, *, bits: int = 16, without: Sequence[str] = ()) -> Measured:
    large = device != "cpu"
    roofline = llm_roofline.measure(device, side=8192 if large else 1024, size=2**32 if large else 2**26)
    told(roofline)
    found: list[Reading | Stepping | Describing] = []
    if "writing" not in without:
        model = adapted(bare(shape, device, bits=bits))
        with tempfile.TemporaryDirectory() as folder:
            place = write_folder(shape, Path(folder))
            for each in llm_writing.everything(shape, place, model, roofline, device, bits=bits):
                told(each)
                found.append(each)
        del model
    training = None
    if "training" not in without:
        training = llm_training.measure(shape, roofline, device)
        told(training)
    reading = [f for f in found if isinstance(f, Reading)]
    describing = [f for f in found if isinstance(f, Describing)]
    return Measured(
        shape.name,
        bits,
        shape.weights,
        torch.cuda.get_device_name(device) if large else "cpu",
        versions(),
        roofline,
        reading,
        [f for f in found if isinstance(f, Stepping)],
        describing,
        training,
        goals(reading, describing) if bits == 16 else [],
    )


def goals(reading: Sequence[Reading], describing: Sequence[Describing]) -> list[Goal]:
    """Return the goals for an H200 in 16 bits, with the measured values."""
    found = []
    for each in reading:
        name = f"prefill, percent of the roofline, {_with(lora=each.lora)}"
        found.append(at_least(name, each.reached, READ_AT_LEAST))
    for whole in describing:
        if whole.requests == TOGETHER:
            name = f"{TOGETHER} descriptions at once, seconds, {_with(lora=whole.lora)}"
            found.append(under(name, whole.seconds, WITHIN))
    return found


def versions() -> dict[str, str]:
    packages = ("torch", "transformers", "peft")
    return {"python": platform.python_version(), **{name: version(name) for name in packages}}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--shape", choices=sorted(SHAPES), default="8b")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--bits", type=int, choices=(16, 8, 4), default=16)
    parser.add_argument("--without", nargs="*", choices=PARTS, default=[])
    parser.add_argument("--to", type=Path, default=timing.RESULTS)
    options = parser.parse_args(arguments)
    shape = SHAPES[options.shape]
    # The base is trained in 16 bits only.
    without = options.without if options.bits == 16 else [*options.without, "training"]
    measured = measure(shape, device_of(options.device), bits=options.bits, without=without)
    print(json.dumps(asdict(measured), indent=1))
    # The tiny shape's measurements are no result: they go to the results only on request.
    if shape.name != "tiny" or options.to != timing.RESULTS:
        name = "llm" if options.bits == 16 else f"llm-{options.bits}-bits"
        told(timing.save(name, measured, folder=options.to))


def _with(*, lora: bool) -> str:
    return "with LoRA" if lora else "without LoRA"


if __name__ == "__main__":
    main()
