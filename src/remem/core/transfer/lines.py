"""Read an export file in batches from any position, and report invalid lines by number."""

import base64
import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NoReturn
from uuid import UUID

from remem.core.errors import Invalid
from remem.core.text import unstorable_reason
from remem.core.transfer.kinds import BY_NAME, ORDER, ORIGINAL, PART, VECTOR
from remem.core.transfer.model import FOOTER, FORMAT, HEADER, LINE_BYTES, VERSION, BadLine

BATCH_LINES, BATCH_BYTES = 200, 4_000_000
TAIL_BYTES = 100_000
_RANK = {kind: place for place, kind in enumerate(ORDER)}


@dataclass(frozen=True, slots=True)
class Line:
    number: int
    kind: str
    text: str
    row: dict[str, Any]
    size: int

    @property
    def id(self) -> str:
        return str(self.row.get("id"))


@dataclass(frozen=True, slots=True)
class Batch:
    """Lines of one kind, and the position after them. An original is a batch of its own, with its
    bytes in `spool` if there are any."""

    kind: str
    lines: list[Line]
    start: int
    place: int
    number: int
    spool: Path | None = None


class LineReader:
    """Reads batches; blocking. With a `folder`, the bytes of each original are written to a file
    there, which the next one overwrites."""

    def __init__(
        self, path: Path, folder: Path | None = None, place: int = 0, number: int = 0
    ) -> None:
        self._file: IO[bytes] = path.open("rb")
        self._file.seek(place)
        self._folder = folder
        self._place, self._number = place, number
        self._from_start = place == 0
        self._peeked: tuple[Line, bytes] | None = None
        self._digest, self._counts = hashlib.sha256(), Counter[str]()
        self._rank = 0
        self._ended = False

    def close(self) -> None:
        self._file.close()

    def next(self) -> Batch | None:
        """The next batch, or None at the end of a complete file."""
        start, lines, size = self._place, list[Line](), 0
        while not self._ended and (line := self._peek()):
            if line.kind in (HEADER, FOOTER) and not lines:
                self._check_frame(self._take())
                start = self._place
            elif lines and (line.kind != lines[0].kind or self._is_full(lines, size)):
                break
            elif line.kind == ORIGINAL.name:
                return self._original(start, self._take())
            else:
                self._check_order(line)
                lines.append(self._take())
                size += line.size
        if not self._ended and not lines:
            raise BadLine(self._number + 1, "the file ends without its footer; export it again")
        return self._batch(start, lines) if lines else None

    def _is_full(self, lines: list[Line], size: int) -> bool:
        return len(lines) >= BATCH_LINES or size >= BATCH_BYTES

    def _batch(self, start: int, lines: list[Line], spool: Path | None = None) -> Batch:
        return Batch(lines[0].kind, lines, start, self._place, self._number, spool)

    def _peek(self) -> Line | None:
        if self._peeked is None:
            raw = self._file.readline(LINE_BYTES + 1)
            if not raw:
                return None
            self._peeked = parse(self._number + 1, raw), raw
        return self._peeked[0]

    def _take(self) -> Line:
        assert self._peeked is not None
        (line, raw), self._peeked = self._peeked, None
        self._place += len(raw)
        self._number += 1
        if line.kind not in (HEADER, FOOTER):
            self._digest.update(raw)
            self._counts[line.kind] += 1
        return line

    def _check_frame(self, line: Line) -> None:
        if line.kind == HEADER:
            if line.number != 1:
                raise BadLine(line.number, "a second header; import one export at a time")
            check_header(line)
            return
        self._ended = True
        if self._file.read(1):
            raise BadLine(line.number + 1, "there is content after the footer; remove it")
        if self._from_start:
            self._check_footer(line)

    def _check_footer(self, line: Line) -> None:
        if line.row.get("sha256") != self._digest.hexdigest():
            raise BadLine(
                line.number,
                "the checksum of the lines differs from the one in the footer: the file was changed"
                " or is damaged; export it again",
            )
        if line.row.get("counts") != dict(self._counts):
            raise BadLine(line.number, "the counts in the footer differ from the lines in the file")

    def _check_order(self, line: Line) -> None:
        if line.number == 1:
            raise BadLine(1, "the file does not begin with its header; export it again")
        rank = _RANK.get(line.kind)
        if rank is None:
            _refuse_kind(line)
        if rank < self._rank:
            raise BadLine(
                line.number,
                f"a {line.kind} after lines that may refer to it; keep the order of the export",
            )
        self._rank = rank

    # Originals

    def _original(self, start: int, line: Line) -> Batch:
        self._check_order(line)
        spool = self._folder / "original" if self._folder else None
        digest, size = hashlib.sha256(), 0
        with (spool or Path("/dev/null")).open("wb") as target:
            while (part := self._peek()) and part.kind == PART:
                data = _part_bytes(self._take(), line.id)
                digest.update(data)
                size += len(data)
                target.write(data)
        if size and (size, digest.hexdigest()) != (line.row.get("size"), line.row.get("sha256")):
            raise BadLine(line.number, "the bytes that follow are not those of this original")
        return self._batch(start, [line], spool if size or line.row.get("size") == 0 else None)


