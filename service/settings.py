"""Every setting of the service, described. Read where the app or the CLI is assembled, and nowhere else."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from books.limits import MIB, Limits
from coref.booknlp.setup import BookNLPSetup
from generation.checking.judges.setup import NliSetup
from generation.models.types import LlamaSetup, OpenAISetup, WriterSetup
from generation.types import Strategy
from retrieval.types import Bm25Formula

TaskName = Literal["description", "analysis", "joint"]
TaskOrDefault = Literal["default", "description", "analysis", "joint"]


def _home() -> Path:
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "bookworm"


class Settings(BaseSettings):
    """Set by environment variables called `BOOKWORM_…`, or by an `.env` file in the working folder."""

    model_config = SettingsConfigDict(env_prefix="BOOKWORM_", env_file=".env", extra="ignore", frozen=True)

    data_dir: Path = Field(
        default_factory=_home, description="Folder for the database, the books and their indexes."
    )
    database_url: str | None = Field(
        default=None,
        description="SQLAlchemy URL, such as `postgresql://…`. By default SQLite in the data folder.",
    )
    artefacts_url: str | None = Field(
        default=None,
        description="Where books are kept: a folder or an fsspec address such as `s3://bucket/books`. "
        "By default a folder in the data folder.",
    )

    host: str = Field(
        default="127.0.0.1", description="Address to listen on. Other than loopback needs API keys."
    )
    port: int = Field(default=8000, ge=0, le=65535, description="Port to listen on.")
    max_upload_bytes: int = Field(default=64 * MIB, ge=1, description="Largest upload, in bytes.")
    max_unpacked_bytes: int = Field(
        default=256 * MIB, ge=1, description="What a packed book (EPUB, DOCX, gzip) may unpack to, in bytes."
    )
    request_timeout: float = Field(
        default=60.0, gt=0, description="Seconds after which a request is given up."
    )
    writing_timeout: float = Field(
        default=600.0,
        gt=0,
        description="The same for requests that have an answer written: a language model takes its time. "
        "A streamed answer has no limit.",
    )
    default_rate_per_minute: int = Field(
        default=600,
        ge=1,
        description="Requests a minute for an API key that is created without its own limit.",
    )
    default_quota_per_day: int = Field(
        default=50_000,
        ge=1,
        description="Requests a day for an API key that is created without its own limit.",
    )

    resolver: str = Field(default="native", description="Engine that finds characters and mentions.")
    booknlp_python: Path | None = Field(
        default=None,
        description="For the resolver `booknlp`: the `python` of the environment that has the package.",
    )
    booknlp_models: Path | None = Field(
        default=None,
        description="For the resolver `booknlp`: the folder with its weights, under the names it gives them.",
    )
    booknlp_size: Literal["small", "big"] = Field(
        default="small", description="For the resolver `booknlp`: which of its models."
    )
    booknlp_timeout: float = Field(
        default=14_400.0, gt=0, description="Seconds after which the resolver `booknlp` gives a book up."
    )
    embedder: str = Field(
        default="minilm",
        description="Engine that embeds passages, or a folder with a sentence-transformers model.",
    )
    retriever: str = Field(
        default="mentions", description="Default way of finding the passages that a language model is shown."
    )
    bm25: Bm25Formula = Field(
        default=Bm25Formula.LUCENE,
        description="How BM25 weighs words: `lucene`, or `okapi` as `rank_bm25` does.",
    )
    generator: str = Field(default="offline", description="Default engine that writes answers.")
    extractor: str = Field(
        default="offline",
        description="Engine that splits texts into facts: `offline` or `llm`. Offline answers bring theirs.",
    )
    extractor_model: Literal["llama", "openai", "scripted-model"] = Field(
        default="openai", description="For the extractor `llm`: the generator whose language model it asks."
    )
    judge: str = Field(default="offline", description="Engine that checks facts.")
    judge_model: Literal["llama", "openai", "scripted-model"] = Field(
        default="openai", description="For the judge `llm`: the generator whose language model it asks."
    )
    nli_model: Path | None = Field(
        default=None,
        description="For the judge `nli`: a folder with a sequence-classification model, such as one trained "
        "on MNLI, and its tokenizer.",
    )
    nli_threshold: float = Field(
        default=0.5, ge=0, le=1, description="For the judge `nli`: the probability that bears a fact out."
    )
    nli_contradiction: float = Field(
        default=0.5,
        ge=0,
        le=1,
        description="For the judge `nli`: the probability that contradicts one, if it is the likelier.",
    )
    nli_batch: int = Field(
        default=32, ge=1, le=1024, description="For the judge `nli`: pairs of passage and fact done together."
    )
    passages: int = Field(default=80, ge=1, le=1000, description="Passages retrieved for an answer, at most.")
    token_budget: int = Field(default=7000, ge=200, description="Tokens of passages for an answer, at most.")
    strategy: Strategy = Field(
        default=Strategy.RETRIEVE, description="Default of what a language model is shown of the book."
    )
    temperature: float = Field(
        default=0.4, ge=0, le=2, description="Default of how freely a language model chooses its words."
    )
    answer_tokens: int | None = Field(
        default=None,
        ge=1,
        description="Tokens of a language model that one answer may take, all its prompts included; "
        "what would take more is refused. By default there is no limit.",
    )
    offline_fallback: bool = Field(
        default=True,
        description="Whether the offline answer stands in, and says so, "
        "when what a language model writes is not fit to be shown.",
    )
    templates: Path | None = Field(
        default=None,
        description="Folder of prompt templates that replace those of the same name that Bookworm has.",
    )

    llama_base: str | None = Field(
        default=None,
        description="For the generator `llama`: a folder with an instruction-tuned model, "
        "or a hub id whose files are on this machine.",
    )
    llama_adapters: dict[TaskOrDefault, Path] = Field(
        default={},
        description="For the generator `llama`: folders of LoRA adapters by task as JSON, such as "
        '`{"analysis": "/adapters/analysis"}`; `default` is for the tasks without one.',
    )
    llama_device: str = Field(
        default="auto",
        description="For the generator `llama`: `cuda`, `cpu`, or `auto` for the best.",
    )
    llama_batch: int = Field(
        default=8, ge=1, le=1024, description="For the generator `llama`: requests that are done together."
    )
    llama_context: int | None = Field(
        default=None,
        ge=512,
        description="For the generator `llama`: tokens of prompt and answer, if less than the model takes.",
    )

    openai_url: str | None = Field(
        default=None,
        pattern=r"^https?://\S+$",
        description="For the generator `openai`: where an OpenAI-compatible server listens, "
        "such as `http://127.0.0.1:8001/v1`.",
    )
    openai_key: SecretStr | None = Field(
        default=None, description="For the generator `openai`: the server's API key, if it wants one."
    )
    openai_model: str | None = Field(
        default=None, description="For the generator `openai`: the model's name on that server."
    )
    openai_models: dict[TaskName, str] = Field(
        default={},
        description="For the generator `openai`: models of their own for some tasks as JSON, such as "
        '`{"analysis": "analyst"}`.',
    )
    openai_context: int | None = Field(
        default=None,
        ge=512,
        description="For the generator `openai`: tokens of prompt and answer. By default it asks the server.",
    )
    openai_timeout: float = Field(
        default=120.0, gt=0, description="For the generator `openai`: seconds to wait for the server."
    )
    openai_attempts: int = Field(
        default=4, ge=1, le=20, description="For the generator `openai`: tries of a call that may work later."
    )
    openai_concurrency: int = Field(
        default=8, ge=1, le=1024, description="For the generator `openai`: calls at a time."
    )

    open_books: int = Field(default=100, ge=1, description="Books kept open in memory, at most.")
    open_books_memory: int = Field(
        default=220,
        ge=1,
        description="MiB of memory, about, that open books may take together; those not asked for lately go.",
    )

    jobs_in_process: bool = Field(
        default=True,
        description="Whether `serve` also does ingest jobs; switch it off when workers run beside it.",
    )
    job_concurrency: int = Field(default=1, ge=1, le=64, description="Ingest jobs at a time in each process.")
    job_attempts: int = Field(
        default=4, ge=1, description="Tries of a stage whose failure may pass by itself."
    )
    worker_id: str | None = Field(
        default=None,
        description="Name of this worker: distinct for each process and the same after a restart. "
        "By default made from the host name and a free slot.",
    )
    heartbeat_seconds: float = Field(
        default=5.0, gt=0, description="How often a worker says that it is alive."
    )
    takeover_seconds: float = Field(
        default=20.0, gt=0, description="Silence after which another worker takes over a worker's jobs."
    )

    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="Least level logged."
    )
    log_format: Literal["json", "console"] = Field(default="json", description="How log lines look.")
    otel_endpoint: str | None = Field(
        default=None,
        description="OTLP/HTTP address for traces; needs the `otel` extra. By default no traces.",
    )

    @property
    def database(self) -> str:
        return self.database_url or f"sqlite:///{self.data_dir / 'bookworm.sqlite3'}"

    @property
    def artefacts(self) -> str:
        return self.artefacts_url or str(self.data_dir / "books")

    @property
    def booknlp(self) -> BookNLPSetup:
        """How the resolver `booknlp` is run."""
        return BookNLPSetup(
            python=self.booknlp_python,
            models=self.booknlp_models,
            size=self.booknlp_size,
            timeout=self.booknlp_timeout,
        )

    @property
    def writers(self) -> WriterSetup:
        """What the generators with a language model are given."""
        return WriterSetup(
            llama=LlamaSetup(
                base=self.llama_base,
                adapters={str(task): folder for task, folder in self.llama_adapters.items()},
                device=self.llama_device,
                batch=self.llama_batch,
                context=self.llama_context,
            ),
            openai=OpenAISetup(
                url=self.openai_url,
                key=self.openai_key.get_secret_value() if self.openai_key else None,
                model=self.openai_model,
                models={str(task): name for task, name in self.openai_models.items()},
                context=self.openai_context,
                timeout=self.openai_timeout,
                attempts=self.openai_attempts,
                concurrency=self.openai_concurrency,
            ),
            templates=self.templates,
        )

    @property
    def nli(self) -> NliSetup:
        """What the judge `nli` is given."""
        return NliSetup(
            folder=self.nli_model,
            batch=self.nli_batch,
            threshold=self.nli_threshold,
            contradiction=self.nli_contradiction,
        )

    @property
    def limits(self) -> Limits:
        """What reading one book may cost."""
        return Limits(unpacked=self.max_unpacked_bytes)

    @property
    def workspace(self) -> Path:
        """Local folder in which versions are built when the artefacts live elsewhere."""
        return self.data_dir / "workspace"
