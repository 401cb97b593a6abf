"""A service's published contract: what a reply must look like, and what may be asked."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema

CONTRACTS = Path(__file__).parents[1] / "contracts"


class Contract:
    def __init__(self, name: str) -> None:
        self._whole = json.loads((CONTRACTS / f"{name}.json").read_text())
        self._paths = {_pattern(path): path for path in self._whole["paths"]}

    def operation(self, path: str) -> str:
        """The most exact path of the contract that an address stands for."""
        found = [named for pattern, named in self._paths.items() if pattern.fullmatch(path)]
        assert found, f"the contract knows no {path}"
        return min(found, key=lambda named: named.count("{"))

    def check_request(self, path: str, params: dict[str, str]) -> None:
        """Every parameter is one that the service knows, with a value that it takes."""
        named = self.operation(path)
        known = {one["name"]: one for one in self._parameters(named) if one["in"] == "query"}
        for name, value in params.items():
            assert name in known, f"{named} takes no parameter {name}"
            jsonschema.validate(_typed(value, known[name]["schema"]), known[name]["schema"])
        missing = {name for name, one in known.items() if one.get("required")} - set(params)
        assert not missing, f"{named} needs {missing}"

    def check_reply(self, path: str, status: int, body: Any) -> None:
        schema = self._schema(self.operation(path), status)
        jsonschema.Draft4Validator(_nullable(schema, self._whole)).validate(body)

    def sample(self, path: str, given: dict[str, Any], status: int = 200) -> Any:
        """The least reply that the contract allows, with what is given in it."""
        schema = self._schema(self.operation(path), status)
        inner = self._resolve(schema)
        return self._least(inner.get("items", inner), given)

    def _parameters(self, named: str) -> list[dict[str, Any]]:
        entry = self._whole["paths"][named]
        return [self._resolve(one) for one in entry["parameters"] + entry["get"]["parameters"]]

    def _schema(self, named: str, status: int) -> dict[str, Any]:
        replies = self._whole["paths"][named]["get"]["responses"]
        assert str(status) in replies, f"{named} never answers {status}"
        reply = self._resolve(replies[str(status)])
        return reply.get("content", {}).get("application/json", {}).get("schema", {})

    def _resolve(self, schema: dict[str, Any]) -> dict[str, Any]:
        while "$ref" in schema:
            _, _, kind, name = schema["$ref"].split("/")
            schema = self._whole["components"][kind][name]
        return schema

    def _least(self, schema: dict[str, Any], given: Any = None) -> Any:
        schema = self._resolve(schema)
        for kind in ("allOf", "anyOf", "oneOf"):
            if kind in schema:
                return self._least(schema[kind][0], given)
        if schema.get("nullable") and given is None:
            return None
        if schema.get("type") == "object" or "properties" in schema:
            properties = schema.get("properties", {})
            wanted = {*schema.get("required", ()), *(given or {})}
            return {
                name: given[name]
                if given and name in given and not isinstance(given[name], dict)
                else self._least(properties.get(name, {}), (given or {}).get(name))
                for name in wanted
            }
        return given if given is not None else _value(schema)


def _value(schema: dict[str, Any]) -> Any:
    if "enum" in schema:
        return schema["enum"][0]
    formats = {"uri": "https://example.org/", "date-time": "2024-01-01T00:00:00Z"}
    kinds = {"string": "x", "integer": 1, "number": 1, "boolean": False, "array": []}
    return formats.get(schema.get("format", ""), kinds.get(schema.get("type", ""), "x"))


def _typed(value: str, schema: dict[str, Any]) -> Any:
    return int(value) if schema.get("type") == "integer" else value


@cache
def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path)))


def _nullable(schema: Any, whole: dict[str, Any]) -> dict[str, Any]:
    """OpenAPI 3.0 says `nullable` where JSON Schema says a list of types."""
    return {**_translated(schema), "components": _translated(whole["components"])}


def _translated(part: Any) -> Any:
    if isinstance(part, list):
        return [_translated(one) for one in part]
    if not isinstance(part, dict):
        return part
    kept = {key: _translated(value) for key, value in part.items() if key != "nullable"}
    if part.get("nullable") is True:
        return {"anyOf": [{"type": "null"}, kept]}
    return kept
