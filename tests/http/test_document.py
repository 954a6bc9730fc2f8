"""The OpenAPI document: complete, in one shape, and true."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Any

import pytest
import schemathesis
from fastapi.routing import APIRoute
from hypothesis import settings
from pydantic import TypeAdapter
from schemathesis.checks import not_a_server_error
from schemathesis.generation.feedback import FeedbackSources
from schemathesis.pytest._test_builder import build_operation_test
from schemathesis.python._constants.orchestrator import make_constants_value_source
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from books.reading import read
from db.types import Scope
from evaluation import novella
from service.app import ROUTERS, create_app
from service.http import health
from service.http.document import EXAMPLES
from service.http.problems import LACKING, Problem
from service.http.sse import MEDIA_TYPE
from service.http.statuses import STATUS
from service.settings import Settings
from tests.http.conftest import Live, upload
from tests.http.story import story

Check = Callable[..., bool | None]
CHECKS: tuple[Check, ...] = (
    not_a_server_error,
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
FEW, MANY = 4, 15
"""Examples drawn, after those at every bound of every parameter: up to two hundred for an operation."""

STATUS_OF = {kind.code: status for kind, status in STATUS.items()}

_turns = count()


def described() -> list[APIRoute]:
    """All routes that the document has. Its own list is only made in a test: that takes seconds."""
    return [r for router in (*ROUTERS, health.router) for r in router.routes if isinstance(r, APIRoute)]


def path_of(route: APIRoute) -> str:
    return route.path if route in health.router.routes else f"/v1{route.path}"


def operations_of(routes: Iterable[APIRoute]) -> list[str]:
    """Return them as the document orders them: by path, as they come."""
    paths: dict[str, list[str]] = {}
    for route in routes:
        paths.setdefault(path_of(route), []).extend(sorted(route.methods))
    return [f"{method} {path}" for path, methods in paths.items() for method in methods]


OPERATIONS = operations_of(described())


@cache
def _document() -> dict[str, Any]:
    return create_app(Settings(log_level="error")).openapi()


@cache
def api() -> Any:
    """Every call below has a key that works; `test_keys` has those that don't.

    Nonsense may be a megabyte long; that it is too large is said before that it is nonsense.
    """
    document = deepcopy(_document())
    for item in document["paths"].values():
        for operation in item.values():
            operation.pop("security", None)
    schema = schemathesis.openapi.from_dict(document)
    refusing = schema.config.checks.negative_data_rejection
    refusing.expected_statuses = [*refusing.expected_statuses, "413"]
    return schema


@pytest.fixture
def document() -> dict[str, Any]:
    return _document()


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, item in document["paths"].items():
        for method, operation in item.items():
            yield method, path, operation


def test_every_route_is_described(document: dict[str, Any]) -> None:
    expected = {(m.lower(), path_of(r)) for r in described() for m in r.methods}
    assert {(method, path) for method, path, _ in operations(document)} == expected


def test_it_is_openapi_3_1(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1")


def test_every_error_is_a_problem(document: dict[str, Any]) -> None:
    for method, path, operation in operations(document):
        assert {"422", "500"} <= set(operation["responses"]), (method, path)
        for status, response in operation["responses"].items():
            if int(status) >= 400 and path != "/readyz":
                assert list(response["content"]) == ["application/problem+json"], (method, path, status)
            if status in ("204", "304"):
                assert "content" not in response


def test_what_takes_a_body_may_refuse_it(document: dict[str, Any]) -> None:
    taking = [each for item in document["paths"].values() for each in item.values() if "requestBody" in each]
    assert taking
    assert all({"413", "415", "422"} <= each["responses"].keys() for each in taking)


def test_every_operation_and_parameter_says_what_it_is(document: dict[str, Any]) -> None:
    for method, path, operation in operations(document):
        assert operation["description"], (method, path)
        for parameter in operation.get("parameters", []):
            assert parameter.get("description"), (method, path, parameter["name"])


def test_every_number_with_a_fraction_says_on_which_scale_it_is(document: dict[str, Any]) -> None:
    for name, schema in document["components"]["schemas"].items():
        for field, described in schema.get("properties", {}).items():
            kinds = {each.get("type") for each in (described, *described.get("anyOf", []))}
            assert "number" not in kinds or described.get("description"), (name, field)


def test_operation_ids_are_names_and_unique(document: dict[str, Any]) -> None:
    ids = [operation["operationId"] for *_, operation in operations(document)]
    assert len(ids) == len(set(ids))
    assert all(name.isidentifier() and name.islower() for name in ids)


def test_what_does_not_fit_a_pattern_is_said_in_words(document: dict[str, Any]) -> None:
    found = set(re.findall(r'"pattern": "(.*?)"', json.dumps(document)))
    assert {pattern.replace("\\\\", "\\") for pattern in found} == LACKING.keys()


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    def references(value: Any) -> Iterator[str]:
        if isinstance(value, dict):
            if isinstance(value.get("$ref"), str):
                yield value["$ref"]
            for inner in value.values():
                yield from references(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from references(inner)

    for reference in references(document):
        found: Any = document
        for part in reference.removeprefix("#/").split("/"):
            found = found[part]


COUNTS = {"words", "paragraphs", "chapters", "quotes", "facts", "count", "mention_count", "total"}
"""Numbers that count what their name says."""


def test_numbers_flags_and_citations_say_what_they_mean(document: dict[str, Any]) -> None:
    """Their names alone do not: a `first` is an offset in one answer and a sentence in another."""
    silent = {
        f"{schema}.{name}"
        for schema, described in document["components"]["schemas"].items()
        if "description" not in described  # such as how many facts there are by each verdict
        for name, field in described.get("properties", {}).items()
        if "description" not in field and name not in COUNTS and _bare(field)
    }
    assert silent == set()


def _bare(field: dict[str, Any]) -> bool:
    kinds = [field, *field.get("anyOf", ()), field.get("items", {})]
    numbers = {"integer", "number", "boolean"}
    return any(k.get("type") in numbers or k.get("$ref", "").endswith("/CitationOut") for k in kinds)


def examples(document: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """Every example, with the operation and the type that has to take it."""
    routes = {route.name: route for route in described()}
    for *_, operation in operations(document):
        route = routes[operation["operationId"]]
        for content in operation.get("requestBody", {}).get("content", {}).values():
            if "example" in content and route.body_field is not None:
                yield route.name, route.body_field.field_info.annotation, content["example"]
        for response in operation["responses"].values():
            for media, content in response.get("content", {}).items():
                if "example" in content:
                    yield route.name, str if media == MEDIA_TYPE else route.response_model, content["example"]


def test_every_example_is_there_and_fits_its_schema(document: dict[str, Any]) -> None:
    shown: set[str] = set()
    for name, kind, example in examples(document):
        TypeAdapter(kind).validate_json(json.dumps(example))
        shown.add(name)
    assert shown == json.loads(EXAMPLES.read_text("utf-8")).keys() - {"Problem"}
    taking = {o["operationId"] for *_, o in operations(document) if "requestBody" in o}
    assert taking <= shown
    (problem,) = document["components"]["schemas"]["Problem"]["examples"]
    assert STATUS_OF[Problem.model_validate(problem).code] == problem["status"]


def test_the_examples_quote_the_book_of_the_demo(document: dict[str, Any]) -> None:
    book = read(novella.text().encode(), name="novella.txt")
    quoted = [each for *_, example in examples(document) for each in citations(example)]
    assert len(quoted) > 10
    for each in quoted:
        start, end = each["span"]["start"], each["span"]["end"]
        assert book.text[start:end] == each.get("quote", each.get("text"))
        assert getattr(book.chapter_at(start), "number", None) == each["chapter"]


def test_the_markdown_of_an_example_names_what_made_it(document: dict[str, Any]) -> None:
    made = [e for *_, e in examples(document) if isinstance(e, dict) and "markdown" in e]
    assert made
    for each in made:
        for engine in ("resolver", "retriever", "generator", "judge", "extractor"):
            assert f"{engine} {each['provenance'][engine]}" in each["markdown"]


def citations(value: Any) -> Iterator[dict[str, Any]]:
    """Whatever has a place in the book."""
    if isinstance(value, dict):
        if {"span", "chapter"} <= value.keys():
            yield value
        for inner in value.values():
            yield from citations(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from citations(inner)


def test_everything_but_probes_wants_a_key(document: dict[str, Any]) -> None:
    for method, path, operation in operations(document):
        assert ("security" in operation) == (path not in ("/livez", "/readyz")), (method, path)


@dataclass(frozen=True)
class Target:
    """A library of its own, with one book in it."""

    base: str
    key: str
    book: dict[str, Any]


def target_on(live: Live) -> Target:
    key = live.key(library="fuzzed", scope=Scope.ADMIN)
    with live.client(key) as client:
        return Target(live.base, key, upload(client, story(7)))


@pytest.fixture(scope="session")
def postgres_target(postgres_live: Live) -> Target:
    return target_on(postgres_live)


@pytest.fixture(scope="session")
def sqlite_target(sqlite_live: Live) -> Target:
    return target_on(sqlite_live)


@pytest.fixture(scope="session")
def feedback() -> FeedbackSources:
    return FeedbackSources(constants_value_source=make_constants_value_source(api()))


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.parametrize("operation", OPERATIONS[::14])  # the soak has all of them, with many more examples
def test_the_service_keeps_to_the_document(
    operation: str, postgres_target: Target, feedback: FeedbackSources
) -> None:
    """On the stricter database: PostgreSQL refuses zero bytes, numbers for text, text that is too long."""
    call(operation, [postgres_target], examples=FEW, feedback=feedback)


@pytest.mark.soak
@pytest.mark.postgres
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_the_service_keeps_to_the_document_on_either_database(
    operation: str, postgres_target: Target, sqlite_target: Target, feedback: FeedbackSources
) -> None:
    """Of nonsense, which is mostly refused before any database is asked, only the stricter one hears."""
    call(operation, [postgres_target, sqlite_target], examples=MANY, feedback=feedback)


def call(label: str, targets: Sequence[Target], *, examples: int, feedback: FeedbackSources) -> None:
    """No 5xx, no status, header, type or body that is not in the document; nonsense is refused.

    What `@api.parametrize` does when it collects, done here: to think of the calls takes seconds.
    """

    @settings(max_examples=examples)
    def keeps(case: schemathesis.Case) -> None:
        there = next(_turns) % 2 == 1
        for target in targets if is_valid(case) else targets[:1]:
            aim(case, target.book, there=there)
            case.call_and_validate(
                base_url=target.base, headers={"X-API-Key": target.key}, checks=checks_for(case), timeout=30
            )

    method, _, path = label.partition(" ")
    build_operation_test(
        config=api().config,
        operation=api()[path][method],
        test_func=keeps,
        given_kwargs={},
        feedback=feedback,
    )()


def test_operations_are_all_that_the_document_has(document: dict[str, Any]) -> None:
    assert [f"{method.upper()} {path}" for method, path, _ in operations(document)] == OPERATIONS


def is_valid(case: schemathesis.Case) -> bool:
    return case.meta is not None and case.meta.generation.mode.is_positive


def checks_for(case: schemathesis.Case) -> list[Check]:
    """A form's fields are all text once they are sent: an object as an author arrives as a valid string."""
    form = case.media_type == "multipart/form-data"
    return [check for check in CHECKS if not (form and check is negative_data_rejection)]


def aim(case: schemathesis.Case, book: dict[str, Any], *, there: bool) -> None:
    """Half of the valid calls at a book and a person that are `there`; never at waiting long, nor at writers
    and judges that are not set up here: a 503 is the right answer then."""
    if there and is_valid(case) and case.method != "DELETE" and case.path_parameters:
        real = {"book_id": book["id"], "key": "Agnes", "name": "Agnes"}
        for name in set(real) & set(case.path_parameters):
            case.path_parameters[name] = real[name]
        if isinstance(case.body, dict) and "character" in case.body and case.path.endswith("/check"):
            case.body["character"] = real["key"]
    if case.query and case.query.get("generator") in ("llama", "openai"):
        case.query["generator"] = "scripted-model"
    if isinstance(case.body, dict) and case.body.get("judge") in ("nli", "llm"):
        case.body["judge"] = "offline"
    if case.query and case.query.get("follow") in (True, "true"):
        case.query["follow"] = "false"
    if case.query and isinstance(case.query.get("wait"), int | float) and case.query["wait"] <= 600:
        case.query["wait"] = min(case.query["wait"], 1)
