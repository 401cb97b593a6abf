"""Every operation in the API description, and requests built from that description alone."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import httpx2

from remem.core.time import new_id

Place: TypeAlias = Literal["path", "query", "body"]
Schema: TypeAlias = dict[str, Any]
BodyKind: TypeAlias = Literal["nothing", "json", "form", "lines"]


# An export of an empty store, which every user may import.
EMPTY_EXPORT = (
    b'{"kind":"header","format":"remem-export","version":1}\n{"kind":"footer","lines":2,"counts":{},'
    b'"sha256":"' + hashlib.sha256().hexdigest().encode() + b'"}\n'
)


@dataclass(frozen=True)
class Slot:
    """One value of a request: a parameter, or a leaf of the body."""

    place: Place
    keys: tuple[str | int, ...]
    kind: str
    required: bool
    example: Any = None

    @property
    def name(self) -> str:
        return str(next(key for key in reversed(self.keys) if isinstance(key, str)))

    @property
    def position(self) -> int:
        """Its index in a list that needs more than one item; 0 for the first."""
        last = self.keys[-1]
        return last if isinstance(last, int) else 0

    @property
    def is_reference(self) -> bool:
        """Whether it can only identify something, so that the ids of others must not work."""
        return self.kind == "uuid" or (self.place == "path" and self.kind != "example")


Values: TypeAlias = Mapping[Slot, Any]


@dataclass(frozen=True)
class Operation:
    method: str
    path: str
    slots: tuple[Slot, ...]
    body_kind: BodyKind

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

    def send(self, http: httpx2.Client, values: Values, **options: Any) -> httpx2.Response:
        path, query, body = self.path, {}, {}
        for slot, value in values.items():
            if slot.place == "path":
                path = path.replace(f"{{{slot.name}}}", str(value))
            elif slot.place == "query":
                query[slot.name] = value
            else:
                _put(body, slot.keys, value)
        if self.body_kind == "json":
            options.setdefault("json", body)
        elif self.body_kind == "form" and "content" not in options:
            options.pop("json", None)
            files = {slot.name: body.pop(slot.name) for slot in values if slot.kind == "file"}
            options |= {"files": files, "data": body}
        elif self.body_kind == "lines" and "content" not in options:
            options.pop("json", None)
            options["content"] = EMPTY_EXPORT
        return http.request(self.method, path, params=query, **options)


def operations(document: Schema) -> list[Operation]:
    """Every documented operation; an operation that cannot be parsed fails the calling test."""
    documented = []
    for path, item in document["paths"].items():
        for method, operation in item.items():
            body_kind, body = _body(operation)
            slots = [
                _parameter(document, parameter)
                for parameter in operation.get("parameters", [])
                # Those who test a header send it themselves.
                if parameter["in"] != "header"
            ]
            if body is not None:
                slots += _leaves(document, body, (), True)
            documented.append(Operation(method.upper(), path, tuple(slots), body_kind))
    return documented


# These need one of several fields, which their schemas do not express.
ONE_OF = {
    "/v1/documents": "content",
    "/v3/documents/{id}/highlights": "quote",
    "/api/memories/{id}/lifecycle": "quality",
}


def required(operation: Operation) -> dict[Slot, Any]:
    chosen = ONE_OF.get(operation.path)
    return {slot: plain(slot) for slot in operation.slots if slot.required or slot.name == chosen}


def plain(slot: Slot) -> Any:
    """A valid value of the slot's kind, new each time so that nothing is a duplicate."""
    match slot.kind:
        case "uuid":
            return str(new_id())
        case "string":
            return f"text {new_id()}"
        case "date-time":
            return "2999-01-01T00:00:00Z"
        case "uri":
            return f"https://example.org/{new_id()}"
        case "boolean":
            return False
        case "object":
            return {}
        case "file":
            return ("note.txt", f"text {new_id()}".encode())
        case "example":
            return slot.example
    raise AssertionError(f"no value is known for {slot}; add one to tests/surfaces/rest/calls.py")


def _body(operation: Schema) -> tuple[BodyKind, Schema | None]:
    if "requestBody" not in operation:
        return "nothing", None
    content = operation["requestBody"]["content"]
    if "application/json" in content:
        return "json", content["application/json"]["schema"]
    if "application/x-ndjson" in content:
        return "lines", None
    assert "multipart/form-data" in content, f"this file cannot send {content} yet"
    return "form", content["multipart/form-data"]["schema"]


def _parameter(document: Schema, parameter: Schema) -> Slot:
    place = parameter["in"]
    assert place in ("path", "query"), f"tests/surfaces/rest/calls.py cannot send {parameter} yet"
    leaves = list(_leaves(document, parameter["schema"], (parameter["name"],), True, place))
    (leaf,) = leaves
    return Slot(
        place, (parameter["name"],), leaf.kind, parameter.get("required", False), leaf.example
    )


def _leaves(
    document: Schema,
    schema: Schema,
    keys: tuple[str | int, ...],
    required: bool,
    place: Place = "body",
) -> Iterator[Slot]:
    schema = _resolved(document, schema)
    if "properties" in schema:
        needed = schema.get("required", [])
        for name, inner in schema["properties"].items():
            yield from _leaves(document, inner, (*keys, name), required and name in needed, place)
    elif schema.get("type") == "array":
        for number in range(max(1, schema.get("minItems", 1))):
            yield from _leaves(document, schema["items"], (*keys, number), required, place)
    else:
        kind, example = _kind(schema)
        yield Slot(place, keys, kind, required, example)


def _resolved(document: Schema, schema: Schema) -> Schema:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return _resolved(document, document["components"]["schemas"][name])
    if "anyOf" in schema:
        (only,) = (option for option in schema["anyOf"] if option.get("type") != "null")
        return _resolved(document, only)
    return schema


def _kind(schema: Schema) -> tuple[str, Any]:
    if "enum" in schema:
        return "example", schema["enum"][0]
    if "contentMediaType" in schema:
        return "file", None
    match schema.get("type"), schema.get("format"):
        case "string", None:
            return "string", None
        case "string", kind:
            return str(kind), None
        case "integer" | "number", _:
            return "example", schema.get("minimum", 1)
        case ("boolean" | "object") as kind, _:
            return kind, None
    raise AssertionError(f"add the kind of {schema} to tests/surfaces/rest/calls.py")


def _put(body: dict[str, Any], keys: tuple[str | int, ...], value: Any) -> None:
    """Set a leaf; lists on the path get one item, lists of leaves as many as they need."""
    first, *rest = keys
    if not rest:
        body[str(first)] = value
    elif rest == [0]:
        body[str(first)] = [value]
    elif len(rest) == 1 and isinstance(rest[0], int):
        body[str(first)].append(value)
    elif rest[0] == 0:
        _put(body.setdefault(str(first), [{}])[0], tuple(rest[1:]), value)
    else:
        _put(body.setdefault(str(first), {}), tuple(rest), value)
