"""The contract of importers, tested on files in the format of each product."""

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

from remem.adapters.importers.stream import values
from remem.bootstrap import open_importers
from remem.core.chunking.front_matter import split_front_matter
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
    results = list(IMPORTERS[name].read(path, folder))
    items = [result for result in results if isinstance(result, Item)]
    return items, [result for result in results if isinstance(result, LeftOut)]


def importers_for(path: Path) -> list[str]:
    return [name for name, importer in IMPORTERS.items() if importer.recognises(path)]


def write_file(folder: Path, data: bytes | str, name: str = "file") -> Path:
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


@pytest.mark.parametrize(("file", "name"), FILES.items())
def test_a_file_is_recognized_by_its_content_and_by_one_importer(
    file: str, name: str, tmp_path: Path
) -> None:
    assert importers_for(write_file(tmp_path, sample(file).read_bytes(), "no-name")) == [name]


@pytest.mark.parametrize(
    "data",
    [b"", b"hello", b"{}", b"[]", b'[{"a": 1}]', b"a,b\n1,2\n", b"<html><a href='x'>y</a></html>",
     b"\x00\xff\xfe", b'{"bookmarks": 7}', b"PK\x03\x04 cut", b"[" * 5_000],
)  # fmt: skip
def test_other_files_are_recognized_by_no_importer(data: bytes, tmp_path: Path) -> None:
    assert importers_for(write_file(tmp_path, data)) == []


def test_zips_are_recognized_by_their_files(tmp_path: Path) -> None:
    chat, claude = sample("chatgpt.json").read_bytes(), sample("claude.json").read_bytes()
    rows, annotations = (
        sample("pocket.csv").read_bytes(),
        sample("pocket_annotations.json").read_bytes(),
    )
    cases: dict[str, dict[str, str | bytes]] = {
        "chatgpt": {"conversations.json": chat, "chat.html": "<html>", "user.json": "{}"},
        "claude": {"x/conversations.json": claude, "x/users.json": "[]"},
        "pocket": {"part_000000.csv": rows, "annotations/part_000000.json": annotations},
        "obsidian": {"Vault/a.md": "Hello", "Vault/conversations.md": "Hi"},
    }
    for name, files in cases.items():
        assert importers_for(write_file(tmp_path, zipped(files), name))[0] == name


def test_chatgpt_reads_the_shown_branch_with_its_times() -> None:
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


def test_chatgpt_finds_the_last_branch_when_none_is_named(tmp_path: Path) -> None:
    [talk, _] = json.loads(sample("chatgpt.json").read_text())
    del talk["current_node"]
    talk["mapping"]["root-1"]["parent"] = "u-2"  # a circle
    [item], _ = read("chatgpt", write_file(tmp_path, json.dumps([talk])))
    assert [turn.speaker for turn in item.turns] == ["user", "assistant", "user"]


def test_chatgpt_reads_one_conversation_and_split_files(tmp_path: Path) -> None:
    [talk, _] = json.loads(sample("chatgpt.json").read_text())
    alone = write_file(tmp_path, json.dumps(talk), "one.json")
    assert importers_for(alone) == ["chatgpt"]
    [item], _ = read("chatgpt", alone)
    split = write_file(
        tmp_path,
        zipped({"conversations-000.json": json.dumps([talk]), "conversations-001.json": "[]"}),
        "split.zip",
    )
    assert read("chatgpt", split)[0] == [item]


def test_claude_reads_turns_attachments_and_projects(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "conversations.json": sample("claude.json").read_bytes(),
        "projects.json": sample("claude_projects.json").read_bytes(),
        "users.json": "[]",
    }
    [talk, recipe, oven], [_] = read("claude", write_file(tmp_path, zipped(files)))
    assert [turn.speaker for turn in talk.turns] == ["user", "assistant"]
    assert talk.turns[0].text.endswith("[attached: recipe.txt]\n[attached: loaf.jpg]")
    assert talk.turns[1].text.startswith("At that height")
    assert "bakes high up" not in talk.turns[1].text
    assert talk.turns[0].at and talk.turns[0].at.isoformat() == "2025-01-14T07:30:12+00:00"
    assert (recipe.title, recipe.content[:7]) == ("recipe.txt", "Rye 300")
    assert oven.content.endswith("fired with larch.")


