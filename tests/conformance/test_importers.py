"""What every importer promises, on files in the shape its product writes."""

import contextlib
import functools
import io
import json
import random
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remem.adapters.importers.front_matter import split_front_matter
from remem.adapters.importers.stream import values
from remem.bootstrap import open_importers
from remem.core.errors import Unreadable
from remem.core.items import Item, LeftOut
from tests.samples.elsewhere import sample, vault, zipped

IMPORTERS = open_importers()
FILES = {
    "chatgpt.json": "chatgpt",
    "claude.json": "claude",
    "mem0.json": "mem0",
    "supermemory.json": "supermemory",
    "karakeep.json": "karakeep",
    "pocket.csv": "pocket",
    "pocket.html": "pocket",
    "raindrop.csv": "raindrop",
    "raindrop.html": "raindrop",
}


def read(name: str, path: Path, folder: Path | None = None) -> tuple[list[Item], list[LeftOut]]:
    found = list(IMPORTERS[name].read(path, folder))
    kept = [one for one in found if isinstance(one, Item)]
    return kept, [one for one in found if isinstance(one, LeftOut)]


def knowing(path: Path) -> list[str]:
    return [name for name, one in IMPORTERS.items() if one.recognises(path)]


def written(folder: Path, data: bytes | str, name: str = "file") -> Path:
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


@pytest.mark.parametrize(("file", "name"), FILES.items())
def test_a_file_is_known_by_its_content_and_by_one_importer(
    file: str, name: str, tmp_path: Path
) -> None:
    assert knowing(written(tmp_path, sample(file).read_bytes(), "no-name")) == [name]


@pytest.mark.parametrize(
    "data",
    [b"", b"hello", b"{}", b"[]", b'[{"a": 1}]', b"a,b\n1,2\n", b"<html><a href='x'>y</a></html>",
     b"\x00\xff\xfe", b'{"bookmarks": 7}', b"PK\x03\x04 cut", b"[" * 5_000],
)  # fmt: skip
def test_what_nobody_wrote_is_recognised_by_nobody(data: bytes, tmp_path: Path) -> None:
    assert knowing(written(tmp_path, data)) == []


def test_zips_are_known_by_what_is_in_them(tmp_path: Path) -> None:
    chat, claude = sample("chatgpt.json").read_bytes(), sample("claude.json").read_bytes()
    rows, marks = sample("pocket.csv").read_bytes(), sample("pocket_annotations.json").read_bytes()
    cases: dict[str, dict[str, str | bytes]] = {
        "chatgpt": {"conversations.json": chat, "chat.html": "<html>", "user.json": "{}"},
        "claude": {"x/conversations.json": claude, "x/users.json": "[]"},
        "pocket": {"part_000000.csv": rows, "annotations/part_000000.json": marks},
        "obsidian": {"Vault/a.md": "Hello", "Vault/conversations.md": "Hi"},
    }
    for name, files in cases.items():
        assert knowing(written(tmp_path, zipped(files), name))[0] == name


def test_chatgpt_gives_the_branch_that_is_shown_with_its_times() -> None:
    [talk], [empty] = read("chatgpt", sample("chatgpt.json"))
    assert [turn.speaker for turn in talk.turns] == ["user", "assistant", "user"]
    assert "marzipan" not in " ".join(turn.text for turn in talk.turns)
    assert talk.turns[1].text.startswith("Vestmannasund")
    assert [turn.at and turn.at.timestamp() for turn in talk.turns] == [
        1709283601, 1709283640, 1712000000,
    ]  # fmt: skip
    assert talk.turns[2].text.endswith("[attached: tides.png]")
    assert talk.created_at and talk.created_at.timestamp() == 1709283600
    assert talk.title == "Kayak trip to the Faroe Islands"
    assert talk.url == f"https://chatgpt.com/c/{talk.reference}"
    assert talk.metadata["default_model_slug"] == "gpt-4o"
    assert empty.reason == "nobody says anything in it"


def test_chatgpt_finds_the_last_branch_where_none_is_named(tmp_path: Path) -> None:
    [talk, _] = json.loads(sample("chatgpt.json").read_text())
    del talk["current_node"]
    talk["mapping"]["root-1"]["parent"] = "u-2"  # a circle
    [item], _ = read("chatgpt", written(tmp_path, json.dumps([talk])))
    assert [turn.speaker for turn in item.turns] == ["user", "assistant", "user"]


