"""All settings of the service, with descriptions. Only the application and the command line read them."""

from __future__ import annotations

import json
import os
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, SecretStr, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, DotEnvSettingsSource, EnvSettingsSource, SettingsConfigDict

from books.limits import MIB, Limits
from coref.booknlp.setup import BookNLPSetup
from coref.registry import ResolverSetup
from generation.checking.setup import NliSetup
from generation.models.types import LlamaSetup, OpenAISetup, TemplateSet, WriterSetup
from generation.types import Strategy
from generation.writing.answer_sizes import context_for
from retrieval.types import Bm25Formula
from service.encoder_bits import FILE, BitsRule, BitsWanted

PREFIX = "BOOKWORM_"
NOT_SETTINGS = ("BOOKWORM_PUBLISH", "BOOKWORM_TESTS_")
"""Beginnings of names that `compose.yaml` and the tests read."""

TaskName = Literal["description", "analysis", "joint"]
TaskOrDefault = Literal["default", "description", "analysis", "joint"]


def _home() -> Path:
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "bookworm"


class Settings(BaseSettings):
    """Set with environment variables named `BOOKWORM_…`, or in an `.env` file in the working folder."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_file=".env",
        env_ignore_empty=True,
        enable_decoding=False,
        extra="ignore",
        frozen=True,
        hide_input_in_errors=True,  # it may be a password
    )

    data_dir: Path = Field(
        default_factory=_home, description="Folder for the database, the books and their indexes."
    )
    database_url: str | None = Field(
        default=None,
        description="SQLAlchemy URL, for example `postgresql://…`. A password in it is percent-encoded. "
        "The default is SQLite in the data folder.",
    )
    artefacts_url: str | None = Field(
        default=None,
        description="Where books are stored: a folder, or an fsspec URL such as `s3://bucket/books`. "
        "The default is a folder in the data folder.",
    )

    host: str = Field(
        default="127.0.0.1", description="Address to listen on. Any address but loopback requires API keys."
    )
    port: int = Field(default=8000, ge=0, le=65535, description="Port to listen on.")
    max_upload_bytes: int = Field(default=64 * MIB, ge=1, description="Maximum size of an upload, in bytes.")
    max_unpacked_bytes: int = Field(
        default=256 * MIB,
        ge=1,
        description="Maximum unpacked size of a compressed book (EPUB, DOCX, gzip), in bytes.",
    )
    request_timeout: float = Field(default=60.0, gt=0, description="Seconds after which a request times out.")
    writing_timeout: float = Field(
        default=600.0,
        gt=0,
        description="Seconds after which a request that generates an answer times out. "
        "Streamed answers have no limit.",
    )
    default_rate_per_minute: int = Field(
        default=600,
        ge=1,
        description="Requests per minute for an API key that is created without a rate limit.",
    )
    default_quota_per_day: int = Field(
        default=50_000,
        ge=1,
        description="Requests per day for an API key that is created without a quota.",
    )

    encoder_bits: BitsWanted = Field(
        default="auto",
        description="Bits of the encoders on a processor: 8, 16, 32, or auto, which measures once which is "
        "fastest on this machine.",
    )
    resolver: str = Field(default="native", description="Engine that finds characters and mentions.")
    booknlp_python: Path | None = Field(
        default=None,
        description="For the resolver `booknlp`: the `python` of the environment in which it is installed.",
    )
    booknlp_models: Path | None = Field(
        default=None,
        description="For the resolver `booknlp`: the folder with its weights, under their original names.",
    )
    booknlp_size: Literal["small", "big"] = Field(
        default="small", description="For the resolver `booknlp`: size of the model."
    )
    booknlp_timeout: float = Field(
        default=14_400.0, gt=0, description="For the resolver `booknlp`: seconds after which it times out."
    )
    embedder: str = Field(
        default="minilm",
        description="Engine that embeds passages, or a folder with a sentence-transformers model.",
    )
    retriever: str = Field(
        default="telling", description="Default retriever for the passages given to a language model."
    )
    bm25: Bm25Formula = Field(
        default=Bm25Formula.LUCENE,
        description="BM25 formula: `lucene`, or `okapi` as in `rank_bm25`.",
    )
    generator: str = Field(
        default="auto",
        description="Default engine that writes answers: `offline`, `llama`, `openai`, or `auto`, which is "
        "the language model that is set up, else one whose server answers on this machine, else `offline`.",
    )
    extractor: str = Field(
        default="auto",
        description="Engine that splits texts into facts: `offline`, `llm`, or `auto`, which is the language "
        "model that wrote the text, if one did. Offline answers include their facts.",
    )
    extractor_model: Literal["llama", "openai", "scripted-model"] = Field(
        default="openai", description="For the extractor `llm`: the generator whose language model it uses."
    )
    judge: str = Field(
        default="auto",
        description="Engine that checks facts: `offline`, `nli`, `llm`, or `auto`, which is the language "
        "model that wrote the answer, if one did.",
    )
    judge_model: Literal["llama", "openai", "scripted-model"] = Field(
        default="openai", description="For the judge `llm`: the generator whose language model it uses."
    )
    nli_model: Path | None = Field(
        default=None,
        description="For the judge `nli`: a folder with a sequence-classification model, for example one "
        "trained on MNLI, and its tokenizer.",
    )
    nli_threshold: float = Field(
        default=0.5,
        ge=0,
        le=1,
        description="For the judge `nli`: minimum probability of entailment for a fact to be supported.",
    )
    nli_contradiction: float = Field(
        default=0.5,
        ge=0,
        le=1,
        description="For the judge `nli`: minimum probability of contradiction for a fact to be "
        "contradicted, if contradiction is more likely than entailment.",
    )
    nli_batch: int = Field(
        default=32, ge=1, le=1024, description="For the judge `nli`: pairs of passage and fact per batch."
    )
    passages: int | None = Field(
        default=None,
        ge=1,
        le=1000,
        description="Maximum number of passages for an answer. By default 80 for a description and 240 for "
        "an analysis or a joint answer, as far as the model's context has room for them.",
    )
    token_budget: int | None = Field(
        default=None,
        ge=200,
        description="Maximum tokens of passages for an answer. "
        "By default as many as the model's context has room for.",
    )
    cast_list: bool = Field(
        default=True,
        description="Whether the prompts of language models list the main characters, "
        "where the strategy shows them the book.",
    )
    strategy: Strategy = Field(
        default=Strategy.RETRIEVE, description="Default for which text of the book a language model receives."
    )
    temperature: float = Field(
        default=0.4, ge=0, le=2, description="Default sampling temperature of language models."
    )
    answer_tokens: int | None = Field(
        default=None,
        ge=1,
        description="Maximum tokens of a language model for one answer, including all prompts. "
        "Requests that would need more are refused. By default there is no limit.",
    )
    offline_fallback: bool = Field(
        default=True,
        description="Whether the offline answer is returned, with a note, if the answer of a language model "
        "is rejected, its prompt is too long, its server does not answer or refuses, or the server has "
        "several models and none is chosen.",
    )
    prompts: TemplateSet = Field(
        default=TemplateSet.BOOKWORM,
        description="Prompt templates of language models: `bookworm`, `bookworm-simple` to ask for summaries "
        "in few words, or `bookworm-paper` for those of the BookWorm paper.",
    )
    templates: Path | None = Field(
        default=None,
        description="Folder of prompt templates that replace the bundled templates of the same name.",
    )

    llama_base: str | None = Field(
        default=None,
        description="For the generator `llama`: a folder with an instruction-tuned model, "
        "or the hub id of a model that is already downloaded.",
    )
    llama_adapters: dict[TaskOrDefault, Path] = Field(
        default={},
        description="For the generator `llama`: folders of LoRA adapters by task as JSON, for example "
        '`{"analysis": "/adapters/analysis"}`. `default` is used for tasks without an adapter.',
    )
    llama_device: str = Field(
        default="auto",
        description="For the generator `llama`: `cuda`, `mps` (an Apple GPU), `cpu`, or `auto` to use a GPU "
        "if there is one.",
    )
    llama_rope: str | None = Field(
        default=None,
        description="For the generator `llama`: how positions are scaled for a context longer than the base "
        "was trained on: `pi:4`, `ntk:4` or `yarn:4` for four times as long, `abf:1000000` for another base.",
    )
    llama_bits: Literal["16", "8", "4"] = Field(
        default="16",
        description="For the generator `llama`: bits of the base's weights: 16, 8 or 4. 8 and 4 need less "
        "memory, and bitsandbytes: the extra `quantised`.",
    )
    llama_batch: int = Field(
        default=8,
        ge=1,
        le=1024,
        description="For the generator `llama`: maximum requests per batch. Fewer if the memory is short.",
    )
    llama_context: int | None = Field(
        default=None,
        ge=512,
        description="For the generator `llama`: tokens of prompt and answer. "
        "By default as many as the memory allows, at most 32,768 and the model's own context.",
    )

    openai_url: str | None = Field(
        default=None,
        pattern=r"^https?://\S+$",
        description="For the generator `openai`: base URL of an OpenAI-compatible server, "
        "for example `http://127.0.0.1:8001/v1`.",
    )
    openai_key: SecretStr | None = Field(
        default=None, description="For the generator `openai`: API key of the server, if it requires one."
    )
    openai_model: str | None = Field(
        default=None, description="For the generator `openai`: name of the model on that server."
    )
    openai_models: dict[TaskName, str] = Field(
        default={},
        description="For the generator `openai`: other models for some tasks as JSON, for example "
        '`{"analysis": "analyst"}`.',
    )
    openai_context: int | None = Field(
        default=None,
        ge=512,
        description="For the generator `openai`: maximum tokens of prompt and answer. "
        "By default the server is asked.",
    )
    openai_timeout: float = Field(
        default=120.0,
        gt=0,
        description="For the generator `openai`: seconds that the server may send nothing. A whole answer "
        "may take five times as long.",
    )
    openai_attempts: int = Field(
        default=4,
        ge=1,
        le=20,
        description="For the generator `openai`: maximum attempts of a call that fails temporarily.",
    )
    openai_reasoning: Literal["none", "minimal", "low", "medium", "high"] | None = Field(
        default=None,
        description="For the generator `openai`: how much a thinking model is to think. "
        "By default the server decides.",
    )
    openai_extra: dict[str, Any] = Field(
        default={},
        description="For the generator `openai`: further fields of every request as JSON, for example "
        '`{"top_p": 0.9}`.',
    )
    openai_concurrency: int = Field(
        default=8,
        ge=1,
        le=1024,
        description="For the generator `openai`: maximum concurrent calls. It begins with two, adds some "
        "while answers come soon, and makes fewer if the server says that there are too many.",
    )

    open_books: int = Field(default=100, ge=1, description="Maximum number of books kept open in memory.")
    open_books_memory: int = Field(
        default=220,
        ge=1,
        description="Approximate MiB of memory for all open books. The least recently used are evicted.",
    )

    jobs_in_process: bool = Field(
        default=True,
        description="Whether `serve` also runs ingest jobs. Turn it off if separate workers run.",
    )
    job_concurrency: int = Field(
        default=1, ge=1, le=64, description="Concurrent ingest jobs in each process."
    )
    job_attempts: int = Field(
        default=4, ge=1, description="Maximum attempts of a stage that fails temporarily."
    )
    worker_id: str | None = Field(
        default=None,
        description="Name of this worker, unique for each process and the same after a restart. "
        "By default it is made from the host name and a free slot.",
    )
    heartbeat_seconds: float = Field(
        default=5.0, gt=0, description="Seconds between two heartbeats of a worker."
    )
    takeover_seconds: float = Field(
        default=20.0,
        gt=0,
        validate_default=True,
        description="Seconds without a heartbeat after which another worker takes over the jobs of a worker. "
        "At least twice BOOKWORM_HEARTBEAT_SECONDS.",
    )

    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="Minimum level of log messages."
    )
    log_format: Literal["json", "console"] = Field(default="json", description="Format of log lines.")
    otel_endpoint: str | None = Field(
        default=None,
        description="OTLP/HTTP endpoint for traces; requires the `otel` extra. By default tracing is off.",
    )

    @field_validator("database_url")
    @classmethod
    def _database_can_be_opened(cls, url: str | None) -> str | None:
        if url is not None:
            from db.database import check_address  # SQLAlchemy takes half a second

            check_address(url)
        return url

    @field_validator("takeover_seconds")
    @classmethod
    def _living_workers_keep_their_jobs(cls, seconds: float, info: ValidationInfo) -> float:
        if seconds < 2 * info.data.get("heartbeat_seconds", 0):
            raise ValueError("must be at least twice BOOKWORM_HEARTBEAT_SECONDS")
        return seconds

    @field_validator("llama_adapters", "openai_models", "openai_extra", mode="before")
    @classmethod
    def _from_json(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        try:
            return json.loads(value)
        except ValueError:
            raise ValueError("not valid JSON") from None

    @property
    def database(self) -> str:
        return self.database_url or f"sqlite:///{self.data_dir / 'bookworm.sqlite3'}"

    @property
    def artefacts(self) -> str:
        return self.artefacts_url or str(self.data_dir / "books")

    @property
    def resolvers(self) -> ResolverSetup:
        booknlp = BookNLPSetup(
            python=self.booknlp_python,
            models=self.booknlp_models,
            size=self.booknlp_size,
            timeout=self.booknlp_timeout,
        )
        return ResolverSetup(booknlp, self.bits_rule)

    @property
    def bits_rule(self) -> BitsRule:
        return BitsRule(self.encoder_bits, self.data_dir / FILE)

    @property
    def writers(self) -> WriterSetup:
        """Configuration of the generators that use a language model."""
        return WriterSetup(
            llama=LlamaSetup(
                base=self.llama_base,
                adapters={str(task): folder for task, folder in self.llama_adapters.items()},
                device=self.llama_device,
                batch=self.llama_batch,
                context=self.llama_context,
                enough=context_for(self.token_budget) if self.token_budget else None,
                bits=int(self.llama_bits),
                rope=self.llama_rope,
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
                reasoning=self.openai_reasoning,
                extra=self.openai_extra,
            ),
            prompts=self.prompts,
            templates=self.templates,
        )

    @property
    def nli(self) -> NliSetup:
        return NliSetup(
            folder=self.nli_model,
            batch=self.nli_batch,
            threshold=self.nli_threshold,
            contradiction=self.nli_contradiction,
        )

    @property
    def limits(self) -> Limits:
        """Resource limits for reading one book."""
        return Limits(unpacked=self.max_unpacked_bytes)

    @property
    def workspace(self) -> Path:
        """Local folder in which versions are built if artefacts are stored elsewhere."""
        return self.data_dir / "workspace"


def misspelt() -> list[str]:
    """Return a sentence for each variable, also of `.env`, that is named like a setting but is none."""
    given = {*EnvSettingsSource(Settings).env_vars, *DotEnvSettingsSource(Settings).env_vars}
    names = {n for n in map(str.upper, given) if n.startswith(PREFIX) and not n.startswith(NOT_SETTINGS)}
    known = {name.upper() for name in Settings.model_fields}
    return [_not_a_setting(name, known) for name in sorted({n.removeprefix(PREFIX) for n in names} - known)]


def _not_a_setting(name: str, known: set[str]) -> str:
    asked = "".join(f" Did you mean {PREFIX}{near}?" for near in get_close_matches(name, known, n=1))
    return f"{PREFIX}{name} is not a setting.{asked}"
