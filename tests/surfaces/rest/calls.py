"""Every operation the API describes, and requests made from nothing but that description."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import httpx2

from remem.core.time import new_id

Place: TypeAlias = Literal["path", "query", "body"]
Schema: TypeAlias = dict[str, Any]
Takes: TypeAlias = Literal["nothing", "json", "form", "lines"]


# A store with nothing in it, which everybody may bring in.
EMPTY_EXPORT = (
    b'{"kind":"header","format":"remem-export","version":1}\n{"kind":"footer","lines":2,"counts":{},'
    b'"sha256":"' + hashlib.sha256().hexdigest().encode() + b'"}\n'
)


@dataclass(frozen=True)
class Slot:
    """One value a request carries: a parameter, or a leaf of the body."""

    place: Place
    keys: tuple[str | int, ...]
    kind: str
    required: bool
    example: Any = None

    @property
    def name(self) -> str:
        return str(next(key for key in reversed(self.keys) if isinstance(key, str)))

    @property
    def again(self) -> int:
        """Which one it is of those that a list must have besides its first."""
        last = self.keys[-1]
        return last if isinstance(last, int) else 0

    @property
    def refers(self) -> bool:
        """Whether it can only name a thing, so that another's must not be found by it."""
        return self.kind == "uuid" or self.place == "path"


Values: TypeAlias = Mapping[Slot, Any]


@dataclass(frozen=True)
class Operation:
    method: str
    path: str
    slots: tuple[Slot, ...]
    takes: Takes

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
        if self.takes == "json":
            options.setdefault("json", body)
        elif self.takes == "form" and "content" not in options:
            options.pop("json", None)
            files = {slot.name: body.pop(slot.name) for slot in values if slot.kind == "file"}
            options |= {"files": files, "data": body}
        elif self.takes == "lines" and "content" not in options:
            options.pop("json", None)
            options["content"] = EMPTY_EXPORT
        return http.request(self.method, path, params=query, **options)


def operations(document: Schema) -> list[Operation]:
    """Every documented operation; one that cannot be understood fails the test that asks."""
    found = []
    for path, item in document["paths"].items():
        for method, operation in item.items():
            takes, body = _body(operation)
            slots = [_parameter(document, one) for one in operation.get("parameters", [])]
            if body is not None:
                slots += _leaves(document, body, (), True)
            found.append(Operation(method.upper(), path, tuple(slots), takes))
    return found


# One of several fields is needed, which a schema of ours does not say.
ONE_OF = {"/v1/documents": "content", "/api/memories/{id}/lifecycle": "quality"}


def required(operation: Operation) -> dict[Slot, Any]:
    chosen = ONE_OF.get(operation.path)
    return {slot: plain(slot) for slot in operation.slots if slot.required or slot.name == chosen}


def plain(slot: Slot) -> Any:
    """A good value of the slot's kind, new each time so that nothing is a duplicate."""
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
    raise AssertionError(f"no value is known for {slot}; teach tests/surfaces/rest/calls.py")


def _body(operation: Schema) -> tuple[Takes, Schema | None]:
    if "requestBody" not in operation:
        return "nothing", None
    content = operation["requestBody"]["content"]
    if "application/json" in content:
        return "json", content["application/json"]["schema"]
    if "application/x-ndjson" in content:
        return "lines", None
    assert "multipart/form-data" in content, f"teach this file to send {content}"
    return "form", content["multipart/form-data"]["schema"]


def _parameter(document: Schema, parameter: Schema) -> Slot:
    place = parameter["in"]
    assert place in ("path", "query"), f"teach tests/surfaces/rest/calls.py to send {parameter}"
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
        (only,) = (one for one in schema["anyOf"] if one.get("type") != "null")
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
    raise AssertionError(f"teach tests/surfaces/rest/calls.py what {schema} is")


def _put(body: dict[str, Any], keys: tuple[str | int, ...], value: Any) -> None:
    """Set a leaf; a list on the way has one thing, a list of leaves as many as it must."""
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