def parse(number: int, raw: bytes) -> Line:
    if len(raw) > LINE_BYTES:
        raise BadLine(number, f"is longer than {LINE_BYTES:,} bytes")
    if not raw.endswith(b"\n"):
        raise BadLine(number, "the file ends in the middle of a line; export it again")
    try:
        text = raw.decode()
        value = json.loads(text, parse_constant=_refuse_constant)
    except RecursionError as error:
        raise BadLine(number, "is nested too deeply; flatten it") from error
    except ValueError as error:
        raise BadLine(number, "is not JSON in UTF-8; fix it, or export again") from error
    if not isinstance(value, dict) or not isinstance(value.get("kind"), str):
        raise BadLine(number, "is not an object with a 'kind'; fix it, or export again")
    return _line(number, value, text, len(raw))


def _line(number: int, value: dict[str, Any], text: str, size: int) -> Line:
    kind = value["kind"]
    row = value if kind in (HEADER, FOOTER, PART) else value.get("row")
    if not isinstance(row, dict):
        raise BadLine(number, "has no 'row'; fix it, or export again")
    if reason := _unstorable_reason(row, text):
        raise BadLine(number, f"has text that {reason}")
    if kind == VECTOR:
        _check_vector(number, row)
    elif kind in _RANK and not _is_id(row.get("id")):
        raise BadLine(number, "has no 'id' that is a UUID; fix it, or export again")
    renamed = BY_NAME[kind].renamed if kind in BY_NAME else {}
    row = {renamed.get(name, name): value for name, value in row.items()} if renamed else row
    return Line(number, kind, text, row, size)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _unstorable_reason(row: dict[str, Any], text: str) -> str | None:
    """Why the row cannot be stored, if it has an escaped NUL or lone surrogate."""
    if "\\u0000" not in text and "\\ud" not in text.lower():
        return None
    return next(filter(None, map(unstorable_reason, _strings(row))), None)


def _strings(value: Any) -> Iterator[str]:
    stack = [value]
    while stack:
        inner = stack.pop()
        if isinstance(inner, str):
            yield inner
        elif isinstance(inner, dict):
            stack += [*inner, *inner.values()]
        elif isinstance(inner, list):
            stack += inner


def _is_id(value: object) -> bool:
    try:
        return isinstance(value, str) and bool(UUID(value))
    except ValueError:
        return False


def _check_vector(number: int, row: dict[str, Any]) -> None:
    has_texts = all(isinstance(row.get(name), str) for name in ("model", "hash", "vector"))
    if not has_texts or row.get("of") not in ("chunk", "memory") or not _is_id(row.get("id")):
        raise BadLine(number, "is not a vector with of, id, model, hash and vector")
    if len(_decode_base64(number, row["vector"])) % 4:
        raise BadLine(number, "is not a vector of four-byte numbers")


def _part_bytes(line: Line, of: str) -> bytes:
    if line.row.get("of") != of or not isinstance(line.row.get("data"), str):
        raise BadLine(line.number, "is not a part of the original above it")
    return _decode_base64(line.number, line.row["data"])


def _decode_base64(number: int, text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError as error:
        raise BadLine(number, "is not base64; fix it, or export again") from error


def _refuse_kind(line: Line) -> NoReturn:
    raise BadLine(
        line.number, f"is a '{line.kind[:40]}', which this remem does not know; upgrade it"
    )


def check_header(line: Line) -> None:
    if line.kind != HEADER or line.row.get("format") != FORMAT:
        raise BadLine(line.number, "is not the header of a remem export; choose another file")
    version = line.row.get("version")
    if not isinstance(version, int) or version > VERSION:
        raise BadLine(line.number, f"is of format {version}, newer than this remem; upgrade it")


def count_lines(path: Path) -> int:
    """The number of lines according to the footer; raises when the header or footer is missing."""
    with path.open("rb") as file:
        first = file.readline(LINE_BYTES + 1)
        if not first:
            raise Invalid("file", "is empty; send an export", code="cut_file")
        check_header(parse(1, first))
        file.seek(max(0, path.stat().st_size - TAIL_BYTES))
        last = file.read().rstrip(b"\n").rpartition(b"\n")[2] + b"\n"
    lines = _footer_count(last)
    if lines is None:
        raise Invalid(
            "file", "does not end with its footer: it was cut off; export it again", code="cut_file"
        )
    return lines


def _footer_count(raw: bytes) -> int | None:
    try:
        line = parse(0, raw)
    except BadLine:
        return None
    lines = line.row.get("lines") if line.kind == FOOTER else None
    return lines if isinstance(lines, int) and lines >= 2 else None