def test_chatgpt_reads_one_conversation_and_split_files(tmp_path: Path) -> None:
    [talk, _] = json.loads(sample("chatgpt.json").read_text())
    alone = written(tmp_path, json.dumps(talk), "one.json")
    assert knowing(alone) == ["chatgpt"]
    [item], _ = read("chatgpt", alone)
    split = written(
        tmp_path,
        zipped({"conversations-000.json": json.dumps([talk]), "conversations-001.json": "[]"}),
        "split.zip",
    )
    assert read("chatgpt", split)[0] == [item]


def test_claude_gives_turns_attachments_and_what_lies_in_projects(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "conversations.json": sample("claude.json").read_bytes(),
        "projects.json": sample("claude_projects.json").read_bytes(),
        "users.json": "[]",
    }
    [talk, recipe, oven], [_] = read("claude", written(tmp_path, zipped(files)))
    assert [turn.speaker for turn in talk.turns] == ["user", "assistant"]
    assert talk.turns[0].text.endswith("[attached: recipe.txt]\n[attached: loaf.jpg]")
    assert talk.turns[1].text.startswith("At that height")
    assert "bakes high up" not in talk.turns[1].text
    assert talk.turns[0].at and talk.turns[0].at.isoformat() == "2025-01-14T07:30:12+00:00"
    assert (recipe.title, recipe.content[:7]) == ("recipe.txt", "Rye 300")
    assert oven.content.endswith("fired with larch.")


def test_claude_gives_the_branch_that_is_shown(tmp_path: Path) -> None:
    def message(id: str, parent: str, text: str) -> dict[str, Any]:
        sender = "human" if id.startswith("h") else "assistant"
        return {"uuid": id, "parent_message_uuid": parent, "sender": sender, "text": text}

    messages = [
        message("h1", "root", "Hi"), message("a1", "h1", "no"), message("a2", "h1", "yes"),
    ]  # fmt: skip
    talk = {"uuid": "t", "name": "T", "chat_messages": messages}
    [item], _ = read("claude", written(tmp_path, json.dumps([talk])))
    assert [turn.text for turn in item.turns] == ["Hi", "yes"]


def test_mem0_gives_memories_with_their_times_and_all_else_as_metadata() -> None:
    [bees, nuts, vespa], [empty] = read("mem0", sample("mem0.json"))
    assert bees.created_at and bees.created_at.isoformat() == "2024-03-02T09:15:00-08:00"
    assert bees.tags == ("hobbies", "personal_details")
    assert bees.metadata["type"] == "hobby" and bees.metadata["user_id"] == "nadia"
    assert bees.metadata["structured_attributes"] == {"year": 2024, "month": 3}
    assert nuts.reference == "0b1d2c3e-0000-4000-8000-00000000000a"
    assert vespa.created_at is None
    assert empty.reason == "it has no text"


@pytest.mark.parametrize(
    "shape",
    [
        lambda rows: json.dumps(rows),
        lambda rows: json.dumps({"memories": rows}),
        lambda rows: "\n".join(json.dumps(row) for row in rows) + "\n",
        lambda rows: "\ufeff" + json.dumps({"relations": [], "results": rows}, indent=4),
    ],
)
def test_mem0_lists_come_in_several_shapes(
    shape: Callable[[list[Any]], str], tmp_path: Path
) -> None:
    rows = json.loads(sample("mem0.json").read_text())["results"]
    path = written(tmp_path, shape(rows))
    assert knowing(path) == ["mem0"]
    assert [one.reference for one in read("mem0", path)[0]] == [
        rows[n]["id"] for n in (0, 1, 3)
    ]  # fmt: skip


def test_supermemory_gives_documents_and_what_holds_of_their_memories() -> None:
    kept, left = read("supermemory", sample("supermemory.json"))
    log, fan, page = kept
    assert (log.kind, fan.kind, page.kind) == ("document", "memory", "bookmark")
    assert log.content.startswith("The greenhouse fan") and log.metadata["season"] == "spring"
    assert log.metadata["customId"] == "notes-77" and "summaryEmbedding" not in log.metadata
    assert fan.created_at and fan.created_at.isoformat() == "2025-04-02T06:01:00+00:00"
    assert fan.metadata["documentId"] == "doc_8Lq2"
    assert page.url == "https://garden.example/espalier" and page.content == ""
    assert [one.reason for one in left] == [
        "a later version replaced it there", "it was forgotten there",
    ]  # fmt: skip


