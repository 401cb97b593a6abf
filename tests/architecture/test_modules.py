"""Rules for every module: its docstring, its name, its size, and the words it may not contain."""

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
STORES = [path for path in CORE if re.search(r"(^|_)store$", path.stem)]
LINES_LIMIT = 400

EMPTY_NAMES = {"utils", "util", "helpers", "helper", "common", "base", "manager", "service"}
EMPTY_WORDS = re.compile(r"(Manager|Service|Helper|Util|Utils|Base|Impl|Data|Info)$")
TRANSPORT = re.compile(r"fastapi|starlette|uvicorn|asgi|\bhttps?\b|status_code|websocket", re.I)
# 400 and 500 are left out: they are also lengths of texts.
STATUSES = {401, 403, 404, 409, 413, 422, 429, 502, 503}
VENDORS = re.compile(
    r"openai|anthropic|ollama|onnx|minilm|hugging|qdrant|redis|valkey|pgqueuer|pgvector|boto|"
    r"\bs3\b|slack|notion|github|google|twitter|stripe",
    re.I,
)
SQL = re.compile(r"^\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH|CREATE|ALTER|DROP|SET LOCAL)\b")
# The modules outside a store that may contain SQL, and why.
SQL_ALLOWED = {
    "core/binding.py": "binds a transaction to its caller",
    "core/db.py": "opens and ends the transactions that stores are given",
    "core/filter_sql.py": "writes the conditions that stores and an index in PostgreSQL share",
    "core/identity/register.py": "locks the first start",
}


def name(path: Path) -> str:
    return str(path.relative_to(SOURCE))


@functools.cache
def text_of(path: Path) -> str:
    return path.read_text()


def matching(paths: list[Path], pattern: str | re.Pattern[str]) -> list[Path]:
    """The modules that match a pattern: searching the text is faster than parsing all of them."""
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
    """Every string of a module except docstrings, with the literal parts of f-strings."""
    docstrings = {
        id(node.body[0].value)
        for node in nodes(path)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in nodes(path):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in docstrings
        ):
            yield node.lineno, node.value


# From Python 3.12 on, the parts of an f-string are separate tokens.
_FSTRING_PARTS = [tokenize.FSTRING_MIDDLE] if hasattr(tokenize, "FSTRING_MIDDLE") else []
_WORDS = frozenset((tokenize.NAME, tokenize.STRING, *_FSTRING_PARTS))


@functools.cache
def words(path: Path) -> list[tuple[int, str]]:
    """The names and strings of a module, but not its comments, which may explain."""
    tokens = tokenize.generate_tokens(io.StringIO(text_of(path)).readline)
    return [(token.start[0], token.string) for token in tokens if token.type in _WORDS]


def test_there_is_something_to_check() -> None:
    assert len(MODULES) > 100
    assert {"core/documents/document_store.py", "core/events/event_store.py"} <= {
        name(path) for path in STORES
    }
    assert any(SQL.match(text) for _, text in strings(SOURCE / "core/documents/document_store.py"))
    assert occurrences([SOURCE / "adapters/embedding/openai.py"], VENDORS)
    assert occurrences([SOURCE / "surfaces/rest/errors.py"], TRANSPORT)


def first_line(path: Path) -> str:
    """The first line of its docstring, found without parsing the whole module."""
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
        for path in matching(MODULES, EMPTY_WORDS.pattern.replace("$", r"\b"))
        for node in nodes(path)
        if isinstance(node, ast.ClassDef) and EMPTY_WORDS.search(node.name)
    }
    assert not classes