def test_claude_reads_the_shown_branch(tmp_path: Path) -> None:
    def message(id: str, parent: str, text: str) -> dict[str, Any]:
        sender = "human" if id.startswith("h") else "assistant"
        return {"uuid": id, "parent_message_uuid": parent, "sender": sender, "text": text}

    messages = [
        message("h1", "root", "Hi"), message("a1", "h1", "no"), message("a2", "h1", "yes"),
    ]  # fmt: skip
    talk = {"uuid": "t", "name": "T", "chat_messages": messages}
    [item], _ = read("claude", write_file(tmp_path, json.dumps([talk])))
    assert [turn.text for turn in item.turns] == ["Hi", "yes"]


def test_mem0_reads_memories_with_their_times_and_metadata() -> None:
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
def test_mem0_reads_several_formats(shape: Callable[[list[Any]], str], tmp_path: Path) -> None:
    rows = json.loads(sample("mem0.json").read_text())["results"]
    path = write_file(tmp_path, shape(rows))
    assert importers_for(path) == ["mem0"]
    assert [item.reference for item in read("mem0", path)[0]] == [
        rows[n]["id"] for n in (0, 1, 3)
    ]  # fmt: skip


def test_supermemory_reads_documents_and_current_memories() -> None:
    items, left_out = read("supermemory", sample("supermemory.json"))
    log, fan, page = items
    assert (log.kind, fan.kind, page.kind) == ("document", "memory", "bookmark")
    assert log.content.startswith("The greenhouse fan") and log.metadata["season"] == "spring"
    assert log.metadata["customId"] == "notes-77" and "summaryEmbedding" not in log.metadata
    assert fan.created_at and fan.created_at.isoformat() == "2025-04-02T06:01:00+00:00"
    assert fan.metadata["documentId"] == "doc_8Lq2"
    assert page.url == "https://garden.example/espalier" and page.content == ""
    assert [result.reason for result in left_out] == [
        "a later version replaced it there", "it was forgotten there",
    ]  # fmt: skip


def test_karakeep_reads_links_notes_and_the_names_of_lists() -> None:
    [gannets, glasses], [scan] = read("karakeep", sample("karakeep.json"))
    assert gannets.url == gannets.reference == "https://birds.example/gannets"
    assert gannets.note == "Ask Per about the boat to Heligoland."
    assert gannets.metadata == {"lists": ["Ornithology"], "author": "P. Holm", "archived": True}
    assert gannets.created_at and gannets.created_at.timestamp() == 1719835200
    assert (glasses.kind, glasses.content) == ("document", "Binoculars: 8x42, not 10x42.")
    assert "not in the file" in scan.reason


def test_pocket_reads_rows_with_highlights(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "part_000000.csv": sample("pocket.csv").read_bytes(),
        "annotations/part_000000.json": sample("pocket_annotations.json").read_bytes(),
    }
    [clock, plain], [] = read("pocket", write_file(tmp_path, zipped(files)))
    assert clock.title == "How lighthouses, once, were wound"
    assert clock.tags == ("history", "sea")
    assert clock.quotes == ("The weight fell through the tower every four hours.",)
    assert clock.created_at and clock.created_at.isoformat() == "2020-02-16T10:40:00+00:00"
    assert plain.metadata == {"status": "archive"} and plain.quotes == ()
    assert read("pocket", sample("pocket.csv"))[0][0].quotes == ()


def test_pocket_reads_the_links_of_its_older_page() -> None:
    [splices, sisal], [] = read("pocket", sample("pocket.html"))
    assert splices.url == "https://ropes.example/splices?a=1&b=2"
    assert splices.title == "Eye splices & other joints"
    assert splices.tags == ("knots", "boats")
    assert (splices.metadata, sisal.metadata) == (
        {"status": "Unread"}, {"status": "Read Archive"},
    )  # fmt: skip


def test_raindrop_reads_rows_with_notes_and_highlights() -> None:
    [terraces, lintels], [] = read("raindrop", sample("raindrop.csv"))
    assert terraces.note.startswith('The drawing on page 3, "section B"')
    assert terraces.quotes == (
        "Dry stone walls hold for a century.",
        "Batter the face by one in six.",
        "Never use mortar.",
    )
    assert terraces.metadata["folder"] == "Garden / Walls" and terraces.tags == ("stone", "slopes")
    assert lintels.title is None and lintels.created_at