def test_karakeep_gives_links_notes_and_the_names_of_lists() -> None:
    [gannets, glasses], [scan] = read("karakeep", sample("karakeep.json"))
    assert gannets.url == gannets.reference == "https://birds.example/gannets"
    assert gannets.note == "Ask Per about the boat to Heligoland."
    assert gannets.metadata == {"lists": ["Ornithology"], "author": "P. Holm", "archived": True}
    assert gannets.created_at and gannets.created_at.timestamp() == 1719835200
    assert (glasses.kind, glasses.content) == ("document", "Binoculars: 8x42, not 10x42.")
    assert "not in the file" in scan.reason


def test_pocket_gives_rows_with_what_was_marked(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "part_000000.csv": sample("pocket.csv").read_bytes(),
        "annotations/part_000000.json": sample("pocket_annotations.json").read_bytes(),
    }
    [clock, plain], [] = read("pocket", written(tmp_path, zipped(files)))
    assert clock.title == "How lighthouses, once, were wound"
    assert clock.tags == ("history", "sea")
    assert clock.quotes == ("The weight fell through the tower every four hours.",)
    assert clock.created_at and clock.created_at.isoformat() == "2020-02-16T10:40:00+00:00"
    assert plain.metadata == {"status": "archive"} and plain.quotes == ()
    assert read("pocket", sample("pocket.csv"))[0][0].quotes == ()


def test_pocket_gives_the_links_of_its_older_page() -> None:
    [splices, sisal], [] = read("pocket", sample("pocket.html"))
    assert splices.url == "https://ropes.example/splices?a=1&b=2"
    assert splices.title == "Eye splices & other joints"
    assert splices.tags == ("knots", "boats")
    assert (splices.metadata, sisal.metadata) == (
        {"status": "Unread"}, {"status": "Read Archive"},
    )  # fmt: skip


def test_raindrop_gives_rows_with_notes_and_what_was_marked() -> None:
    [terraces, lintels], [] = read("raindrop", sample("raindrop.csv"))
    assert terraces.note.startswith('The drawing on page 3, "section B"')
    assert terraces.quotes == (
        "Dry stone walls hold for a century.",
        "Batter the face by one in six.",
        "Never use mortar.",
    )
    assert terraces.metadata["folder"] == "Garden / Walls" and terraces.tags == ("stone", "slopes")
    assert lintels.title is None and lintels.created_at


def test_raindrop_and_browsers_write_bookmarks_as_a_page() -> None:
    [bridles, spars], [clip] = read("raindrop", sample("raindrop.html"))
    assert bridles.note == "The bridle of a sled kite needs a single knot."
    assert bridles.metadata["folder"] == "Kites" and bridles.metadata["favorite"] is True
    assert "folder" not in spars.metadata
    assert clip.reason == "its address is none of the web"


