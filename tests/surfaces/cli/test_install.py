"""`remem install`: the right entry in the right file, and nothing else changed."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remem.surfaces.cli import toml_file
from remem.surfaces.cli.install import jsonc
from remem.surfaces.cli.install.clients import CLIENTS, Machine
from tests.surfaces.cli.running import Shell

LINUX = {
    "claude-desktop": ".config/Claude/claude_desktop_config.json",
    "claude-code": ".claude.json",
    "cursor": ".cursor/mcp.json",
    "cline": ".config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/"
    "cline_mcp_settings.json",
    "vscode": ".config/Code/User/mcp.json",
    "windsurf": ".codeium/windsurf/mcp_config.json",
    "zed": ".config/zed/settings.json",
    "codex": ".codex/config.toml",
    "gemini": ".gemini/settings.json",
}
TABLES = {"vscode": "servers", "zed": "context_servers", "codex": "mcp_servers"}
ADDRESS = {"windsurf": "serverUrl", "gemini": "httpUrl"}
BEFORE = """// settings of mine
{
  "theme": "dark", // at night
  "%s": {
    /* another */
    "other": { "command": "x", },
  },
}
"""


def held(path: Path) -> dict[str, Any]:
    text = path.read_text()
    return tomllib.loads(text) if path.suffix == ".toml" else jsonc.loads(text)


@pytest.mark.parametrize("name", CLIENTS)
def test_merging_repeating_and_removing(fresh: Shell, name: str) -> None:
    file, table = fresh.home / LINUX[name], TABLES.get(name, "mcpServers")
    file.parent.mkdir(parents=True, exist_ok=True)
    if name == "codex":
        before = (
            '# mine\nmodel = "o5" # best\n\n[mcp_servers.other]\ncommand = "x"\n\n[tools]\na = 1\n'
        )
    else:
        before = BEFORE % table
    file.write_text(before)
    file.chmod(0o640)
    shown = fresh.piped("install", name, "--dry-run")
    assert (shown.code, file.read_text()) == (0, before), shown
    assert "+" in shown.out
    done = fresh.piped("install", name)
    assert done.code == 0, done
    after = file.read_text()
    entry = held(file)[table]["remem"]
    assert entry["args"][-3:] == ["mcp", "--tools", "assistant"]
    assert entry["env"]["REMEM_DATA_DIR"] == fresh.environment["REMEM_DATA_DIR"]
    assert [line for line in before.splitlines() if line not in after.splitlines()] == []
    assert file.stat().st_mode & 0o777 == 0o640
    assert file.with_name(file.name + ".before-remem").read_text() == before
    assert "nothing to change" in fresh.piped("install", name).out
    assert file.read_text() == after
    assert fresh.piped("install", name, "--remove").code == 0
    expected = tomllib.loads(before) if name == "codex" else jsonc.loads(before)
    assert held(file) == expected
    assert jsonc.comments(file.read_text()) == jsonc.comments(before)


def test_a_server_by_its_address_and_the_users_own_fields(fresh: Shell) -> None:
    for name in ("claude-code", "windsurf", "gemini", "cline", "codex", "claude-desktop"):
        file = fresh.home / LINUX[name]
        done = fresh.piped(
            "install", name, "--url", "https://m.example.org/", "--key", "mc_secretsecret"
        )
        assert done.code == 0, done
        assert "mc_secretsecret" not in done.out
        entry = held(file)[TABLES.get(name, "mcpServers")]["remem"]
        if name == "claude-desktop":
            assert entry["env"]["REMEM_URL"] == "https://m.example.org"
            continue
        assert entry[ADDRESS.get(name, "url")] == "https://m.example.org/mcp/assistant"
        if name == "codex":
            assert entry["bearer_token_env_var"] == "REMEM_KEY"
        else:
            assert entry["headers"] == {"Authorization": "Bearer mc_secretsecret"}
        assert file.stat().st_mode & 0o777 == 0o600
    file = fresh.home / LINUX["cline"]
    kept = json.loads(file.read_text())
    kept["mcpServers"]["remem"]["autoApprove"] = ["recall"]
    file.write_text(json.dumps(kept))
    assert fresh.piped("install", "cline").code == 0
    entry = held(file)["mcpServers"]["remem"]
    assert entry["autoApprove"] == ["recall"]
    assert "url" not in entry


def test_a_file_to_share_holds_no_secret(fresh: Shell) -> None:
    for name in ("claude-code", "cursor", "vscode", "codex", "gemini"):
        done = fresh.piped("install", name, "--project", "--key", "mc_secret", "--url", "http://x")
        assert done.code == 0, done
        text = (fresh.home / str(CLIENTS[name].project)).read_text()
        assert "mc_secret" not in text
        assert "REMEM_KEY" in text
        assert str(fresh.home) not in text
    assert fresh.piped("install", "zed", "--project").code == 1
    (fresh.home / ".git").mkdir()
    refused = fresh.piped("install", "zed", "--key", "mc_secret", "--url", "http://x")
    assert refused.code == 1
    assert "repository" in refused.err
    assert not (fresh.home / LINUX["zed"]).exists()
    assert fresh.piped("install", "windsurf", "--key", "mc_secret", "--url", "http://x").code == 0
    assert "mc_secret" not in (fresh.home / LINUX["windsurf"]).read_text()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("claude-code", '{"mcpServers": {'),
        ("vscode", '{"servers": []}'),
        ("zed", '{"context_servers": {}, "context_servers": {}} // twice'),
        ("codex", "mcp_servers = [1]\n"),
        ("gemini", "[1, 2]"),
        ("cursor", "{'mcpServers': {}}"),
    ],
)
def test_what_cannot_be_changed_safely_is_left(fresh: Shell, name: str, text: str) -> None:
    file = fresh.home / LINUX[name]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    refused = fresh.piped("install", name)
    assert refused.code == 1, refused
    assert "nothing was changed" in refused.err
    assert '"remem"' in refused.err
    assert file.read_text() == text
    assert [path.name for path in file.parent.iterdir() if path.is_file()] == [file.name]


def test_a_folder_that_cannot_be_written(fresh: Shell) -> None:
    """A file in the folder's place stops root as well."""
    (fresh.home / ".cursor").write_text("in the way")
    refused = fresh.piped("install", "cursor")
    assert (refused.code, "cannot be written" in refused.err) == (1, True), refused
    assert "Traceback" not in refused.err


