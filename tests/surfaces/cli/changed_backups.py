"""Change backups at random, with checksums that are right again."""

import gzip
import hashlib
import io
import json
import random
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path

Members = dict[str, bytes]
SQL, MANIFEST, SUMS = "database.sql", "manifest.json", "sums.json"


def attacks(mark: Path) -> list[str]:
    """Statements and commands of psql; each would create `mark` or give somebody rights."""
    return [
        f"\\! touch {mark}",
        f"\\o | touch {mark}",
        f"\\copy (SELECT 1) TO PROGRAM 'touch {mark}'",
        f"SELECT 1 \\g | touch {mark}",
        f"SELECT '\\' \\! touch {mark}",
        "\\unrestrict " + "a" * 40 + f"\n\\! touch {mark}",
        f"\\set x `touch {mark}`",
        f"\\i {mark}",
        f"COPY (SELECT 1) TO PROGRAM 'touch {mark}';",
        f"copy\npublic.users from program 'touch {mark}' ;",
        f"COPY public.users (id) FROM PROGRAM 'touch {mark}';",
        f"COPY public.users TO '{mark}';",
        f"DO $$ BEGIN EXECUTE 'COPY (SELECT 1) TO ''{mark}'''; END $$;",
        "CREATE EXTENSION dblink;",
        "CREATE LANGUAGE plpython3u;",
        "CREATE FUNCTION public.f() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1';",
        "CREATE FUNCTION public.f() RETURNS int LANGUAGE c AS 'libc.so.6', 'system';",
        "CREATE OR REPLACE FUNCTION public.bound_tenant() RETURNS uuid LANGUAGE sql AS 'SELECT 1';",
        "CREATE EVENT TRIGGER t ON ddl_command_end EXECUTE FUNCTION public.f();",
        "CREATE PROCEDURE public.p() LANGUAGE sql AS 'SELECT 1';",
        "CALL public.p();",
        "CREATE ROLE mallory SUPERUSER LOGIN;",
        "ALTER ROLE remem SUPERUSER;",
        "GRANT pg_execute_server_program TO remem;",
        "RESET ROLE;",
        "SET ROLE postgres;",
        "SET session_authorization = postgres;",
        "ALTER SYSTEM SET archive_command = 'touch x';",
        "ALTER DATABASE remem SET session_preload_libraries = 'x';",
        f"SELECT lo_export(lo_from_bytea(0, 'x'), '{mark}');",
        "SELECT pg_read_file('/etc/passwd');",
        "SELECT pg_catalog.setval('public.events_id_seq', (SELECT pg_sleep(100)), true);",
        "INSERT INTO public.users SELECT * FROM public.users;",
        "CREATE RULE r AS ON INSERT TO public.users DO ALSO SELECT pg_sleep(1);",
        "CREATE SERVER s FOREIGN DATA WRAPPER file_fdw;",
        "VACUUM; COMMIT; BEGIN;",
        "/* a comment */ SELECT 1;",
        "SELECT $a$ $b$;",
        "LOAD 'auto_explain';",
        "LISTEN x;",
    ]


def read(path: Path) -> Members:
    with tarfile.open(path) as tar:
        return {entry.name: tar.extractfile(entry).read() for entry in tar}  # type: ignore[union-attr]


def pack(members: Members) -> bytes:
    """An archive with right checksums, unless `members` has some."""
    sums = {name: hashlib.sha256(text).hexdigest() for name, text in members.items()}
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz", compresslevel=1) as tar:
        for name, text in {**members, SUMS: members.get(SUMS, json.dumps(sums).encode())}.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text)
            tar.addfile(entry, io.BytesIO(text))
    return file.getvalue()


def with_line(members: Members, line: str, position: int = -1) -> Members:
    lines = members[SQL].decode().split("\n")
    lines.insert(position, line)
    return {**members, SQL: "\n".join(lines).encode()}


def changed(whole: Members, mark: Path, seed: int) -> Iterator[bytes]:
    """Yield changed backups without end."""
    dice = random.Random(seed)
    lines = attacks(mark)

    def attack(members: Members) -> bytes:
        count = members[SQL].count(b"\n")
        return pack(with_line(members, dice.choice(lines), dice.randrange(count)))

    def flip(members: Members) -> bytes:
        text = bytearray(members[SQL])
        for _ in range(dice.choice((1, 3, 100))):
            text[dice.randrange(len(text))] = dice.choice(b"\\\0\n\t;'$-\xff(a9")
        return pack({**members, SQL: bytes(text)})

    def move_lines(members: Members) -> bytes:
        rows = members[SQL].split(b"\n")
        start = dice.randrange(len(rows))
        taken = rows[start : start + dice.choice((1, 2, 50))]
        if dice.random() < 0.5:
            del rows[start : start + len(taken)]
        else:
            to = dice.randrange(len(rows))
            rows[to:to] = taken
        return pack({**members, SQL: b"\n".join(rows)})

    def cut(members: Members) -> bytes:
        return pack({**members, SQL: members[SQL][: dice.randrange(len(members[SQL]))]})

    def manifest(members: Members) -> bytes:
        value = json.loads(members[MANIFEST])
        odd = (None, -1, 0, 1, 10**40, 1.5, "x", [], {}, True, "\x1b[2J", "a" * 10_000)
        value[dice.choice([*value, "extra"])] = dice.choice(odd)
        text = dice.choice(
            (json.dumps(value), json.dumps([value]), "[" * 100_000, "{", "\x00", "null", "")
            if dice.random() < 0.3
            else (json.dumps(value),)
        )
        return pack({**members, MANIFEST: text.encode()})

    def sums(members: Members) -> bytes:
        odd = (b"", b"null", b"[]", b"[" * 100_000, b"\xff\xfe", b'{"database.sql": 1}', b"1e999")
        return pack({**members, SUMS: dice.choice(odd)})

    def names(members: Members) -> bytes:
        odd = ("../x", "/etc/x", "originals/../../x", "originals/", "originals/a\x1b", "ü" * 300)
        name = dice.choice((*odd, *(f"originals/{dice.choice(odd)}" for _ in range(2))))
        return pack({**members, name: b"text"})

    def without(members: Members) -> bytes:
        gone = dice.choice(list(members))
        return pack({name: text for name, text in members.items() if name != gone})

    def archive_bytes(members: Members) -> bytes:
        data = bytearray(gzip.decompress(pack(members)))
        for _ in range(dice.choice((1, 5, 50))):
            data[dice.randrange(min(len(data), 2_000))] = dice.randrange(256)
        end = dice.randrange(len(data)) if dice.random() < 0.3 else len(data)
        return gzip.compress(bytes(data[:end]), 1)

    def packed_bytes(members: Members) -> bytes:
        data = bytearray(pack(members))
        for _ in range(dice.choice((1, 5, 50))):
            data[dice.randrange(len(data))] = dice.randrange(256)
        return bytes(data)

    kinds: list[Callable[[Members], bytes]] = [
        attack, attack, attack, flip, flip, move_lines, move_lines, cut, manifest, sums, names,
        without, archive_bytes, packed_bytes,
    ]  # fmt: skip
    while True:
        yield dice.choice(kinds)(whole)
