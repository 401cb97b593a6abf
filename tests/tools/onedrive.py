"""A fake OneDrive on loopback: the folders and files of an account, with its list of changes."""

from dataclasses import dataclass, field
from typing import Any

from tests.tools.fake_service import Call, FakeService, Reply

TOKEN = "EwB-xyzzy-never-to-be-seen"
ROOT, FOLDER = "drive!root", "drive!100"


@dataclass
class FakeOneDrive(FakeService):
    contract_name: str = "onedrive"
    token: str | None = TOKEN
    entries: dict[str, dict[str, Any]] = field(default_factory=dict)
    contents: dict[str, bytes] = field(default_factory=dict)
    # The ids that changed, in order; a mark is a position in this list.
    log: list[str] = field(default_factory=list)
    page_size: int = 200
    forgotten: int = 0
    served: list[Call] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.entries[ROOT] = {"id": ROOT, "name": "root", "root": {}, "folder": {}}
        self.log.append(ROOT)
        self.add_folder(FOLDER, "Notes", ROOT)

    # Actions of the owner

    def add_folder(self, id: str, name: str, parent: str) -> None:
        self._set(id, name=name, parent=parent, folder={"childCount": 0})

    def write(self, id: str, name: str, data: bytes, parent: str = FOLDER) -> None:
        self.contents[id] = data
        tag = f'"c:{{{id}}},{len(self.log)}"'
        self._set(id, name=name, parent=parent, file={}, size=len(data), cTag=tag)

    def change(self, id: str, **fields: Any) -> None:
        self._set(id, **fields)

    def delete(self, id: str) -> None:
        self.entries[id] = {"id": id, "deleted": {"state": "deleted"}}
        self.log.append(id)

    def _set(self, id: str, **fields: Any) -> None:
        if parent := fields.pop("parent", None):
            fields["parentReference"] = {"id": parent, "driveId": "drive"}
        dates = {"createdDateTime": "2026-01-01T00:00:00Z", "webUrl": f"https://1drv.ms/{id}"}
        self.entries[id] = {**dates, **self.entries.get(id, {}), "id": id, **fields}
        self.log.append(id)

    # Replies

    def answer(self, call: Call) -> Reply:
        if call.path.startswith("/download/"):
            assert "authorization" not in call.headers, "a token goes to one host only"
            self.served.append(call)
            return Reply(self.contents[call.path.rpartition("/")[2]])
        return super().answer(call)

    def find(self, call: Call) -> Reply:
        path = call.path.removeprefix("/v1.0/me/drive").lstrip("/")
        if path == "":
            owner = {"user": {"displayName": "Ada"}}
            return Reply({"id": "drive", "owner": owner, "driveType": "personal"})
        if path == "root/delta":
            return self._delta(call.query)
        if path == "root/children":
            return self._children(ROOT, call.query)
        id = path.split("/")[1]
        if id not in self.entries or self.entries[id].get("deleted"):
            return Reply({"error": {"code": "itemNotFound", "message": "x"}}, 404)
        if path.endswith("/children"):
            return self._children(id, call.query)
        if path.endswith("/content"):
            return Reply(b"", 302, {"Location": f"{self.url}/download/{id}"})
        return Reply(self.entries[id])

    def _delta(self, query: dict[str, str]) -> Reply:
        token = query.get("token")
        if token == "latest":
            return Reply({"value": [], "@odata.deltaLink": self._link(f"log-{len(self.log)}")})
        kind, _, number = (token or "all-0").rpartition("-")
        start = int(number)
        if kind == "log" and start < self.forgotten:
            return Reply({"error": {"code": "resyncRequired", "message": "x"}}, 410)
        ids = self.log if kind == "log" else list(self.entries)
        page = ids[start : start + self.page_size]
        value = [self.entries[id] for id in page if kind == "log" or not self._is_deleted(id)]
        end = start + len(page)
        if end < len(ids):
            return Reply({"value": value, "@odata.nextLink": self._link(f"{kind}-{end}")})
        return Reply({"value": value, "@odata.deltaLink": self._link(f"log-{len(self.log)}")})

    def _is_deleted(self, id: str) -> bool:
        return "deleted" in self.entries[id]

    def _link(self, token: str) -> str:
        """A link at an address that must never be contacted."""
        return f"https://192.0.2.1/v1.0/me/drive/root/delta(token='{token}')"

    def _children(self, id: str, query: dict[str, str]) -> Reply:
        children = [
            entry
            for entry in self.entries.values()
            if (entry.get("parentReference") or {}).get("id") == id
        ]
        start = int(query.get("$skiptoken", "s0")[1:])
        has_more = start + self.page_size < len(children)
        link = f"https://192.0.2.1/children?$skiptoken=s{start + self.page_size}"
        page = children[start : start + self.page_size]
        return Reply({"value": page, **({"@odata.nextLink": link} if has_more else {})})
