"""What every module keeps to: its docstring, its name, its size, and what it may not say."""

import ast
import functools
import inspect
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "remem"
MODULES = sorted(SOURCE.rglob("*.py"))
CORE = [path for path in MODULES if path.is_relative_to(SOURCE / "core")]
STORES = [path for path in CORE if path.name == "store.py"]
LINES_LIMIT = 400

EMPTY_NAMES = {"utils", "util", "helpers", "helper", "common", "base", "manager", "service"}
EMPTY_WORDS = re.compile(r"(Manager|Service|Helper|Util|Utils|Base|Impl|Data|Info)$")
TRANSPORT = re.compile(r"fastapi|starlette|uvicorn|asgi|\bhttps?\b|status_code|websocket", re.I)
# 400 and 500 are left out: they are lengths of texts as well.
STATUSES = {401, 403, 404, 409, 413, 422, 429, 502, 503}
VENDORS = re.compile(
    r"openai|anthropic|ollama|onnx|minilm|hugging|qdrant|redis|valkey|pgqueuer|pgvector|boto|"
    r"\bs3\b|slack|notion|github|google|twitter|stripe",
    re.I,
)
SQL = re.compile(r"^\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH|CREATE|ALTER|DROP|SET LOCAL)\b")
# Where SQL stands outside a store, and why.
SQL_ALLOWED = {
    "core/db.py": "opens, binds and ends the transactions that stores are given",
    "core/filter_sql.py": "writes the conditions that stores and an index in PostgreSQL share",
    "core/identity/register.py": "binds a running transaction, and locks the first start",
}


def name(path: Path) -> str:
    return str(path.relative_to(SOURCE))


@functools.cache
def text_of(path: Path) -> str:
    return path.read_text()


def having(paths: list[Path], pattern: str | re.Pattern[str]) -> list[Path]:
    """To take a module apart takes longer than to see that no such word is in it."""
    return [path for path in paths if re.search(pattern, text_of(path))]


@functools.cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(text_of(path), name(path))


