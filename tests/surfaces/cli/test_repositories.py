"""One repository, one project: two of one name, working trees, clones by another path."""

import subprocess
from pathlib import Path

import pytest

from remem.surfaces.cli.hooks.project import folder_project, project_of
from remem.surfaces.cli.hooks.repository import normalise_remote


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REMEM_CONFIG_DIR", str(tmp_path / "config"))


def git(folder: Path, *words: str) -> None:
    author = ("-c", "user.name=Ana", "-c", "user.email=ana@example.org")
    subprocess.run(["git", *author, *words], cwd=folder, check=True, capture_output=True)


def repository(folder: Path, remote: str | None = None) -> Path:
    folder.mkdir(parents=True)
    git(folder, "init", "-b", "main")
    git(folder, "commit", "--allow-empty", "-m", "first")
    if remote:
        git(folder, "remote", "add", "origin", remote)
    return folder


@pytest.mark.parametrize(
    "url",
    [
        "git@github.com:Ana/web.git",
        "https://github.com/ana/web",
        "https://ana:s3cret@github.com/ana/web.git/",
        "ssh://git@github.com:22/ana/web.git",
        "ssh://git@ssh.github.com:443/ana/web.git",
        "git://GitHub.com/ana/web",
        "github.com:ana/web",
        "https://www.github.com:443/Ana/Web.git",
    ],
)
def test_every_way_to_write_an_address_is_one(url: str) -> None:
    assert normalise_remote(url) == "github.com/ana/web"


@pytest.mark.parametrize("path", ["/srv/git/web.git", "../web", "file:///srv/web", "C:\\git\\web"])
def test_a_path_is_no_address(path: str) -> None:
    assert normalise_remote(path) is None


def test_another_host_or_owner_is_another_repository() -> None:
    urls = ("https://github.com/ana/web", "https://gitlab.com/ana/web", "git@github.com:ben/web")
    assert len({normalise_remote(url) for url in (*urls, "http://localhost:3000/ana/web")}) == 4


@pytest.mark.parametrize("remote", [None, "git@github.com:ana/web.git"])
def test_working_trees_and_clones_are_one_project(tmp_path: Path, remote: str | None) -> None:
    main = repository(tmp_path / "a/web", remote)
    other = repository(tmp_path / "b/web")
    for number in range(3):
        git(main, "worktree", "add", str(tmp_path / f"trees/web-{number}"))
    git(tmp_path, "clone", str(main), "elsewhere")
    (main / "src/deep").mkdir(parents=True)
    (tmp_path / "link").symlink_to(main)
    folders = [main, main / "src/deep", tmp_path / "link", tmp_path / "elsewhere"]
    folders += [tmp_path / f"trees/web-{number}" for number in range(3)]
    slugs = {project_of(str(folder)) for folder in folders}
    assert len(slugs) == 1
    assert slugs.pop().startswith("web-")
    assert project_of(str(other)).startswith("web-")
    assert project_of(str(other)) != project_of(str(main))


def test_clones_of_one_remote_are_one_project_on_every_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = project_of(str(repository(tmp_path / "web", "git@github.com:ana/web.git")))
    local = project_of(str(repository(tmp_path / "local")))
    monkeypatch.setenv("REMEM_CONFIG_DIR", str(tmp_path / "another machine"))
    cloned = folder_project(str(repository(tmp_path / "web2", "https://github.com/ana/web")))
    assert (cloned.slug, cloned.name, cloned.identity) == (first, "ana/web", "github.com/ana/web")
    assert project_of(str(tmp_path / "local")) != local


def test_a_bare_repository_and_a_submodule(tmp_path: Path) -> None:
    bare = tmp_path / "store/web.git"
    bare.mkdir(parents=True)
    git(bare, "init", "--bare", "-b", "main")
    for name in ("one", "two"):
        git(tmp_path, "clone", str(bare), name)
    git(tmp_path / "one", "commit", "--allow-empty", "-m", "first")
    git(tmp_path / "one", "push", "origin", "main")
    assert project_of(str(tmp_path / "one")) == project_of(str(tmp_path / "two"))
    assert project_of(str(tmp_path / "one")).startswith("web-")
    outer = repository(tmp_path / "outer")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", str(bare), "inner")
    assert project_of(str(outer / "inner")) == project_of(str(tmp_path / "one"))


def test_a_removed_folder_is_known_by_its_recorded_remote(tmp_path: Path) -> None:
    slug = project_of(str(repository(tmp_path / "web", "git@github.com:ana/web.git")))
    gone = str(tmp_path / "trees/gone")
    assert folder_project(gone, "https://github.com/ana/web.git").slug == slug


def test_the_folder_settings_name_the_project(tmp_path: Path) -> None:
    main = repository(tmp_path / "web")
    (main / "src").mkdir()
    (main / ".remem.toml").write_text('project = "work.web"\nnever_save = ["secrets/", "*.env"]\n')
    git(main, "worktree", "add", str(tmp_path / "tree"))
    for folder in (main, main / "src", tmp_path / "tree"):
        assert project_of(str(folder)) == "work.web"
    settings = folder_project(str(main)).settings
    for text in (
        "see @secrets/key.txt",
        f"open {main}/secrets/a/b",
        "cat ./.env",
        "(config/p.env)",
    ):
        assert settings.names_private_path(text), text
    for text in ("keep secrets to yourself", "the environment", "src/secret.py"):
        assert not settings.names_private_path(text), text
    assert settings.is_never_saved(str(main / "secrets/x"))
    assert not settings.is_never_saved(str(main / "src"))


@pytest.mark.parametrize("text", ["off = ", "of = true", "off = 1", "never_save = 'x'"])
def test_settings_that_cannot_be_read_are_no_permission_to_save(tmp_path: Path, text: str) -> None:
    main = repository(tmp_path / "web")
    (main / ".remem.toml").write_text(text)
    with pytest.raises(ValueError, match=r"\.remem\.toml"):
        project_of(str(main))
