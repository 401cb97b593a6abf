"""A server whose originals are in a real S3 store (`rclone serve s3`): kept and given back;
and the store goes away, loses bytes and changes them."""

import os
import shutil
from collections.abc import Iterator

import httpx2
import pytest

from tests.conftest import start_server, stop_server
from tests.tools.folders import new_folder
from tests.tools.rclone import RcloneServer, rclone_server
from tests.tools.waiting import until

TEXT = "".join(f"Berth {number} belongs to boat zq{number:x}.\n" for number in range(40))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RcloneServer]:
    with rclone_server(tmp_path_factory.mktemp("rclone")) as server:
        yield server


@pytest.fixture(scope="module")
def http(store: RcloneServer) -> Iterator[httpx2.Client]:
    folder = new_folder()
    server = start_server(folder, **store.settings, REMEM_DISTIL="false")
    headers = {"Authorization": f"Bearer {server.owner_key}"}
    with httpx2.Client(base_url=server.url, headers=headers, timeout=60) as client:
        yield client
    stop_server(server)
    shutil.rmtree(folder, ignore_errors=True)


def upload(http: httpx2.Client, data: bytes, name: str = "berths.txt") -> httpx2.Response:
    return http.post("/v3/documents/upload", files={"file": (name, data, "text/plain")})


def state(http: httpx2.Client, id: str) -> str:
    return http.get(f"/v3/documents/{id}").json()["status"]


def test_an_original_is_kept_and_given_back(http: httpx2.Client, store: RcloneServer) -> None:
    before = set(store.files())
    id = upload(http, TEXT.encode()).json()["id"]
    until(lambda: state(http, id) == "done")
    assert http.get(f"/v3/documents/{id}/original").content == TEXT.encode()
    [kept] = set(store.files()) - before
    assert kept.read_bytes() == TEXT.encode()
    assert kept.parent.parent.name == "kept", "the prefix that was set"


@pytest.mark.parametrize("damage", ["cut off", "other bytes", "longer", "empty", "gone"])
def test_other_bytes_are_given_to_nobody(
    http: httpx2.Client, store: RcloneServer, damage: str
) -> None:
    before = set(store.files())
    own = f"zq{os.urandom(8).hex()}"
    data = f"{TEXT}{own}".encode()
    id = upload(http, data).json()["id"]
    until(lambda: state(http, id) == "done")
    [kept] = set(store.files()) - before
    if damage == "gone":
        kept.unlink()
        assert http.get(f"/v3/documents/{id}/original").status_code == 404
    else:
        harmed = {
            "cut off": data[:-1],
            "other bytes": data[:-1] + b"?",
            "longer": data + b"?",
            "empty": b"",
        }
        kept.write_bytes(harmed[damage])
        with pytest.raises(httpx2.HTTPError):
            http.get(f"/v3/documents/{id}/original")
    exported = http.get("/v3/export", params={"originals": "true"})
    assert exported.status_code == 200, exported.text
    assert '"footer"' in exported.text.splitlines()[-1], "everything else leaves"
    found = http.post("/v3/recall", json={"query": own}).json()["results"]
    assert found[0]["document_id"] == id, "the text was read before, and is in the database"


def test_while_the_store_is_away_nothing_is_acknowledged_and_nothing_lost(
    http: httpx2.Client, store: RcloneServer
) -> None:
    first = upload(http, b"The ferry is blue.").json()["id"]
    until(lambda: state(http, first) == "done")
    store.stop()
    try:
        refused = upload(http, b"The buoy is red.")
        assert refused.status_code == 503, refused.text
        assert http.get(f"/v3/documents/{first}/original").status_code == 503
        assert http.post("/v3/recall", json={"query": "ferry"}).json()["results"]
        typed = http.post("/v3/memory", json={"content": "The kettle is on."})
        assert typed.status_code == 201, typed.text
    finally:
        store.start()
    assert http.get(f"/v3/documents/{first}/original").content == b"The ferry is blue."
    assert upload(http, b"The buoy is red.").status_code in (200, 201, 202)
