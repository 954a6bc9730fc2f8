"""The HTTP status of every error class. A test asserts that the table is complete."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import books.errors
import books.storage
import coref.errors
import db.errors
import db.store.errors
import evaluation.chinese.errors
import evaluation.corpus.errors
import evaluation.metrics.errors
import evaluation.portraits.errors
import generation.errors
import generation.training.errors
import retrieval.errors
import service.access
import service.errors
import service.http.errors
import service.jobs.worker_name
import service.observability.tracing
from books.errors import BookwormError

STATUS: Final[Mapping[type[BookwormError], int]] = {
    BookwormError: 500,
    books.errors.EngineUnavailable: 503,
    # Uploads
    books.errors.EmptyBook: 422,
    books.errors.NotText: 415,
    books.errors.EncodingUnknown: 422,
    books.errors.UnsupportedFormat: 415,
    books.errors.UnsupportedLanguage: 422,
    books.errors.FileDamaged: 422,
    books.errors.FileHostile: 422,
    books.errors.FileLocked: 422,
    books.errors.ChaptersInvalid: 422,
    books.errors.BookTooLarge: 413,
    # Published versions that are damaged or outdated: processing the book again repairs them
    books.storage.BookDamaged: 503,
    coref.errors.AnnotationsDamaged: 503,
    retrieval.errors.IndexMissing: 503,
    retrieval.errors.IndexStale: 503,
    # Characters
    coref.errors.CharacterUnknown: 404,
    coref.errors.CharacterAmbiguous: 409,
    coref.errors.DecisionInvalid: 422,
    service.errors.IdempotencyKeyReused: 422,
    generation.errors.NotYetMet: 404,
    service.errors.TooManyCharacters: 422,
    service.errors.GateInvalid: 422,
    service.errors.ChapterUnknown: 404,
    retrieval.errors.SearchInvalid: 422,
    service.errors.SummaryTooLong: 422,
    # Feedback by readers, and texts to check
    service.errors.TextMissing: 422,
    service.errors.TextTooLong: 422,
    service.errors.ReferenceMissing: 404,
    service.errors.FactUnknown: 404,
    # Engines
    service.errors.GeneratorFixed: 409,
    service.errors.ModelUnknown: 404,
    coref.errors.ResolverUnavailable: 503,
    coref.errors.ResolverFailed: 503,
    coref.errors.BookNLPUnreadable: 422,
    coref.errors.BookNLPMismatch: 422,
    retrieval.errors.EmbedderUnavailable: 503,
    retrieval.errors.RetrieverUnknown: 422,
    generation.errors.GeneratorUnavailable: 503,
    generation.errors.ContextUnsupported: 422,
    generation.errors.ExtractorUnavailable: 503,
    generation.errors.JudgeUnavailable: 503,
    generation.errors.StrategyUnsupported: 422,
    generation.errors.SummaryMissing: 422,
    generation.errors.TemplatesInvalid: 500,
    generation.errors.PromptTooLong: 422,
    generation.errors.DraftRejected: 502,
    generation.errors.BudgetExceeded: 422,
    generation.errors.WritingCancelled: 503,
    generation.errors.ModelServerFailed: 502,
    # Training, only on the command line
    generation.training.errors.TrainingDataInvalid: 422,
    generation.training.errors.TrainingLeak: 422,
    generation.training.errors.TrainingDiffers: 409,
    generation.training.errors.TrainingImpossible: 422,
    generation.training.errors.TrainingTooLarge: 422,
    generation.training.errors.TrainingDiverged: 422,
    # Evaluation, only on the command line
    evaluation.chinese.errors.PackageMissing: 422,
    evaluation.corpus.errors.NovelsLeftOut: 422,
    evaluation.metrics.errors.MetricUnavailable: 422,
    evaluation.portraits.errors.TaskUnsupported: 422,
    # Books and jobs
    service.errors.BookUnknown: 404,
    service.errors.BookNotReady: 409,
    service.errors.BookFailed: 409,
    service.errors.JobUnknown: 404,
    service.errors.JobNotFailed: 409,
    service.jobs.worker_name.WorkerNameTaken: 500,
    db.errors.BookGone: 404,
    db.errors.JobRunning: 409,
    # Database and store
    db.errors.DatabaseAway: 503,
    db.errors.DatabaseRefused: 503,
    db.errors.DatabaseNewer: 503,
    db.errors.StorageFull: 503,
    db.store.errors.StoreAway: 503,
    db.store.errors.FolderNotWritable: 503,
    db.store.errors.SourceMissing: 503,
    # Access
    service.access.KeyMissing: 401,
    service.access.KeyInvalid: 401,
    service.access.KeyUnknown: 404,
    service.access.KeyFieldsInvalid: 422,
    service.errors.KeyNeeded: 409,
    service.errors.FirstKeyRefused: 409,
    service.access.ScopeMissing: 403,
    service.access.ExposureRefused: 403,
    service.access.Throttled: 429,
    service.access.RateLimited: 429,
    service.access.QuotaExceeded: 429,
    # The HTTP layer
    service.http.errors.RequestInvalid: 422,
    service.http.errors.CursorInvalid: 422,
    service.http.errors.AddressTooLong: 414,
    service.http.errors.BodyTooLarge: 413,
    service.http.errors.BodyStalled: 408,
    service.http.errors.MediaTypeUnsupported: 415,
    service.http.errors.RouteUnknown: 404,
    service.http.errors.MethodNotAllowed: 405,
    service.http.errors.HostRefused: 403,
    service.http.errors.OriginRefused: 403,
    service.http.errors.TookTooLong: 503,
    service.http.errors.TooManyStreams: 503,
    service.http.errors.InternalError: 500,
    service.observability.tracing.TracingUnavailable: 500,
}


def status_of(error: BookwormError) -> int:
    """The status of the nearest class in the table. An unmapped error is a bug, so it is a 500."""
    return next((STATUS[kind] for kind in type(error).__mro__ if kind in STATUS), 500)
