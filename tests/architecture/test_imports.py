"""The direction of imports: the contracts are kept, and each detects the import it forbids."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest

from tests.tools.linter import Linter, running

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "remem"
LINTER = Path(sys.executable).with_name("lint-imports")

PACKAGES = "The packages, from the surfaces to the core"
CORE = "The core, from the features to their foundations"
SURFACES = "Surfaces do not import each other"
CHOICE = "Only bootstrap chooses adapters"
ADAPTERS = "Adapters import ports and values, never verbs or stores"
FRAMEWORKS = "Integrations import only the client"
PURE = "Pure modules import neither ports nor the database"

# Read from the source tree, so that a new noun, surface or verb must have its contract too.
STORES = sorted(
    ".".join(path.relative_to(SOURCE / "core").with_suffix("").parts)
    for path in SOURCE.glob("core/**/*store.py")
    if path.stem.split("_")[-1] == "store"
)
ALL_NOUNS = sorted(path.parent.name for path in SOURCE.glob("core/*/__init__.py"))
ALL_SURFACES = sorted(path.parent.name for path in SOURCE.glob("surfaces/*/__init__.py"))
PURE_PACKAGES = {"chunking", "enrich", "language"}
# A port with its values, which its adapters import.
PORT_PACKAGES = {"connectors"}
NEW_MODULE = '"""New."""\n'
PURE_BY_SPEC = {"fuse", "group", "plan", "bandit", "score", "text", "tokens"}


@dataclass(frozen=True)
class Checked:
    passed: bool
    output: str

    def breaks(self, contract: str) -> bool:
        return not self.passed and f"{contract} BROKEN" in self.output

    def names(self, contract: str, module: str, imported: str) -> bool:
        """Whether the import is listed among those that break this contract."""
        _, _, after = self.output.partition(f"\n{contract}\n{'-' * len(contract)}\n")
        listed = after.partition("\n-----")[0]
        return f"{name_of(module)} -> {imported} (" in listed


def name_of(module: str) -> str:
    name = module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return f"remem.{name}"


@pytest.fixture(scope="module")
def linter() -> Iterator[Linter]:
    with running() as linter:
        yield linter


def copy_to(folder: Path) -> Path:
    """Copy the package and its contracts, without the weights, so that a test can change them."""
    shutil.copytree(
        SOURCE,
        folder / "src" / "remem",
        ignore=shutil.ignore_patterns(
            "minilm",
            "whisper-tiny-en",
            "silero-vad",
            "pgvector-*",
            "dist",
            "*.onnx",
            "*.zip",
            "*.sql",
        ),
    )
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_to(tmp_path_factory.mktemp("spoilt"))


@pytest.fixture
def add_lines(copy: Path, linter: Linter) -> Iterator[Callable[..., Checked]]:
    """Append lines to modules of the copy, creating missing ones, and check the contracts."""
    originals: dict[Path, str | None] = {}

    def with_lines(*additions: tuple[str, str]) -> Checked:
        for module, line in additions:
            path = copy / "src" / "remem" / module
            original = path.read_text() if path.exists() else None
            originals.setdefault(path, original)
            path.write_text(f"{original or NEW_MODULE}\n{line}\n")
        return Checked(*linter.check(copy))

    yield with_lines
    for path, original in originals.items():
        path.unlink() if original is None else path.write_text(original)


def test_the_contracts_hold() -> None:
    command = [LINTER, "--no-cache", "--no-logo"]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert not process.returncode, process.stdout + process.stderr


def test_an_unchanged_copy_passes_and_is_what_the_linter_reads(
    tmp_path: Path, linter: Linter
) -> None:
    copy = copy_to(tmp_path)
    assert linter.check(copy)[0]
    shutil.rmtree(copy / "src" / "remem" / "surfaces")
    assert not linter.check(copy)[0]


AGAINST_THE_DIRECTION = {
    PACKAGES: [
        ("core/text.py", "remem.surfaces.rest.errors"),
        ("core/db.py", "remem.adapters.rate.postgres"),
        ("core/scope.py", "remem.settings"),
        ("surfaces/rest/deps.py", "remem.app"),
        ("client/wire.py", "remem.embedded"),
        ("client/wire.py", "remem.integrations.value_store"),
        ("surfaces/cli/main.py", "remem.integrations.call"),
    ],
    FRAMEWORKS: [
        ("integrations/filters.py", "remem.core.text"),
        ("integrations/value_store.py", "remem.app"),
    ],
    CORE: [
        ("core/errors.py", "remem.core.scope"),
        ("core/identity/rate.py", "remem.core.projects.manage"),
        ("core/documents/read.py", "remem.core.search.recall"),
    ],
    CHOICE: [
        ("app.py", "remem.adapters.queue.pgqueuer"),
        ("surfaces/rest/health.py", "remem.adapters.embedding.local"),
    ],
    SURFACES: [
        (f"surfaces/{surface}/__init__.py", f"remem.surfaces.{other}")
        for surface, other in zip(ALL_SURFACES, ALL_SURFACES[1:] + ALL_SURFACES[:1], strict=True)
    ],
}


@pytest.mark.parametrize("contract", AGAINST_THE_DIRECTION)
def test_each_import_against_the_direction_fails(
    add_lines: Callable[..., Checked], contract: str
) -> None:
    imports = AGAINST_THE_DIRECTION[contract]
    checked = add_lines(*((module, f"import {imported}") for module, imported in imports))
    assert checked.breaks(contract), checked.output
    for module, imported in imports:
        assert checked.names(contract, module, imported), checked.output


@pytest.mark.parametrize(("module", "contract"), [("loose.py", PACKAGES), ("core/loose.py", CORE)])
def test_a_module_that_no_contract_places_fails(
    add_lines: Callable[..., Checked], module: str, contract: str
) -> None:
    checked = add_lines((module, "PLACED = False"))
    assert checked.breaks(contract), checked.output


def test_an_adapter_that_knows_a_verb_fails(add_lines: Callable[..., Checked]) -> None:
    nouns = [noun for noun in ALL_NOUNS if noun not in PURE_PACKAGES | PORT_PACKAGES]
    checked = add_lines(*(("adapters/rate/postgres.py", f"import remem.core.{n}") for n in nouns))
    assert checked.breaks(ADAPTERS)
    for noun in nouns:
        assert f"remem.adapters.rate.postgres -> remem.core.{noun} (" in checked.output


def test_a_store_seen_from_outside_its_noun_fails(add_lines: Callable[..., Checked]) -> None:
    """However deep it is nested: each store is named in the contract of its noun."""
    checked = add_lines(*(("bootstrap.py", f"import remem.core.{n}") for n in STORES))
    for store in STORES:
        noun = store.partition(".")[0]
        assert checked.breaks(f"The store of {noun} is private"), checked.output
        assert f"remem.bootstrap -> remem.core.{store} (" in checked.output


def test_a_noun_that_uses_the_store_of_another_fails(add_lines: Callable[..., Checked]) -> None:
    checked = add_lines(
        ("core/documents/ingest.py", "from remem.core.projects import project_store as theirs")
    )
    assert checked.breaks("The store of projects is private"), checked.output


def pure_modules() -> list[str]:
    by_name = [path for path in SOURCE.rglob("core/**/*.py") if path.stem in PURE_BY_SPEC]
    in_packages = [path for name in PURE_PACKAGES for path in SOURCE.glob(f"core/{name}/**/*.py")]
    pure = {path for path in (*by_name, *in_packages) if path.stem != "__init__"}
    return sorted(str(path.relative_to(SOURCE)) for path in pure)


@pytest.mark.parametrize("known", ["ports", "db"])
def test_a_pure_module_that_knows_ports_or_database_fails(
    add_lines: Callable[..., Checked], known: str
) -> None:
    checked = add_lines(*((module, f"import remem.core.{known}") for module in pure_modules()))
    assert checked.breaks(PURE)
    for module in pure_modules():
        assert f"{name_of(module)} -> remem.core.{known} (" in checked.output


def cycle_in(graph: grimp.ImportGraph) -> list[str] | None:
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return error.args[1]
    return None


def test_there_are_no_cycles() -> None:
    graph = grimp.build_graph("remem", cache_dir=None)
    assert cycle_in(graph) is None
    graph.add_import(importer="remem.core.search.group", imported="remem.core.search.recall")
    assert cycle_in(graph) is not None
