"""Replaces the `booknlp` package in an environment that the tests build: same call, same files.

It has no knowledge of language. Its output is derived from its text: each word of `NAMES` is a person, and
`he` and `she` refer to the last person of that gender. A file `behave` in the working directory, which must
be the one with the weights, makes it fail in one of the ways in which the real program can.
"""

import json
import os
import re
import signal
import socket
import sys
import time
from pathlib import Path

NAMES = {"Tom": ("he", 1), "Anna": ("she", 2)}
HEAD = {
    "tokens": "paragraph_ID sentence_ID token_ID_within_sentence token_ID_within_document word lemma "
    "byte_onset byte_offset POS_tag fine_POS_tag dependency_relation syntactic_head_ID event",
    "entities": "COREF start_token end_token prop cat text",
    "quotes": "quote_start quote_end mention_start mention_end mention_phrase char_id quote",
}


class BookNLP:
    def __init__(self, language: str, model_params: dict[str, str]) -> None:
        assert language == "en"
        assert set(model_params["pipeline"].split(",")) == {"entity", "quote", "coref"}
        for kind in ("entity", "coref", "quote_attribution"):
            assert Path(model_params[kind + "_model_path"]).is_file()
        self._how = Path("behave").read_text() if Path("behave").exists() else ""
        assert os.environ["HF_HUB_OFFLINE"] == os.environ["TRANSFORMERS_OFFLINE"] == "1"
        if self._how == "no base":
            raise OSError("couldn't connect to the hub")
        if self._how == "download":
            socket.create_connection(("127.0.0.1", 9), timeout=1)
        sys.stdout.write("--- startup: 1.0 seconds ---\n")

    def process(self, filename: str, out: str, name: str) -> None:
        text = Path(filename).read_text("utf-8")
        Path("pid").write_text(str(os.getpid()))
        self._misbehave(text)
        Path(out).mkdir(parents=True)
        rows: dict[str, list[tuple[object, ...]]] = {"tokens": [], "entities": [], "quotes": []}
        last = {"he": -1, "she": -1}
        opened = -1
        words = [(m.group(), m.start()) for m in re.finditer(r"\w+|[^\w\s]", text)]
        for i, (word, at) in enumerate(words):
            rows["tokens"].append((0, 0, i, i, word, word, at, at + len(word), "X", "X", "x", i, "O"))
            if word in NAMES:
                pronoun, cluster = NAMES[word]
                last[pronoun] = cluster
                rows["entities"].append((cluster, i, i, "PROP", "PER", word))
            elif word.lower() in last:
                rows["entities"].append((last[word.lower()], i, i, "PRON", "PER", word))
            elif word == "“":
                opened = i
            elif word == "”":
                said = " ".join(w for w, _ in words[opened : i + 1])
                rows["quotes"].append((opened, i, None, None, None, last["he"], said))
        for ending, head in HEAD.items():
            lines = ["\t".join(head.split()), *("\t".join(map(str, row)) for row in rows[ending])]
            (Path(out) / (name + "." + ending)).write_text("\n".join(lines) + "\n", "utf-8")
        people = [{"id": c, "g": {"argmax": p}, "count": 2} for p, c in (("he/him/his", 1), ("she/her", 2))]
        (Path(out) / (name + ".book")).write_text(json.dumps({"characters": people}), "utf-8")
        sys.stdout.write("--- coref: 1.0 seconds ---\n")

    def _misbehave(self, text: str) -> None:
        if self._how == "crash":
            raise ValueError(text)
        if self._how == "exit":
            sys.exit(1)
        if self._how == "silent":
            os._exit(0)
        if self._how == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        if self._how == "slow":
            time.sleep(60)
