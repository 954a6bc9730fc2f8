"""The resolvers that need neither a network connection nor another program."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from coref.protocols import Resolver

_LESS = 0.3
OFFLINE = ("rules", "chinese", "untrained")


@contextmanager
def engine(name: str) -> Iterator[Resolver]:
    """`untrained` is `native` with random weights: its results must be lawful nonsense."""
    if name == "untrained":
        with tempfile.TemporaryDirectory() as folder:
            yield _untrained(Path(folder))
    elif name == "chinese":
        from coref.chinese.resolver import ChineseResolver

        yield ChineseResolver()
    else:
        from coref.registry import make_resolver

        yield make_resolver(name)


def _untrained(folder: Path) -> Resolver:
    import torch

    from coref.native.encoder import load_encoder
    from coref.native.network import LiteraryNetwork, Sizes
    from coref.native.resolver import NativeResolver
    from coref.native.weights import WeightsOrigin, save_weights
    from coref.native.word_heads import Vocabulary
    from tests.coref.native.tiny import save_encoder

    torch.set_num_threads(1)
    encoder = save_encoder(folder / "encoder")
    torch.manual_seed(3)
    tags, relations = ("NOUN", "PROPN", "VERB", "PUNCT"), ("nsubj", "obj", "root")
    vocabulary = Vocabulary(tags, relations, ("0|", "1|", "2|y"), (("",), ("s",), ("ie",)))
    network = LiteraryNetwork(load_encoder(encoder), sizes=Sizes(16, 24, 16), vocabulary=vocabulary)
    with torch.no_grad():
        network.mentions.first_alone.bias.mul_(_LESS)  # Otherwise an untrained network finds nothing.
    origin = WeightsOrigin("1", ("nothing",), "random", {}, {})
    save_weights(network, folder / "weights", origin, encoder=encoder)
    return NativeResolver(folder / "weights", encoder=encoder)