def test_no_two_classes_of_the_core_share_a_name() -> None:
    paths_by_name: dict[str, list[str]] = {}
    for path in CORE:
        for node in parsed(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                paths_by_name.setdefault(node.name, []).append(name(path))
    assert not {name: paths for name, paths in paths_by_name.items() if len(paths) > 1}


def test_no_file_is_long() -> None:
    lengths = {name(path): len(text_of(path).splitlines()) for path in MODULES}
    assert not {path: length for path, length in lengths.items() if length > LINES_LIMIT}


@pytest.mark.parametrize("path", STORES, ids=name)
def test_the_functions_of_a_store_take_a_transaction_first(path: Path) -> None:
    public = [
        node
        for node in parsed(path).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name[0] != "_"
    ]
    assert public
    for node in public:
        args = [(arg.arg, ast.unparse(arg.annotation or ast.Name(""))) for arg in node.args.args]
        assert args[:1] in ([("tx", "Tx")], [("tx", "SystemTx")]), f"{node.name}: {args[:1]}"


def test_no_transport_is_named_in_the_core() -> None:
    # The schemes of saved addresses are ordinary values, which validate.py checks.
    validate = SOURCE / "core" / "validate.py"
    assert not occurrences([path for path in CORE if path != validate], TRANSPORT)


def test_no_vendor_is_named_in_the_core() -> None:
    assert not occurrences(CORE, VENDORS)


def occurrences(paths: list[Path], pattern: re.Pattern[str]) -> list[str]:
    return [
        f"{name(path)}:{line}: {word}"
        for path in matching(paths, pattern)
        for line, word in words(path)
        if pattern.search(word)
    ]


def test_no_http_status_is_in_the_core() -> None:
    assert not [
        f"{name(path)}:{node.lineno}: {node.value}"
        for path in CORE
        for node in nodes(path)
        if isinstance(node, ast.Constant) and type(node.value) is int and node.value in STATUSES
    ]


def test_every_function_of_the_core_is_typed() -> None:
    assert not [f"{name(path)}: {part}" for path in CORE for part in untyped(path)]


def untyped(path: Path) -> Iterator[str]:
    for node in functions(path):
        if node.returns is None:
            yield node.name
        args = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        args += [arg for arg in (node.args.vararg, node.args.kwarg) if arg]
        for arg in args:
            if arg.annotation is None and arg.arg not in ("self", "cls"):
                yield f"{node.name}({arg.arg})"


def test_only_the_command_line_prints() -> None:
    paths = {
        name(path)
        for path in matching(MODULES, r"\b(print|pprint|breakpoint)\b")
        for node in nodes(path)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("print", "pprint", "breakpoint")
    }
    assert not {path for path in paths if not path.startswith("surfaces/cli/")}


def test_sql_is_in_stores_only() -> None:
    paths = {
        name(path)
        for path in CORE
        if path not in STORES
        for _, text in strings(path)
        if SQL.match(text)
    }
    assert paths == set(SQL_ALLOWED)


def test_no_surface_contains_sql_or_opens_a_transaction() -> None:
    surfaces = [path for path in MODULES if path.is_relative_to(SOURCE / "surfaces")]
    candidates = matching(surfaces, r"SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|ALTER|DROP|SET")
    assert not [path for path in candidates for _, text in strings(path) if SQL.match(text)]
    assert not [path for path in surfaces if "transaction(" in text_of(path)]


# SQL conditions for memories and documents that are deleted, replaced, hidden, part of another or
# expired.
CURRENT = re.compile(
    r"\bdeleted_at IS\b|\bpart_of IS NULL|\bstate (=|<>) '(active|quarantined)' AND\b|"
    r"\bstate = 'active'|\b(AND|WHERE|ON|NOT|OR)\s+\(?(\w\.)?is_(current|latest)\b|"
    r"\bvalid_(from|until) (IS|[<>])|\bforget_after (IS|[<>])"
)


def test_current_rows_are_defined_in_one_module() -> None:
    columns = r"deleted_at|part_of|state|is_current|is_latest|valid_(from|until)|forget_after"
    candidates = matching(MODULES, columns)
    paths = [path for path in candidates if not path.is_relative_to(SOURCE / "migrations")]
    modules = {name(path) for path in paths for _, text in strings(path) if CURRENT.search(text)}
    assert modules == {"core/current.py"}


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
def test_a_condition_for_current_rows_is_recognised(condition: str) -> None:
    assert CURRENT.search(condition)


# The modules that may call the language model; every verb uses `ask_model` or `ports.judge`.
MODEL_USERS = {"bootstrap.py", "core/ask_model.py"}


def test_one_module_calls_the_language_model() -> None:
    users = {
        name(path)
        for path in matching(MODULES, r"\bllm\b")
        for node in nodes(path)
        if isinstance(node, ast.Attribute) and node.attr == "llm"
    }
    assert users == MODEL_USERS


def test_failures_of_the_model_are_handled_in_one_place() -> None:
    """Only the judge that has a model and the module that chooses a judge name its type, too."""
    users = {
        name(path)
        for path in matching(CORE, r"\bLlm\b")
        for node in nodes(path)
        if isinstance(node, ast.Name) and node.id == "Llm"
    }
    judges = {"core/judges/by_model.py", "core/judges/choose.py"}
    assert users == {"core/ask_model.py", "core/ports.py", *judges}


def test_a_call_is_retried_in_one_way() -> None:
    """The client has its own module, because it may not import adapters."""
    importers = {
        name(path)
        for path in matching(MODULES, "stamina|tenacity|backoff")
        for node in nodes(path)
        if isinstance(node, ast.Import)
        and {alias.name for alias in node.names} & {"stamina", "tenacity", "backoff"}
    }
    assert importers == {"adapters/retries.py"}
    assert {name(path) for path in MODULES if path.name == "retries.py"} == {
        "adapters/retries.py",
        "client/retries.py",
    }


# Words that a reader would have to decode. Write: contains, is true, anyone who, fix, adapter.
UNCLEAR = re.compile(r"\b(?:told|holds?|strand|whoever|lent|mend|plugs?|vouch\w*)\b", re.I)
# Modules whose subject one of these words is.
UNCLEAR_ALLOWED = {"core/answers/holders.py", "core/transfer/kinds.py"}


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
        f"{name(path)}:{line}: {match[0]}"
        for path in matching(MODULES, UNCLEAR)
        if name(path) not in UNCLEAR_ALLOWED
        for line, text in explanations(path)
        if (match := UNCLEAR.search(text.replace("plug-in", "")))
    ]
