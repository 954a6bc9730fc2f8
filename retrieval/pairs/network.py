"""The network that reads pairs, as it is trained: an encoder of `transformers`, and two outputs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from retrieval.embedders.adapters import mean_over
from retrieval.pairs.pair_reader import OF_PASSAGE, OF_QUERY
from retrieval.pairs.types import Asks, PairLesson
from retrieval.telling.sentence_table import Floats

if TYPE_CHECKING:
    from tokenizers import Encoding

Pieces = NDArray[np.int32]
"""The word pieces of a pair."""
_SPREAD: Final = 0.02
"""Deviation of the first weights of the outputs."""
_READ: Final = 384
"""Pairs that are read at once."""


class PairNetwork(nn.Module):
    def __init__(self, folder: Path, *, keep_embeddings: bool = False) -> None:
        """Raises OSError or ValueError if `folder` has no model. `keep_embeddings`: they are not trained."""
        from transformers import AutoModel, AutoTokenizer
        from transformers.utils import logging

        logging.disable_progress_bar()
        super().__init__()
        self.encoder = AutoModel.from_pretrained(
            folder, local_files_only=True, use_safetensors=True, dtype=torch.float32
        )
        if keep_embeddings:
            self.encoder.embeddings.requires_grad_(False)
        self.head = nn.Linear(int(self.encoder.config.hidden_size), len(Asks))
        nn.init.normal_(self.head.weight, std=_SPREAD)
        nn.init.zeros_(self.head.bias)
        known = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        self._padding = int(known.pad_token_id)
        self._tokenizer = known.backend_tokenizer
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()

    def forward(self, rows: Sequence[Pieces]) -> Tensor:
        """Return the log odds of both outputs for each pair."""
        device = self.head.weight.device
        shape = (len(rows), max(map(len, rows)))
        pieces, there = np.full(shape, self._padding, np.int64), np.zeros(shape, bool)
        for n, row in enumerate(rows):
            pieces[n, : len(row)], there[n, : len(row)] = row, True
        mask = torch.from_numpy(there).to(device)
        with torch.autocast(device.type, dtype=torch.bfloat16, enabled=device.type == "cuda"):
            hidden = self.encoder(
                input_ids=torch.from_numpy(pieces).to(device), attention_mask=mask.long()
            ).last_hidden_state
        said: Tensor = self.head(mean_over(hidden, mask).float())
        return said

    def pieces(self, lessons: Sequence[PairLesson]) -> list[Pieces]:
        """Return the word pieces of each pair, with those that the model puts around two texts."""
        queries = self._encoded({lesson.query for lesson in lessons}, OF_QUERY)
        passages = self._encoded({lesson.passage for lesson in lessons}, OF_PASSAGE)
        joined = (
            self._tokenizer.post_process(queries[lesson.query], passages[lesson.passage], True)
            for lesson in lessons
        )
        return [np.array(each.ids, np.int32) for each in joined]

    def _encoded(self, texts: set[str], most: int) -> dict[str, Encoding]:
        listed = sorted(texts)
        found = self._tokenizer.encode_batch(listed, add_special_tokens=False)
        for each in found:
            each.truncate(most)
        return dict(zip(listed, found, strict=True))

    def read(self, lessons: Sequence[PairLesson]) -> Floats:
        """Return the log odds of each pair for what it asks."""
        rows = self.pieces(lessons)
        order = sorted(range(len(rows)), key=lambda n: len(rows[n]))
        found = np.zeros(len(rows), np.float32)
        self.eval()
        with torch.inference_mode():
            for first in range(0, len(order), _READ):
                some = order[first : first + _READ]
                said = self([rows[n] for n in some]).cpu().numpy()
                found[some] = said[np.arange(len(some)), [lessons[n].asks for n in some]]
        return found

    def packed(self) -> dict[str, Tensor]:
        """Return what was trained, in 16 bits and by the names that `PairReader` reads."""
        return {
            name.removeprefix("encoder."): tensor.detach().half().cpu().contiguous()
            for name, tensor in self.state_dict().items()
            if name.startswith(("encoder.encoder.", "head."))
        }
