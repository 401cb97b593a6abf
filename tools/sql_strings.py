"""Print every SQL statement of the source on a line of its own, to compare two commits.

.venv/bin/python tools/sql_strings.py [FOLDER] > statements.txt"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "src" / "remem"
SQL = re.compile(
    r"\b(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH|SET LOCAL|SAVEPOINT|ROLLBACK|FROM|WHERE|AND)\b"
)


def main(folder: Path) -> None:
    found = (
        text for path in folder.rglob("*.py") for text in statements(ast.parse(path.read_text()))
    )
    for text in sorted(found):
        print(text)


def statements(tree: ast.Module) -> Iterator[str]:
    """Each string with SQL; what an f-string fills in is `{}`, and spaces are single."""
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    parts = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for part in node.values
    }
    for node in ast.walk(tree):
        if id(node) in docstrings or id(node) in parts:
            continue
        text = _text_of(node)
        if text and SQL.search(text):
            yield " ".join(text.split())


def _text_of(node: ast.AST) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        values = (part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
        return "".join(str(value) for value in values)
    return ""


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else SOURCE)
