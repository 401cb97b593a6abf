"""A service's published OpenAPI contract, which requests and replies are checked against."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema

CONTRACTS = Path(__file__).parents[1] / "contracts"


class Contract:
    def __init__(self, name: str) -> None:
        self._document = json.loads((CONTRACTS / f"{name}.json").read_text())
        self._paths = {_pattern(path): path for path in self._document["paths"]}

    def operation(self, path: str) -> str:
        """The most specific path of the contract that matches an address."""
        matches = [template for pattern, template in self._paths.items() if pattern.fullmatch(path)]
        assert matches, f"the contract knows no {path}"
        return min(matches, key=lambda template: template.count("{"))

    def check_request(self, path: str, params: dict[str, str]) -> None:
        """Check that the service knows every parameter and accepts its value."""
        template = self.operation(path)
        known = {
            parameter["name"]: parameter
            for parameter in self._parameters(template)
            if parameter["in"] == "query"
        }
        for name, value in params.items():
            assert name in known, f"{template} takes no parameter {name}"
            jsonschema.validate(_parse(value, known[name]["schema"]), known[name]["schema"])
        missing = {name for name, parameter in known.items() if parameter.get("required")} - set(
            params
        )
        assert not missing, f"{template} needs {missing}"

    def check_reply(self, path: str, status: int, body: Any) -> None:
        schema = self._schema(self.operation(path), status)
        jsonschema.Draft4Validator(_as_json_schema(schema, self._document)).validate(body)

    def sample(self, path: str, values: dict[str, Any], status: int = 200) -> Any:
        """The smallest reply that the contract allows and that contains these values."""
        schema = self._schema(self.operation(path), status)
        inner = self._resolve(schema)
        return self._smallest(inner.get("items", inner), values)

    def _parameters(self, template: str) -> list[dict[str, Any]]:
        entry = self._document["paths"][template]
        return [
            self._resolve(parameter)
            for parameter in entry["parameters"] + entry["get"]["parameters"]
        ]

    def _schema(self, template: str, status: int) -> dict[str, Any]:
        replies = self._document["paths"][template]["get"]["responses"]
        assert str(status) in replies, f"{template} never answers {status}"
        reply = self._resolve(replies[str(status)])
        return reply.get("content", {}).get("application/json", {}).get("schema", {})

    def _resolve(self, schema: dict[str, Any]) -> dict[str, Any]:
        while "$ref" in schema:
            _, _, kind, name = schema["$ref"].split("/")
            schema = self._document["components"][kind][name]
        return schema

    def _smallest(self, schema: dict[str, Any], values: Any = None) -> Any:
        schema = self._resolve(schema)
        for kind in ("allOf", "anyOf", "oneOf"):
            if kind in schema:
                return self._smallest(schema[kind][0], values)
        if schema.get("nullable") and values is None:
            return None
        if schema.get("type") == "object" or "properties" in schema:
            properties = schema.get("properties", {})
            names = {*schema.get("required", ()), *(values or {})}
            return {
                name: values[name]
                if values and name in values and not isinstance(values[name], dict)
                else self._smallest(properties.get(name, {}), (values or {}).get(name))
                for name in names
            }
        return values if values is not None else _value(schema)


def _value(schema: dict[str, Any]) -> Any:
    if "enum" in schema:
        return schema["enum"][0]
    formats = {"uri": "https://example.org/", "date-time": "2024-01-01T00:00:00Z"}
    kinds = {"string": "x", "integer": 1, "number": 1, "boolean": False, "array": []}
    return formats.get(schema.get("format", ""), kinds.get(schema.get("type", ""), "x"))


def _parse(value: str, schema: dict[str, Any]) -> Any:
    return int(value) if schema.get("type") == "integer" else value


@cache
def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path)))


def _as_json_schema(schema: Any, document: dict[str, Any]) -> dict[str, Any]:
    """Translate `nullable` of OpenAPI 3.0 into JSON Schema, which has a null type instead."""
    return {**_translate(schema), "components": _translate(document["components"])}


def _translate(part: Any) -> Any:
    if isinstance(part, list):
        return [_translate(item) for item in part]
    if not isinstance(part, dict):
        return part
    schema = {key: _translate(value) for key, value in part.items() if key != "nullable"}
    if part.get("nullable") is True:
        return {"anyOf": [{"type": "null"}, schema]}
    return schema
