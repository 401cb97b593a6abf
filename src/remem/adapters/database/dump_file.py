"""Read a dump of pg_dump as data: its rows are located, and none of its statements is executed."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, NoReturn

from remem.core.errors import Invalid

_BLOCK_BYTES = 1 << 20
# The statements of a whole schema have 0.2 MB.
_MAX_STATEMENTS_BYTES = 8 << 20
_COPY = re.compile(rb'COPY public\.([a-z_0-9]+) \(([a-z_0-9", ]+)\) FROM stdin;\n')
_SETVAL = re.compile(
    rb"SELECT pg_catalog\.setval\('public\.([a-z_0-9]+)', (\d{1,18}), (true|false)\);\n"
)
_RESTRICT = re.compile(rb"\\(un)?restrict [A-Za-z0-9]+\n")
_QUOTE = re.compile(r"--[^\n]*+|'|\"|\$[A-Za-z_]*\$|;")
# What pg_dump writes about our schema, with the text in quotes left out.
_STATEMENT = re.compile(
    r"SET (statement_timeout|lock_timeout|idle_in_transaction_session_timeout|transaction_timeout"
    r"|client_encoding|standard_conforming_strings|check_function_bodies|xmloption"
    r"|client_min_messages|row_security|default_tablespace|default_table_access_method)"
    r" = (''|[a-z0-9]+)"
    r"|SELECT pg_catalog\.set_config\('', '', false\)"
    r"|CREATE SCHEMA public|COMMENT ON SCHEMA public IS ''"
    r"|CREATE (UNLOGGED )?(TABLE|TYPE|SEQUENCE) public\..*"
    r"|CREATE (UNIQUE )?INDEX \w+ ON public\..*"
    r"|CREATE (CONSTRAINT )?TRIGGER \w+ .* EXECUTE FUNCTION public\.\w+\(\)"
    r"|CREATE POLICY \w+ ON public\..*"
    r"|CREATE FUNCTION public\.(?!.*SECURITY DEFINER).* LANGUAGE (plpgsql|sql)( .*)?"
    r"|ALTER (TABLE( ONLY)?|SEQUENCE) public\..*"
)


@dataclass(frozen=True, slots=True)
class DumpedTable:
    """The rows of a table: the part of the file that they are."""

    columns: tuple[str, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Dump:
    """The tables by name, and what each sequence counted to, with whether that was used."""

    tables: dict[str, DumpedTable]
    sequences: dict[str, tuple[int, bool]]


def read_dump(path: Path) -> Dump:
    """Refuse a file with anything that no dump of this schema has."""
    dump = Dump({}, {})
    with path.open("rb") as file:
        _check_statements(b"".join(_read(file, dump)))
    return dump


def read_rows(path: Path, table: DumpedTable) -> Iterator[bytes]:
    with path.open("rb") as file:
        file.seek(table.start)
        left = table.end - table.start
        while left and (block := file.read(min(left, _BLOCK_BYTES))):
            left -= len(block)
            yield block


def _read(file: IO[bytes], dump: Dump) -> Iterator[bytes]:
    """Note tables and sequences; yield the lines of other statements."""
    size = 0
    while line := file.readline(_BLOCK_BYTES):
        if match := _COPY.fullmatch(line):
            name = match[1].decode()
            if name in dump.tables:
                _refuse(line.decode())
            dump.tables[name] = _skip_rows(file, _columns(match[2]))
        elif match := _SETVAL.fullmatch(line):
            dump.sequences[match[1].decode()] = (int(match[2]), match[3] == b"true")
        elif not _RESTRICT.fullmatch(line):
            size += len(line)
            if line.startswith(b"\\") or size > _MAX_STATEMENTS_BYTES:
                _refuse(line.decode(errors="replace"))
            yield line


def _columns(text: bytes) -> tuple[str, ...]:
    return tuple(name.strip().strip('"') for name in text.decode().split(","))


def _skip_rows(file: IO[bytes], columns: tuple[str, ...]) -> DumpedTable:
    start, begins_line = file.tell(), True
    while line := file.readline(_BLOCK_BYTES):
        if begins_line and line == b"\\.\n":
            return DumpedTable(columns, start, file.tell() - len(line))
        begins_line = line.endswith(b"\n")
    raise Invalid("file", "its rows end in the middle of a table; use another backup")


def _check_statements(text: bytes) -> None:
    try:
        decoded = text.decode()
    except UnicodeDecodeError:
        _refuse("text that is not UTF-8")
    for statement in _split(decoded):
        if not _STATEMENT.fullmatch(statement):
            _refuse(statement)


def _split(text: str) -> Iterator[str]:
    """Yield each statement on one line, without comments and without what is in quotes."""
    parts, position = list[str](), 0
    while mark := _QUOTE.search(text, position):
        parts.append(text[position : mark.start()])
        position = mark.end()
        if mark[0] == ";":
            yield " ".join("".join(parts).split())
            parts = []
        elif not mark[0].startswith("--"):
            end = text.find(mark[0], position)
            if end < 0:
                _refuse("a quote that does not end")
            parts.append(mark[0] * 2)
            position = end + len(mark[0])
    if rest := "".join((*parts, text[position:])).strip():
        yield rest


def _refuse(statement: str) -> NoReturn:
    shown = " ".join(statement.split())[:60]
    raise Invalid(
        "file",
        f"it has a statement that no backup of remem has ({shown!r}); use another backup, nothing"
        " was changed",
    )
