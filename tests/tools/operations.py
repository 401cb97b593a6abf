"""A service's published contract as operations: what may be asked, and what is answered."""

import json
import re
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema

CONTRACTS = Path(__file__).parents[1] / "contracts"


class OperationContract:
    def __init__(self, name: str) -> None:
        self.whole = json.loads((CONTRACTS / f"{name}.json").read_text())

    @cached_property
    def _patterns(self) -> dict[re.Pattern[str], str]:
        return {_pattern(operation): operation for operation in self.whole["operations"]}

    def operation(self, method: str, path: str) -> str:
        """The most exact one that an address stands for."""
        asked = f"{method} {path}"
        found = [named for pattern, named in self._patterns.items() if pattern.fullmatch(asked)]
        assert found, f"the contract knows no {asked}"
        return min(found, key=lambda named: named.count("{"))

    def check_request(self, operation: str, query: dict[str, str], body: Any) -> None:
        shapes = self.whole["operations"][operation]
        if "query" in shapes:
            self._check(_typed(query, self._properties(shapes["query"])), shapes["query"])
        if "body" in shapes:
            self._check(body, shapes["body"])
        else:
            assert body is None, f"{operation} takes no body"

    def check_reply(self, operation: str, body: Any) -> None:
        self._check(body, self.whole["operations"][operation]["reply"])

    def _check(self, value: Any, schema: dict[str, Any]) -> None:
        whole = {**schema, "definitions": self.whole["definitions"]}
        error = jsonschema.exceptions.best_match(
            jsonschema.Draft7Validator(whole).iter_errors(value)
        )
        assert error is None, f"{list(error.absolute_path)}: {error.message[:800]}"

    def _properties(self, schema: dict[str, Any]) -> dict[str, Any]:
        if "$ref" in schema:
            return self._properties(
                self.whole["definitions"][unquote(schema["$ref"].removeprefix("#/definitions/"))]
            )
        found = dict(schema.get("properties", {}))
        for kind in ("allOf", "anyOf"):
            for inner in schema.get(kind, ()):
                found |= self._properties(inner)
        return found


def _pattern(operation: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(operation)))


def _typed(query: dict[str, str], properties: dict[str, Any]) -> dict[str, Any]:
    """An address has only text; the contract says what each is meant as."""
    typed: dict[str, Any] = {}
    for name, value in query.items():
        kind = properties.get(name, {}).get("type")
        if kind in ("integer", "number") and value.isdigit():
            typed[name] = int(value)
        elif kind == "boolean" and value in ("true", "false"):
            typed[name] = value == "true"
        else:
            typed[name] = value
    return typed