def test_obsidian_gives_notes_with_what_stands_above_them_and_attachments(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    [home, lofoten, route], left = read("obsidian", written(tmp_path, vault()), folder)
    assert home.folders == ("vault",) and home.metadata["links"] == ["Trips/2024/Lofoten"]
    assert lofoten.title == "Lofoten by bicycle"
    assert lofoten.tags == ("travel", "cycling", "norway/coast")
    assert lofoten.folders == ("vault", "Trips", "2024")
    assert lofoten.created_at and lofoten.created_at.isoformat() == "2024-02-03T18:20:00+00:00"
    assert lofoten.metadata["aliases"] == ["Lofoten plan", "The long ride"]
    assert lofoten.metadata["budget"] == 1800
    assert lofoten.metadata["links"] == ["Packing list", "route.csv"]
    assert lofoten.content.startswith("# Lofoten") and "[[Packing list]]" in lofoten.content
    assert route.file and route.file.read_text().startswith("day,from,km")
    assert sorted(one.reference for one in left) == [
        "vault/Trips/Empty.md",
        "vault/Trips/board.canvas",
    ]


def test_front_matter_is_read_as_people_write_it() -> None:
    assert split_front_matter("no front\n---\n") == ({}, "no front\n---\n")
    body, text = split_front_matter(
        "---\r\na: 'x: y'\r\nb: [1, \"q, r\"]\r\nc:\r\n- [[L]]\r\n---\r\nText"
    )
    assert (body, text) == ({"a": "x: y", "b": [1, "q, r"], "c": ["[[L]]"]}, "Text")
    assert split_front_matter("---\na: &x [b]\nc: *x\n---\n")[0]["c"] == "*x"


# Damage and harm


@pytest.mark.parametrize(("file", "name"), [one for one in FILES.items() if "json" in one[0]])
def test_a_file_that_was_cut_off_says_so(file: str, name: str, tmp_path: Path) -> None:
    whole = sample(file).read_bytes().rstrip()
    with pytest.raises(Unreadable, match="export it again"):
        read(name, written(tmp_path, whole[:-1]))
    with pytest.raises(Unreadable, match="export it again"):
        read(name, written(tmp_path, whole[: len(whole) // 2]))


@functools.cache
def bomb() -> bytes:
    return zipped({"conversations.json": b"[" + b" " * 50_000_000, "a.md": b"a" * 50_000_000})


@pytest.mark.parametrize("name", sorted(IMPORTERS))
def test_a_bomb_is_refused_before_it_unpacks(name: str, tmp_path: Path) -> None:
    path = written(tmp_path, bomb())
    with contextlib.suppress(Unreadable):
        assert not IMPORTERS[name].recognises(path)
    with pytest.raises(Unreadable, match="would unpack to"):
        read(name, path)


@pytest.mark.parametrize("name", sorted(IMPORTERS))
def test_any_bytes_are_read_or_refused(name: str, tmp_path: Path) -> None:
    chance = random.Random(7)
    for file in [*FILES, "pocket_annotations.json"]:
        whole = bytearray(sample(file).read_bytes())
        for _ in range(5):
            whole[chance.randrange(len(whole))] = chance.randrange(256)
        path = written(tmp_path, bytes(whole))
        try:
            list(IMPORTERS[name].read(path, None))
        except Unreadable as error:
            assert error.message


def test_a_path_that_leads_out_of_the_archive_leads_nowhere(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    path = written(
        tmp_path, zipped({"../e.csv": "a,b\n", "/e.csv": "a,b\n", "x/a.md": "Hi"}), "v.zip"
    )
    [note], left_out = read("obsidian", path, folder)
    assert note.reference == "x/a.md"
    assert [one.reference for one in left_out] == ["../e.csv", "/e.csv"]
    assert sorted(one.name for one in tmp_path.iterdir()) == ["in", "v.zip"]


def test_json_of_any_length_takes_the_memory_of_one_value(tmp_path: Path) -> None:
    path = tmp_path / "long.json"
    one = json.dumps({"memory": "x" * 10_000, "user_id": "u", "nested": [{"a": ['"}]', "\\"]}]})
    with path.open("w") as file:
        file.write("[" + ",".join([one] * 3_000) + "]")
    assert path.stat().st_size > 30_000_000
    tracemalloc.start()
    count = sum(1 for _ in IMPORTERS["mem0"].read(path, None))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 3_000
    assert peak < 5_000_000


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(rows=st.lists(JSON, max_size=5), indent=st.sampled_from([None, 1]), raw=st.booleans())
def test_a_list_streams_as_the_values_it_has(rows: list[Any], indent: int, raw: bool) -> None:
    text = json.dumps(rows, indent=indent, ensure_ascii=raw)
    data = text.encode("utf-8", "surrogatepass")
    assert [value for _, value in values(_Trickle(data))] == rows


@given(held=st.dictionaries(st.text(), JSON, min_size=2, max_size=4))
def test_an_object_streams_as_its_fields(held: dict[str, Any]) -> None:
    expected = [
        (key, one)
        for key, value in held.items()
        for one in (value if isinstance(value, list) else [value])
    ]
    assert list(values(_Trickle(json.dumps(held).encode()))) == expected


class _Trickle(io.BytesIO):
    """A few bytes at a time, so that every place is once the end of a block."""

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(3)
