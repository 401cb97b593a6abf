"""One project, however each way in spells it."""

import unicodedata
from pathlib import Path

import pytest

from remem.adapters.database.embedded.cluster import SUPERUSER
from remem.client import Remem
from remem.surfaces.cli.hooks.project import folder_name_slug, project_of
from tests.conftest import Person, Server
from tests.core.scratch import connected
from tests.surfaces.cli.conftest import shell_of
from tests.surfaces.mcp.conftest import call_tool, over_http

pytestmark = pytest.mark.anyio


async def test_every_way_in_shares_the_project(
    server: Server, person: Person, tmp_path: Path
) -> None:
    first = person.post("/v1/documents", {"content": "The kettle is red.", "container": "MyApp"})
    assert first.json()["container"] == "MyApp"
    saved = person.post("/api/memories", {"content": "The desk is oak.", "project": "My App"})
    assert saved.json()["memory"]["project"] == "MyApp"
    assert person.save("The pan is black.", project="MYAPP")["status"] == "done"
    files = {"file": ("pot.txt", b"The pot is blue.")}
    upload = person.http.post("/v3/documents/upload", files=files, data={"project": "my_app"})
    assert upload.status_code in (200, 201, 202), upload.text
    async with over_http(server, person.key, "legacy", "/coding") as mcp:
        arguments = {"content": "The lamp is green.", "project": "myapp"}
        assert (await call_tool(mcp, "save_memory", arguments))["status"] == "saved"
        found = await call_tool(mcp, "search_memory", {"query": "desk", "project": "MY-APP"})
        assert found["found"] >= 1
    with Remem(server.url, person.key) as remem:
        remem.save("The mug is yellow.", project="my-app")
    shell = shell_of(person, tmp_path)
    assert shell.piped("save", "The rug is grey.", "--project", "My-App").code == 0
    notes = tmp_path / "vault"
    (notes / ".obsidian").mkdir(parents=True)
    (notes / "Sofa.md").write_text("The sofa is violet.\n")
    assert shell.piped("import", str(notes), "--project", "Myapp").code == 0
    repository = tmp_path / "My_App"
    (repository / ".git").mkdir(parents=True)
    (repository / ".remem.toml").write_text('project = "My_App"\n')
    folder = project_of(str(repository))
    containers = person.http.get("/v1/containers").json()["containers"]
    assert sorted(container["name"] for container in containers) == ["MyApp", "default"]
    project = person.http.get(f"/v3/projects/{folder}").json()
    assert (project["slug"], project["name"]) == ("myapp", "MyApp")
    assert project["document_count"] == 6
    listed = person.http.get("/api/memories", params={"project": "MYAPP"}).json()["memories"]
    assert {"The desk is oak.", "The lamp is green."} <= {memory["content"] for memory in listed}
    found = person.post("/v1/search", {"query": "desk", "container": "my app"}).json()["results"]
    assert found[0]["content"] == "The desk is oak."


@pytest.mark.parametrize(
    "name", ["Café Müller", "हिन्दी नोट्स", "บันทึก", "ΟΔΟΣ Σοφίας", "ışık", "İzmir"]
)
@pytest.mark.parametrize("form", ["NFC", "NFD"])
async def test_a_repository_of_any_script_names_its_project(
    person: Person, tmp_path: Path, name: str, form: str
) -> None:
    """The names of files are decomposed on some systems."""
    person.post("/api/memories", {"content": "The desk is oak.", "project": name})
    repository = tmp_path / unicodedata.normalize(form, name)
    (repository / ".git").mkdir(parents=True)
    folder = folder_name_slug(str(repository))
    assert person.http.get(f"/v3/projects/{folder}").json()["name"] == name
    slug = project_of(str(repository))
    created = person.post("/v3/projects", {"name": name, "slug": slug}).json()
    assert created["slug"] == slug


async def test_a_sigma_at_the_end_of_a_word_is_spelled_as_one(person: Person) -> None:
    """Case folding writes every sigma alike; all spellings are one project nevertheless."""
    created = person.post("/v3/projects", {"name": "Δρόμος", "slug": "δρόμος"}).json()
    assert created["slug"] == "δρόμος"
    for spelling in ("ΔΡΌΜΟΣ", "δρόμοσ", "δρόμος"):
        assert person.http.get(f"/v3/projects/{spelling}").json()["id"] == created["id"]
    person.post("/api/memories", {"content": "The desk is oak.", "project": "ΔΡΌΜΟΣ.ΣΎΝΟΛΟ ΣΑΣ"})
    slugs = {project["slug"] for project in person.http.get("/v3/projects").json()["projects"]}
    assert slugs == {"default", "δρόμος", "δρόμος.σύνολο-σας"}
    below = {"project": "δρόμοσ.*"}
    assert len(person.http.get("/api/memories", params=below).json()["memories"]) == 1


async def test_a_project_with_another_sigma_of_an_older_version_is_found(
    server: Server, person: Person
) -> None:
    created = person.post("/v3/projects", {"name": "Δρόμος"}).json()
    person.post("/api/memories", {"content": "The desk is oak.", "project": "Δρόμος.Σας"})
    async with connected(server, "remem", SUPERUSER) as superuser:
        await superuser.execute(
            "UPDATE projects SET slug = replace(slug, 'ς', 'σ') WHERE tenant_id ="
            " (SELECT tenant_id FROM projects WHERE id = $1)",
            created["id"],
        )
    for spelling in ("ΔΡΌΜΟΣ", "δρόμοσ", "δρόμος"):
        assert person.http.get(f"/v3/projects/{spelling}").json()["id"] == created["id"]
        below = {"project": f"{spelling}.*"}
        assert len(person.http.get("/api/memories", params=below).json()["memories"]) == 1
    person.post("/api/memories", {"content": "The lamp is green.", "project": "δρόμος.σας"})
    assert len(person.http.get("/v3/projects").json()["projects"]) == 3