def test_all_that_are_here_with_hooks(fresh: Shell) -> None:
    for folder in (".cursor", ".codex", ".gemini"):
        (fresh.home / folder).mkdir()
    mine = {"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "mine"}]}]}}
    (fresh.home / ".gemini/settings.json").write_text(json.dumps(mine))
    (fresh.home / ".claude").mkdir()
    (fresh.home / ".claude.json").write_text("{}")
    done = fresh.piped("install", "--all", "--hooks", PATH="/usr/bin:/bin")
    assert done.code == 0, done
    gemini = json.loads((fresh.home / ".gemini/settings.json").read_text())
    starts = [group["hooks"][0]["command"] for group in gemini["hooks"]["SessionStart"]]
    assert starts[0] == "mine"
    assert starts[1].endswith("hook start --client gemini")
    assert "remem" in gemini["mcpServers"]
    claude = json.loads((fresh.home / ".claude/settings.json").read_text())
    assert set(claude["hooks"]) == {"SessionStart", "SessionEnd"}
    assert json.loads((fresh.home / ".cursor/hooks.json").read_text())["version"] == 1
    assert "Stop" in json.loads((fresh.home / ".codex/hooks.json").read_text())["hooks"]
    again = fresh.piped("install", "--all", "--hooks", PATH="/usr/bin:/bin")
    assert again.out.count("nothing to change") == 4, again
    assert fresh.piped("install", "gemini", "--remove").code == 0
    assert json.loads((fresh.home / ".gemini/settings.json").read_text())["hooks"] == mine["hooks"]


def test_where_the_files_are_elsewhere() -> None:
    home = Path("/Users/ana")
    mac = Machine("darwin", home, {})
    places = {name: str(client.places(mac)[0]) for name, client in CLIENTS.items()}
    support = "/Users/ana/Library/Application Support"
    assert places["claude-desktop"] == f"{support}/Claude/claude_desktop_config.json"
    assert places["vscode"] == f"{support}/Code/User/mcp.json"
    assert places["zed"] == "/Users/ana/.config/zed/settings.json"
    windows = Machine("win32", home, {"APPDATA": "/Users/ana/AppData/Roaming"})
    places = {name: str(client.places(windows)[0]) for name, client in CLIENTS.items()}
    assert places["zed"] == "/Users/ana/AppData/Roaming/Zed/settings.json"
    assert places["claude-desktop"].endswith("Roaming/Claude/claude_desktop_config.json")
    assert places["windsurf"] == "/Users/ana/.codeium/windsurf/mcp_config.json"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(
    st.dictionaries(st.text(max_size=5), VALUES, max_size=4),
    st.sampled_from([None, 2, 4, "\t"]),
    VALUES,
)
def test_any_json_keeps_the_rest(before: dict[str, Any], indent: Any, value: Any) -> None:
    text = json.dumps(before, indent=indent, ensure_ascii=False)
    put = jsonc.put(text, ["remem servers"], value)
    assert jsonc.loads(put) == {**before, "remem servers": value}
    assert jsonc.loads(jsonc.remove(put, ["remem servers"])) == before


@given(
    st.dictionaries(st.text("abc-_. é", min_size=1, max_size=5), st.text(max_size=9), max_size=3)
)
def test_any_table_is_toml(value: dict[str, str]) -> None:
    plain = {name: one.replace("\x7f", "") for name, one in value.items()}
    before = 'a = 1\n\n[mcp_servers.x]\ncommand = "y"\n'
    put = toml_file.put(before, ["mcp_servers", "remem"], {"env": plain, "command": "z"})
    assert tomllib.loads(put)["mcp_servers"]["remem"] == {"env": plain, "command": "z"}
    assert tomllib.loads(toml_file.remove(put, ["mcp_servers", "remem"])) == tomllib.loads(before)


@pytest.mark.parametrize(
    "before",
    [
        'mcp_servers = { other = { command = "x" } } # inline\n',
        'mcp_servers.other.command = "x"\n',
        'note = """\n[mcp_servers.remem]\ncommand = "not a table"\n"""\n',
        '# first\n[mcp_servers.remem]\ncommand = "old"\n\n[model] # last\nname = "o5"\n',
        "",
    ],
)
def test_a_table_is_put_into_any_toml(before: str) -> None:
    put = toml_file.put(before, ["mcp_servers", "remem"], {"command": "z"})
    meant = tomllib.loads(before)
    meant["mcp_servers"] = {**meant.get("mcp_servers", {}), "remem": {"command": "z"}}
    assert tomllib.loads(put) == meant
    assert all(comment in put for comment in ("# inline", "# first", "# last") if comment in before)
    taken = tomllib.loads(toml_file.remove(put, ["mcp_servers", "remem"]))
    del meant["mcp_servers"]["remem"]
    assert taken == {name: value for name, value in meant.items() if value}
