"""A server that stores originals in a real S3 store (`rclone serve s3`), which becomes unavailable,
loses bytes or changes them."""

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


def status_of(http: httpx2.Client, id: str) -> str:
    return http.get(f"/v3/documents/{id}").json()["status"]


def test_an_original_is_stored_and_returned(http: httpx2.Client, store: RcloneServer) -> None:
    stored_before = set(store.files())
    id = upload(http, TEXT.encode()).json()["id"]
    until(lambda: status_of(http, id) == "done")
    assert http.get(f"/v3/documents/{id}/original").content == TEXT.encode()
    [stored] = set(store.files()) - stored_before
    assert stored.read_bytes() == TEXT.encode()
    assert stored.parent.parent.name == "kept", "the prefix that was set"


@pytest.mark.parametrize("damage", ["cut off", "other bytes", "longer", "empty", "gone"])
def test_a_damaged_original_is_never_returned(
    http: httpx2.Client, store: RcloneServer, damage: str
) -> None:
    stored_before = set(store.files())
    word = f"zq{os.urandom(8).hex()}"
    data = f"{TEXT}{word}".encode()
    id = upload(http, data).json()["id"]
    until(lambda: status_of(http, id) == "done")
    [stored] = set(store.files()) - stored_before
    if damage == "gone":
        stored.unlink()
        assert http.get(f"/v3/documents/{id}/original").status_code == 404
    else:
        damaged = {
            "cut off": data[:-1],
            "other bytes": data[:-1] + b"?",
            "longer": data + b"?",
            "empty": b"",
        }
        stored.write_bytes(damaged[damage])
        with pytest.raises(httpx2.HTTPError):
            http.get(f"/v3/documents/{id}/original")
    exported = http.get("/v3/export", params={"originals": "true"})
    assert exported.status_code == 200, exported.text
    assert '"footer"' in exported.text.splitlines()[-1], "everything else leaves"
    results = http.post("/v3/recall", json={"query": word}).json()["results"]
    assert results[0]["document_id"] == id, "the text was read before, and is in the database"


def test_while_the_store_is_down_no_upload_is_acknowledged_and_nothing_is_lost(
    http: httpx2.Client, store: RcloneServer
) -> None:
    first = upload(http, b"The ferry is blue.").json()["id"]
    until(lambda: status_of(http, first) == "done")
    store.stop()
    try:
        refused = upload(http, b"The buoy is red.")
        assert refused.status_code == 503, refused.text
        assert http.get(f"/v3/documents/{first}/original").status_code == 503
        assert http.post("/v3/recall", json={"query": "ferry"}).json()["results"]
        saved = http.post("/v3/memory", json={"content": "The kettle is on."})
        assert saved.status_code == 201, saved.text
    finally:
        store.start()
    assert http.get(f"/v3/documents/{first}/original").content == b"The ferry is blue."
    assert upload(http, b"The buoy is red.").status_code in (200, 201, 202)