def test_raindrop_reads_a_page_of_bookmarks() -> None:
    [bridles, spars], [clip] = read("raindrop", sample("raindrop.html"))
    assert bridles.note == "The bridle of a sled kite needs a single knot."
    assert bridles.metadata["folder"] == "Kites" and bridles.metadata["favorite"] is True
    assert "folder" not in spars.metadata
    assert clip.reason == "its address is none of the web"


def test_obsidian_reads_notes_with_front_matter_and_attachments(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    [home, lofoten, route], left_out = read("obsidian", write_file(tmp_path, vault()), folder)
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
    assert sorted(result.reference for result in left_out) == [
        "vault/Trips/Empty.md",
        "vault/Trips/board.canvas",
    ]


def test_front_matter_is_read_as_people_write_it() -> None:
    assert split_front_matter("no front\n---\n") == ({}, "no front\n---\n")
    fields, text = split_front_matter(
        "---\r\na: 'x: y'\r\nb: [1, \"q, r\"]\r\nc:\r\n- [[L]]\r\n---\r\nText"
    )
    assert (fields, text) == ({"a": "x: y", "b": [1, "q, r"], "c": ["[[L]]"]}, "Text")
    assert split_front_matter("---\na: &x [b]\nc: *x\n---\n")[0]["c"] == "*x"


# Damaged and hostile files


@pytest.mark.parametrize(("file", "name"), [item for item in FILES.items() if "json" in item[0]])
def test_a_truncated_file_is_reported(file: str, name: str, tmp_path: Path) -> None:
    data = sample(file).read_bytes().rstrip()
    with pytest.raises(Unreadable, match="export it again"):
        read(name, write_file(tmp_path, data[:-1]))
    with pytest.raises(Unreadable, match="export it again"):
        read(name, write_file(tmp_path, data[: len(data) // 2]))


@functools.cache
def bomb() -> bytes:
    return zipped({"conversations.json": b"[" + b" " * 50_000_000, "a.md": b"a" * 50_000_000})


@pytest.mark.parametrize("name", sorted(IMPORTERS))
def test_a_bomb_is_refused_before_it_unpacks(name: str, tmp_path: Path) -> None:
    path = write_file(tmp_path, bomb())
    with contextlib.suppress(Unreadable):
        assert not IMPORTERS[name].recognises(path)
    with pytest.raises(Unreadable, match="would unpack to"):
        read(name, path)


@pytest.mark.parametrize("name", sorted(IMPORTERS))
def test_any_bytes_are_read_or_refused(name: str, tmp_path: Path) -> None:
    rng = random.Random(7)
    for file in [*FILES, "pocket_annotations.json"]:
        data = bytearray(sample(file).read_bytes())
        for _ in range(5):
            data[rng.randrange(len(data))] = rng.randrange(256)
        path = write_file(tmp_path, bytes(data))
        try:
            list(IMPORTERS[name].read(path, None))
        except Unreadable as error:
            assert error.message


def test_paths_out_of_the_archive_are_left_out(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    path = write_file(
        tmp_path, zipped({"../e.csv": "a,b\n", "/e.csv": "a,b\n", "x/a.md": "Hi"}), "v.zip"
    )
    [note], left_out = read("obsidian", path, folder)
    assert note.reference == "x/a.md"
    assert [result.reference for result in left_out] == ["../e.csv", "/e.csv"]
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["in", "v.zip"]


def test_long_json_is_read_in_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "long.json"
    memory = json.dumps({"memory": "x" * 10_000, "user_id": "u", "nested": [{"a": ['"}]', "\\"]}]})
    with path.open("w") as file:
        file.write("[" + ",".join([memory] * 3_000) + "]")
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
def test_a_list_is_streamed_as_its_values(rows: list[Any], indent: int, raw: bool) -> None:
    text = json.dumps(rows, indent=indent, ensure_ascii=raw)
    data = text.encode("utf-8", "surrogatepass")
    assert [value for _, value in values(_ThreeByteReader(data))] == rows


@given(fields=st.dictionaries(st.text(), JSON, min_size=2, max_size=4))
def test_an_object_is_streamed_as_its_fields(fields: dict[str, Any]) -> None:
    expected = [
        (key, item)
        for key, value in fields.items()
        for item in (value if isinstance(value, list) else [value])
    ]
    assert list(values(_ThreeByteReader(json.dumps(fields).encode()))) == expected


class _ThreeByteReader(io.BytesIO):
    """Returns three bytes at a time, so that blocks end at many positions."""

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(3)
