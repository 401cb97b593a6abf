"""Any value of any field in any API: refused with the name of the field, or returned."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import httpx2
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from remem.core.time import new_id
from tests.conftest import Person
from tests.surfaces.rest.people import MakePerson
from tests.transfer.stores import wait_for_import, with_footer

EXAMPLES = 15

texts = st.one_of(
    st.text(st.characters(codec=None), max_size=20),
    st.sampled_from(
        ["", " ", "\x00", "\ud800", "a" * 501, "x" * 3_000, "\r\nX-Evil: 1", "\x1b[2J"]
    ),
)
numbers = st.one_of(
    st.integers(),
    st.floats(),
    st.sampled_from([10**400, -(10**400), 10**4_000, 1e308, -0.0, 2**63, 0.5, True]),
)
moments = st.one_of(
    st.datetimes().map(lambda moment: moment.isoformat()),
    st.sampled_from(
        [
            "0001-01-01T00:00:00+14:00",
            "0001-01-01T00:00:00Z",
            "9999-12-31T23:59:59-14:00",
            "9999-12-31T23:59:59.999999Z",
            "9999-12-31T23:59:59Z",
            "20000-01-01T00:00:00Z",
            "-0044-03-15T00:00:00Z",
            "0000-01-01T00:00:00Z",
            "infinity",
            "-infinity",
            "now",
            "2027-01-31T09:00:00+23:59",
            "2027-01-31",
            "2016-12-31T23:59:60Z",
            "1e400",
            "0.5",
            "",
        ]
    ),
    numbers,
)
urls = st.one_of(
    st.sampled_from(
        [
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            " javascript:alert(1)",
            "data:text/html,x",
            "http://",
            "https://[",
            "http://a b",
            "http://a\r\nb",
            "file:///etc/passwd",
            "vbscript:x",
            "https://example.org/" + "p" * 3_000,
            "https://ex\u00e4mple.org/\u4e2d",
            "//host/path",
            "http://\ud800",
            "https://user:pw@host:99999/",
            "session:x",
            "",
        ]
    ),
    texts,
)
values = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, texts),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(texts, children, max_size=3),
    max_leaves=8,
)


def nested(levels: int, kind: type = dict) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = {"a": value} if kind is dict else [value]
    return value


objects = st.one_of(
    st.dictionaries(texts, values, max_size=4),
    st.sampled_from([99, 100, 101, 254, 255, 256, 257]).map(nested),
    st.sampled_from([100, 255, 256]).map(lambda levels: {"a": nested(levels, list)}),
    st.sampled_from([1_000, 1_001, 5_000]).map(lambda count: {str(n): n for n in range(count)}),
    st.sampled_from([63_900, 64_001]).map(lambda size: {"a": "b" * size}),
    values,
)
tags = st.one_of(
    st.lists(texts, max_size=3),
    st.sampled_from([[["a"], ["b"]], [None], [1], ["t"] * 101, ["t" * 101], [""], {"a": 1}]),
    values,
)

FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "title": texts | values,
    "metadata": objects,
    "context": objects,
    "tags": tags,
    "source_url": urls,
    "forget_after": moments,
    "occurredAt": moments,
    "dueAt": moments,
    "validFrom": moments,
    "validUntil": moments,
    "project": texts,
    "container": texts,
    "category": texts,
    "content_type": texts,
    "confidence": numbers,
    "source": texts,
    "sessionId": texts,
    "filename": texts,
}
V3 = ("title", "metadata", "tags", "source_url", "forget_after", "project", "content_type")
V1 = ("metadata", "tags", "container", "content_type")
AGENT = (
    "title", "context", "tags", "occurredAt", "dueAt", "validFrom", "validUntil", "project",
    "category", "confidence", "source", "sessionId",
)  # fmt: skip

Send = Callable[[httpx2.Client, str, Any], httpx2.Response]


def _json(http: httpx2.Client, path: str, body: Any) -> httpx2.Response:
    # Python writes NaN, Infinity and lone surrogates, which other JSON writers refuse.
    data = json.dumps(body).encode()
    return http.post(path, content=data, headers={"Content-Type": "application/json"})


def _v3(http: httpx2.Client, field: str, value: Any) -> httpx2.Response:
    return _json(http, "/v3/memory", {"content": f"Text {new_id()}.", field: value})


def _v1(http: httpx2.Client, field: str, value: Any) -> httpx2.Response:
    return _json(http, "/v1/documents", {"content": f"Text {new_id()}.", field: value})


def _base64(http: httpx2.Client, field: str, value: Any) -> httpx2.Response:
    return _json(http, "/v1/documents", {"file": "VGV4dC4K", "filename": "a.txt", field: value})


def _agent(http: httpx2.Client, field: str, value: Any) -> httpx2.Response:
    return _json(
        http, "/api/memories", {"content": f"Fact {new_id()}.", "defer": True, field: value}
    )


def _form(http: httpx2.Client, field: str, value: Any) -> httpx2.Response:
    """A form has only text; other values are sent as JSON."""
    text = value if isinstance(value, str) else json.dumps(value)
    data = text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    file = ("a.txt", f"Text {new_id()}.".encode())
    return http.post("/v3/documents/upload", files={"file": file}, data={field: data})


APIS: dict[str, tuple[Send, tuple[str, ...]]] = {
    "v3": (_v3, V3),
    "v1": (_v1, V1),
    "base64": (_base64, ("filename", "metadata", "tags")),
    "agent": (_agent, AGENT),
    "form": (_form, V3),
}
CASES = [(api, field) for api, (_, fields) in APIS.items() for field in fields]
LISTS = (
    "/v3/documents?limit=100", "/api/memories?limit=100", "/api/memories/timeline?limit=100",
    "/api/memories/foresight/active?overdue=true", "/api/events", "/v3/projects",
)  # fmt: skip


@pytest.fixture
def tester(make_person: MakePerson) -> Iterator[Person]:
    yield make_person()


def assert_readable(http: httpx2.Client) -> None:
    for path in LISTS:
        reply = http.get(path)
        assert reply.status_code == 200, (path, reply.text)
        assert reply.json()["unreadable"] == [], path


@pytest.mark.parametrize(("api", "field"), CASES)
def test_a_value_is_refused_by_name_or_returned(api: str, field: str, tester: Person) -> None:
    send, _ = APIS[api]
    accepted_ids: list[str] = []

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(FIELDS[field])
    def check(value: Any) -> None:
        reply = send(tester.http, field, value)
        if reply.status_code in (200, 201, 202):
            accepted_ids.append(reply.json()["id"])
            return
        assert reply.status_code in (400, 404, 413), (value, reply.text)
        if reply.status_code == 400:
            assert _names_field(reply.json(), field), reply.text

    check()
    assert_readable(tester.http)


def _names_field(problem: dict[str, Any], field: str) -> bool:
    """Whether the error names the field, a part of it, or a body that could not be parsed."""
    reported = problem["details"]["field"]
    snake = "".join(f"_{char.lower()}" if char.isupper() else char for char in field)
    accepted = (
        field,
        snake,
        "body",
        {"container": "project", "url": "source_url"}.get(field, field),
    )
    return any(reported == name or reported.startswith(f"{name}.") for name in accepted)


@pytest.mark.parametrize("name", ["as_of", "since", "until"])
def test_a_time_in_a_query_is_refused_or_accepted(name: str, tester: Person) -> None:
    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(moments)
    @example(0.5)
    @example("0.5")
    def check(value: Any) -> None:
        reply = tester.http.get("/api/memories/timeline", params={name: value})
        assert reply.status_code in (200, 400), (value, reply.text)
        if isinstance(value, int | float):
            assert reply.status_code == 400, value

    check()


@pytest.mark.parametrize("levels", [101, 256, 1_000, 5_000, 100_000])
def test_json_of_any_depth_is_refused_cleanly(levels: int, tester: Person) -> None:
    brackets = "[" * levels + "]" * levels
    headers = {"Content-Type": "application/json"}
    for path, text in (
        ("/v3/memory", f'{{"content": "x", "metadata": {{"a": {brackets}}}}}'),
        ("/v3/recall", f'{{"query": "x", "filters": {{"metadata": {{"a": {brackets}}}}}}}'),
        ("/api/memories", f'{{"content": "x", "context": {{"a": {brackets}}}}}'),
        ("/v1/documents", brackets),
    ):
        assert tester.http.post(path, content=text, headers=headers).status_code == 400, path
    for path in ("/v3/documents/upload", "/v1/documents/upload"):
        reply = tester.http.post(
            path, files={"file": ("a.txt", b"x")}, data={"metadata": f'{{"a": {brackets}}}'}
        )
        assert reply.status_code == 400, (path, reply.text)
        assert reply.json()["details"]["field"].startswith("metadata"), reply.text
    assert_readable(tester.http)


def test_the_last_of_duplicate_json_keys_wins(tester: Person) -> None:
    text = '{"content": "Twice.", "metadata": {"a": 1, "a": 2}, "title": "x", "title": "y"}'
    reply = tester.http.post(
        "/v3/memory", content=text, headers={"Content-Type": "application/json"}
    )
    assert reply.status_code == 201
    assert (reply.json()["title"], reply.json()["metadata"]["a"]) == ("y", 2)


IMPORTED_FIELDS = {
    "document": ("title", "metadata", "tags", "source_url", "forget_after", "content_type"),
    "memory": ("title", "context", "tags", "dueAt", "validUntil", "category", "confidence"),
}


@pytest.mark.parametrize("kind", IMPORTED_FIELDS)
def test_an_import_line_is_refused_by_number_or_imported(
    kind: str, tester: Person, make_person: MakePerson
) -> None:
    tester.save("A text to export.")
    tester.post("/api/memories", {"content": "A memory to export."})
    lines = tester.http.get("/v3/export").text.splitlines(keepends=True)
    line_no = next(n for n, line in enumerate(lines) if f'"kind":"{kind}"' in line)
    importer = make_person()

    @settings(
        max_examples=EXAMPLES // 2,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(
        st.sampled_from(IMPORTED_FIELDS[kind]).flatmap(
            lambda name: st.tuples(st.just(name), FIELDS[name])
        )
    )
    def check(case: tuple[str, Any]) -> None:
        field, value = case
        column = {"dueAt": "due_at", "validUntil": "valid_until"}.get(field, field)
        line = json.loads(lines[line_no])
        line["row"][column] = value
        line["row"]["id"] = line["row"]["root_id"] = str(new_id())
        line["row"]["content"] += f" {new_id()}"
        changed = [
            kept for kept in lines if json.loads(kept)["kind"] in ("header", "project", "footer")
        ]
        changed.insert(-1, json.dumps(line) + "\n")
        reply = importer.http.post("/v3/import", content="".join(with_footer(changed)).encode())
        assert reply.status_code == 202, reply.text
        job = wait_for_import(importer, reply.json()["job_id"])
        if job["status"] == "failed":
            assert f"line {len(changed) - 1}" in job["error"], job
            return
        assert job["counts"][kind].get("imported") == 1, job

    check()
    assert_readable(importer.http)


@pytest.mark.parametrize(
    "moment",
    ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", 0, 1e10, "-5", "20240101"],
)
def test_said_at_must_be_a_date_within_the_calendar(tester: Person, moment: object) -> None:
    reply = tester.post("/api/memories", {"content": "I moved yesterday.", "saidAt": moment})
    assert (reply.status_code, reply.json()["details"]["field"]) == (400, "saidAt"), reply.text


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])
def test_relative_dates_at_the_ends_of_the_calendar_are_accepted(
    tester: Person, moment: str
) -> None:
    words = "I moved yesterday and I fly tomorrow, last week and next year. " + moment
    reply = tester.post("/api/memories", {"content": words, "saidAt": moment})
    assert reply.status_code == 201, reply.text


def test_a_form_has_known_fields_and_one_file(tester: Person) -> None:
    first, second = ("a.txt", b"Bell buoy."), ("b.txt", b"Green buoy.")
    path = "/v3/documents/upload"
    twice = tester.http.post(path, files=[("file", first), ("file", second)])
    assert (twice.status_code, twice.json()["details"]["field"]) == (400, "file"), twice.text
    unknown = tester.http.post(path, files={"file": first}, data={"unknown": "1"})
    assert (unknown.status_code, unknown.json()["details"]["field"]) == (400, "unknown")
    tagged = tester.http.post(path, files={"file": first}, data={"tags": ["a", "b"]})
    assert tagged.status_code in (201, 202), tagged.text


@pytest.mark.parametrize(
    ("query", "error"),
    [
        ("limit=1.0", "limit: is not a whole number"),
        ("limit=1_0", "limit: is not a whole number"),
        ("limit=%2B5", "limit: is not a whole number"),
        ("limit=05", "limit: is not a whole number"),
        ("limit=5%20", "limit: is not a whole number"),
        ("limit=5&limit=6", "limit: was sent 2 times"),
    ],
)
def test_a_number_in_a_query_must_be_plain_and_unique(
    tester: Person, query: str, error: str
) -> None:
    for path in ("/v3/documents", "/api/memories", "/v3/projects"):
        reply = tester.http.get(f"{path}?{query}")
        if "limit: is not a parameter" not in reply.text:
            assert (reply.status_code, error in reply.text) == (400, True), (path, reply.text)
