"""Every framework is an optional, documented extra, tested in the version the extra requires."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.tools.preloaded import run_code

ROOT = Path(__file__).parents[2]
SHARED_MODULES = {"__init__", "call", "value_store", "filters"}
FRAMEWORKS = sorted(
    path.stem
    for path in (ROOT / "src/remem/integrations").glob("*.py")
    if path.stem not in SHARED_MODULES
)


def test_every_framework_is_an_extra_and_tested_in_its_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    tested = set(project["dependency-groups"]["dev"])
    for name in FRAMEWORKS:
        assert set(extras[name.replace("_", "-")]) <= tested, name


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_every_framework_is_documented(name: str) -> None:
    page = (ROOT / "docs" / "integrations.md").read_text()
    assert f"remem[{name.replace('_', '-')}]" in page
    match = re.search(rf"remem\.integrations\.{name}\.(\w+)", page)
    assert match
    source = (ROOT / "src/remem/integrations" / f"{name}.py").read_text()
    assert re.search(rf"^(class|def) {match.group(1)}\b", source, re.M)


def test_remem_itself_imports_no_framework() -> None:
    names = "{'langchain_core', 'langgraph', 'llama_index', 'agents', 'pydantic_ai'}"
    code = f"import sys, remem.app, remem.client; print({names} & set(sys.modules))"
    result = run_code(code, stdout=subprocess.PIPE, text=True)
    assert result.stdout.strip() == "set()"
