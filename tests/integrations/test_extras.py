"""Every framework is an extra, tested in the version it asks for, documented, and optional."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.tools.preloaded import run_code

ROOT = Path(__file__).parents[2]
OURS = {"__init__", "call", "value_store", "filters"}
FRAMEWORKS = sorted(
    path.stem for path in (ROOT / "src/remem/integrations").glob("*.py") if path.stem not in OURS
)


def test_every_framework_is_an_extra_and_tested_as_one() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    tested = set(project["dependency-groups"]["dev"])
    for name in FRAMEWORKS:
        assert set(extras[name.replace("_", "-")]) <= tested, name


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_every_framework_is_documented(name: str) -> None:
    page = (ROOT / "docs" / "integrations.md").read_text()
    assert f"remem[{name.replace('_', '-')}]" in page
    offered = re.search(rf"remem\.integrations\.{name}\.(\w+)", page)
    assert offered
    source = (ROOT / "src/remem/integrations" / f"{name}.py").read_text()
    assert re.search(rf"^(class|def) {offered.group(1)}\b", source, re.M)


def test_remem_itself_loads_none_of_them() -> None:
    names = "{'langchain_core', 'langgraph', 'llama_index', 'agents', 'pydantic_ai'}"
    code = f"import sys, remem.app, remem.client; print({names} & set(sys.modules))"
    done = run_code(code, stdout=subprocess.PIPE, text=True)
    assert done.stdout.strip() == "set()"