@functools.cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(parsed(path)))


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in nodes(path):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def strings(path: Path) -> Iterator[tuple[int, str]]:
    """Every string of a module but its docstrings, with the literal parts of the formatted."""
    body = {
        id(node.body[0].value)
        for node in nodes(path)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in nodes(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in body:
            yield node.lineno, node.value


# From Python 3.12 on the parts of a formatted string are tokens of their own.
_FORMATTED = [tokenize.FSTRING_MIDDLE] if hasattr(tokenize, "FSTRING_MIDDLE") else []
_WORDS = frozenset((tokenize.NAME, tokenize.STRING, *_FORMATTED))


@functools.cache
def words(path: Path) -> list[tuple[int, str]]:
    """Names and strings of a module; not its comments, which may say why."""
    tokens = tokenize.generate_tokens(io.StringIO(text_of(path)).readline)
    return [(token.start[0], token.string) for token in tokens if token.type in _WORDS]


def test_there_is_something_to_check() -> None:
    assert len(MODULES) > 100
    assert {"core/documents/store.py", "core/events/store.py"} <= {name(path) for path in STORES}
    assert any(SQL.match(text) for _, text in strings(SOURCE / "core/documents/store.py"))
    assert spoken([SOURCE / "adapters/embedding/openai.py"], VENDORS)
    assert spoken([SOURCE / "surfaces/rest/errors.py"], TRANSPORT)


def first_line(path: Path) -> str:
    """Of its docstring; a module need not be parsed whole for that."""
    with path.open() as file:
        for token in tokenize.generate_tokens(file.readline):
            if token.type == tokenize.STRING:
                return inspect.cleandoc(ast.literal_eval(token.string)).split("\n")[0]
            if token.type not in (tokenize.COMMENT, tokenize.NL):
                break
    return ""


def test_a_module_says_in_one_line_what_it_is_for() -> None:
    first = {name(path): first_line(path) for path in MODULES}
    assert not {path: line for path, line in first.items() if not re.fullmatch(r"\S.*\.", line)}


def test_no_module_has_an_empty_name() -> None:
    parts = {
        part.removesuffix(".py") for path in MODULES for part in path.relative_to(SOURCE).parts
    }
    assert not parts & EMPTY_NAMES


def test_no_class_has_an_empty_name() -> None:
    classes = {
        f"{name(path)}: {node.name}"
        for path in having(MODULES, EMPTY_WORDS.pattern.replace("$", r"\b"))
        for node in nodes(path)
        if isinstance(node, ast.ClassDef) and EMPTY_WORDS.search(node.name)
    }
    assert not classes


def test_one_class_name_is_one_thing_in_the_core() -> None:
    found: dict[str, list[str]] = {}
    for path in CORE:
        for node in parsed(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, []).append(name(path))
    assert not {name: paths for name, paths in found.items() if len(paths) > 1}


def test_no_file_is_long() -> None:
    lengths = {name(path): len(text_of(path).splitlines()) for path in MODULES}
    assert not {path: length for path, length in lengths.items() if length > LINES_LIMIT}


@pytest.mark.parametrize("path", STORES, ids=name)
def test_the_functions_of_a_store_begin_with_tx_and_who_asks(path: Path) -> None:
    public = [
        node
        for node in parsed(path).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name[0] != "_"
    ]
    assert public
    for node in public:
        begins = [(one.arg, ast.unparse(one.annotation or ast.Name(""))) for one in node.args.args]
        assert begins[:2] in (
            [("tx", "Tx"), ("scope", "Scope")],
            [("tx", "Tx"), ("bound", "Bound")],
        ), f"{node.name} begins with {begins[:2]}"


def test_no_transport_stands_in_the_core() -> None:
    # The schemes of the addresses that people save are values like any other.
    checks = SOURCE / "core" / "validate.py"
    assert not spoken([path for path in CORE if path != checks], TRANSPORT)


def test_no_vendor_stands_in_the_core() -> None:
    assert not spoken(CORE, VENDORS)


def spoken(paths: list[Path], pattern: re.Pattern[str]) -> list[str]:
    return [
        f"{name(path)}:{line}: {word}"
        for path in having(paths, pattern)
        for line, word in words(path)
        if pattern.search(word)
    ]


def test_no_http_status_stands_in_the_core() -> None:
    assert not [
        f"{name(path)}:{node.lineno}: {node.value}"
        for path in CORE
        for node in nodes(path)
        if isinstance(node, ast.Constant) and type(node.value) is int and node.value in STATUSES
    ]


def test_every_function_of_the_core_is_typed() -> None:
    assert not [f"{name(path)}: {one}" for path in CORE for one in untyped(path)]


def untyped(path: Path) -> Iterator[str]:
    for node in functions(path):
        if node.returns is None:
            yield node.name
        given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        given += [one for one in (node.args.vararg, node.args.kwarg) if one]
        for one in given:
            if one.annotation is None and one.arg not in ("self", "cls"):
                yield f"{node.name}({one.arg})"


def test_only_the_command_line_prints() -> None:
    printing = {
        name(path)
        for path in having(MODULES, r"\b(print|pprint|breakpoint)\b")
        for node in nodes(path)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("print", "pprint", "breakpoint")
    }
    assert not {path for path in printing if not path.startswith("surfaces/cli/")}


def test_sql_stands_in_stores_only() -> None:
    found = {
        name(path)
        for path in CORE
        if path.name != "store.py"
        for _, text in strings(path)
        if SQL.match(text)
    }
    assert found == set(SQL_ALLOWED)


def test_no_surface_speaks_sql_or_opens_a_transaction() -> None:
    surfaces = [path for path in MODULES if path.is_relative_to(SOURCE / "surfaces")]
    speaking = having(surfaces, r"SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|ALTER|DROP|SET")
    assert not [path for path in speaking for _, text in strings(path) if SQL.match(text)]
    assert not [path for path in surfaces if "transaction(" in text_of(path)]


# Which memories and documents are deleted, replaced, hidden, part of another or past their time.
CURRENT = re.compile(
    r"\bdeleted_at IS\b|\bpart_of IS NULL|\bstate (=|<>) '(active|quarantined)' AND\b|"
    r"\bstate = 'active'|\b(AND|WHERE|ON|NOT|OR)\s+\(?(\w\.)?is_(current|latest)\b|"
    r"\bvalid_(from|until) (IS|[<>])|\bforget_after (IS|[<>])"
)


def test_what_is_current_is_defined_once() -> None:
    columns = r"deleted_at|part_of|state|is_current|is_latest|valid_(from|until)|forget_after"
    named = having(MODULES, columns)
    paths = [path for path in named if not path.is_relative_to(SOURCE / "migrations")]
    found = {name(path) for path in paths for _, text in strings(path) if CURRENT.search(text)}
    assert found == {"core/current.py"}


@pytest.mark.parametrize(
    "condition",
    [
        "SELECT id FROM memories WHERE deleted_at IS NULL",
        "UPDATE x WHERE m.deleted_at IS NOT NULL",
        " AND m.state = 'active'",
        " AND m.is_current",
        " JOIN documents d ON d.is_latest",
        " AND (m.valid_until IS NULL OR m.valid_until > now())",
        " WHERE forget_after <= now()",
        " AND m.part_of IS NULL",
    ],
)
def test_a_condition_of_what_is_current_is_recognised(condition: str) -> None:
    assert CURRENT.search(condition)


# Who may use the language model itself; every verb asks by `ask_model` or `ports.judge`.
MODEL_USERS = {"bootstrap.py", "core/ask_model.py"}


def test_one_module_asks_the_language_model() -> None:
    used = {
        name(path)
        for path in having(MODULES, r"\bllm\b")
        for node in nodes(path)
        if isinstance(node, ast.Attribute) and node.attr == "llm"
    }
    assert used == MODEL_USERS


def test_what_a_failing_model_means_is_said_once() -> None:
    """A judge that has a model, and who chooses it, name its type; nobody else in the core does."""
    named = {
        name(path)
        for path in having(CORE, r"\bLlm\b")
        for node in nodes(path)
        if isinstance(node, ast.Name) and node.id == "Llm"
    }
    judges = {"core/judges/by_model.py", "core/judges/choose.py"}
    assert named == {"core/ask_model.py", "core/ports.py", *judges}


def test_a_call_is_retried_in_one_way() -> None:
    """The client has its own, for it may not import adapters."""
    imported = {
        name(path)
        for path in having(MODULES, "stamina|tenacity|backoff")
        for node in nodes(path)
        if isinstance(node, ast.Import)
        and {alias.name for alias in node.names} & {"stamina", "tenacity", "backoff"}
    }
    assert imported == {"adapters/retries.py"}
    assert {name(path) for path in MODULES if path.name == "retries.py"} == {
        "adapters/retries.py",
        "client/retries.py",
    }


# Words that a reader would have to decode: write contains, is true, anyone who, fix, adapter.
UNCLEAR = re.compile(r"\b(?:told|holds?|strand|whoever|lent|mend|plugs?|vouch\w*)\b", re.I)
# Here the word is what the text is about.
ABOUT = {"core/answers/holders.py", "core/transfer/kinds.py"}


def explanations(path: Path) -> Iterator[tuple[int, str]]:
    """The comments and docstrings of a module."""
    tokens = tokenize.generate_tokens(io.StringIO(text_of(path)).readline)
    yield from (
        (token.start[0], token.string) for token in tokens if token.type == tokenize.COMMENT
    )
    for node in nodes(path):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield getattr(node, "lineno", 1), ast.get_docstring(node) or ""


def test_comments_are_in_plain_words() -> None:
    assert not [
        f"{name(path)}:{line}: {found[0]}"
        for path in having(MODULES, UNCLEAR)
        if name(path) not in ABOUT
        for line, text in explanations(path)
        if (found := UNCLEAR.search(text.replace("plug-in", "")))
    ]
