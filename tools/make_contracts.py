"""Update tests/contracts/*.json from what the services publish; `make contracts` runs it.

Each contract has only the operations that a connector calls: {"x-origin", "operations": {"METHOD
/path": {"query", "body", "reply"}}, "definitions"}, as JSON Schema (draft 7)."""

import json
import os
import shlex
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from contract_sources import BY_HAND, DISCOVERY, GENERATOR, OPENAPI_FILES, TYPES, Types
from cut_contracts import main as cut_openapi

CONTRACTS = Path(__file__).parents[1] / "tests" / "contracts"
SCRIPT = Path(__file__).with_name("contract_types.mjs")
_IDLE = ("description", "examples", "$comment", "enumDescriptions", "annotations", "deprecated")


def main(names: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name, source in TYPES.items():
            if not names or name in names:
                _write(name, source.origin, *_from_types(Path(folder), source))
        for name, contract in BY_HAND.items():
            if not names or name in names:
                _write(name, contract["x-origin"], contract["operations"], contract["definitions"])
        for name in DISCOVERY:
            if not names or name in names:
                _write(name, DISCOVERY[name]["origin"], *_from_discovery(Path(folder), name))
        for name, (package, file) in OPENAPI_FILES.items():
            if not names or name in names:
                _install(Path(folder), [package])
                cut_openapi(name, Path(folder, "node_modules", file), CONTRACTS / f"{name}.json")


def _write(name: str, origin: str, operations: Any, definitions: Any) -> None:
    referred: dict[str, Any] = {}
    _keep_referred(operations, definitions, referred)
    contract = {"x-origin": origin, "operations": operations, "definitions": referred}
    text = json.dumps(_without_words(contract), separators=(",", ":"), sort_keys=True)
    (CONTRACTS / f"{name}.json").write_text(text + "\n")
    print(f"{name}: {len(text):,} bytes")


def _install(folder: Path, packages: list[str]) -> None:
    npm = shlex.split(os.environ.get("NPM", "npm"))
    options = ["--silent", "--no-audit", "--prefix", str(folder)]
    subprocess.run([*npm, "install", *options, *packages], check=True)


def _from_types(folder: Path, source: Types) -> tuple[Any, Any]:
    """Define a type of our own for each shape, whose name cannot clash with a published one."""
    _install(folder, [*source.packages, GENERATOR])
    roots: dict[str, str] = {}
    operations: dict[str, Any] = {}
    for operation, shapes in source.operations.items():
        operations[operation] = {}
        for part, shape in shapes.items():
            if isinstance(shape, str):
                shape_name = roots.setdefault(shape, f"Root{len(roots)}")
                operations[operation][part] = shape_name
            else:
                operations[operation][part] = shape
    lines = [source.imports, *(f"export type {name} = {shape};" for shape, name in roots.items())]
    file = folder / "roots.ts"
    file.write_text("\n".join(lines))
    target = folder / "schemas.json"
    subprocess.run(["node", SCRIPT, file, target, *roots.values()], check=True)
    schemas = json.loads(target.read_text())
    definitions: dict[str, Any] = {}
    for schema in schemas.values():
        definitions |= schema.pop("definitions", {})
        schema.pop("$schema", None)
    for shapes in operations.values():
        for part, shape in shapes.items():
            shapes[part] = schemas[shape] if isinstance(shape, str) else shape
    return operations, definitions


def _from_discovery(folder: Path, name: str) -> tuple[Any, Any]:
    source = DISCOVERY[name]
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(folder)]
    subprocess.run([*command, source["package"]], check=True)
    wheel = next(folder.glob(source["wheel"]))
    with zipfile.ZipFile(wheel) as archive:
        document = json.loads(archive.read(source["file"]))
    operations: dict[str, Any] = dict(source["more"])
    for dotted in source["methods"]:
        *resources, method_name = dotted.split(".")
        resource = document
        for part in resources:
            resource = resource["resources"][part]
        method = resource["methods"][method_name]
        path = f"/{document['servicePath']}{method['path']}"
        operations[f"{method['httpMethod']} {path}"] = {
            "query": _parameters({**document["parameters"], **method.get("parameters", {})}),
            "reply": _discovered(method.get("response", {})),
        }
    definitions = {key: _discovered(value) for key, value in document["schemas"].items()}
    return operations, definitions


def _parameters(parameters: dict[str, Any]) -> dict[str, Any]:
    query = {
        name: parameter
        for name, parameter in parameters.items()
        if parameter["location"] == "query"
    }
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": {name: _discovered(parameter) for name, parameter in query.items()},
        "required": [name for name, parameter in query.items() if parameter.get("required")],
    }


def _discovered(schema: dict[str, Any]) -> dict[str, Any]:
    """Google's discovery format as JSON Schema, with closed objects."""
    if "$ref" in schema:
        return {"$ref": f"#/definitions/{schema['$ref']}"}
    result: dict[str, Any] = {}
    if schema.get("type") not in (None, "any"):
        result["type"] = schema["type"]
    for limit in ("minimum", "maximum"):
        if limit in schema:
            result[limit] = int(schema[limit])
    if "enum" in schema:
        result["enum"] = schema["enum"]
    if "items" in schema:
        result["items"] = _discovered(schema["items"])
    if "properties" in schema:
        result["properties"] = {
            key: _discovered(property_) for key, property_ in schema["properties"].items()
        }
        result["additionalProperties"] = False
    elif "additionalProperties" in schema:
        result["additionalProperties"] = _discovered(schema["additionalProperties"])
    return result


def _keep_referred(part: Any, definitions: Any, referred: dict[str, Any]) -> None:
    if isinstance(part, list):
        for inner in part:
            _keep_referred(inner, definitions, referred)
    elif isinstance(part, dict):
        reference = part.get("$ref")
        if isinstance(reference, str):
            name = unquote(reference.removeprefix("#/definitions/"))
            if name not in referred:
                referred[name] = definitions[name]
                _keep_referred(definitions[name], definitions, referred)
        for inner in part.values():
            _keep_referred(inner, definitions, referred)


def _without_words(part: Any, inside_properties: bool = False) -> Any:
    """Remove descriptions, but keep properties that are named `description`."""
    if isinstance(part, list):
        return [_without_words(item) for item in part]
    if not isinstance(part, dict):
        return part
    return {
        key: _without_words(value, key == "properties")
        for key, value in part.items()
        if inside_properties or key not in _IDLE
    }


if __name__ == "__main__":
    main(sys.argv[1:])
