"""The export of a Slack workspace: threads across days, days, and damaged files."""

import json
import zipfile
from pathlib import Path
from typing import Any

from remem.adapters.importers.slack import SlackImporter
from remem.core.items import Item, LeftOut
from tests.tools.mirror import text_of

USERS = [
    {"id": "U1", "name": "ada", "profile": {"display_name": "Ada"}},
    {"id": "U2", "name": "bob"},
]


def export(path: Path, days: dict[str, Any]) -> Path:
    target = path / "export.zip"
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("users.json", json.dumps(USERS))
        archive.writestr("channels.json", json.dumps([{"id": "C1", "name": "tea"}]))
        for name, messages in days.items():
            text = messages if isinstance(messages, str) else json.dumps(messages)
            archive.writestr(f"tea/{name}.json", text)
    return target


def message(ts: str, text: str, user: str = "U1", **fields: Any) -> dict[str, Any]:
    return {"type": "message", "user": user, "text": text, "ts": ts, **fields}


def test_threads_and_days_of_an_export(tmp_path: Path) -> None:
    first = message("1700000000.0", "Who has the kettle?", thread_ts="1700000000.0", reply_count=2)
    path = export(
        tmp_path,
        {
            "2023-11-14": [first, message("1700000001.0", "Good morning, <@U2> &amp; all.")],
            "2023-11-15": [
                message("1700090000.0", "I have it.", "U2", thread_ts="1700000000.0"),
                message("1700090001.0", "joined", subtype="channel_join"),
                "no message",
            ],
            "2023-11-16": "{damaged",
        },
    )
    importer = SlackImporter()
    assert importer.recognises(path)
    results = list(importer.read(path, None))
    items = {result.reference: result for result in results if isinstance(result, Item)}
    assert {reference: text_of(item) for reference, item in items.items()} == {
        "tea/day/2023-11-14": "Ada: Good morning, @bob & all.",
        "tea/thread/1700000000.0": "Ada: Who has the kettle?\nbob: I have it.",
    }
    assert items["tea/thread/1700000000.0"].title == "Who has the kettle? (#tea)"
    [left_out] = [result for result in results if isinstance(result, LeftOut)]
    assert left_out.reference == "tea/2023-11-16.json"


def test_other_archives_are_not_recognized(tmp_path: Path) -> None:
    other = tmp_path / "other.zip"
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("users.json", "[]")
        archive.writestr("notes/2023-11-14.md", "A daily note.")
    assert not SlackImporter().recognises(other)
