"""`remem install` writes the right entry into the right file and changes nothing else."""

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

LINUX_PATHS = {
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
    "opencode": ".config/opencode/opencode.json",
    "kilo": ".config/kilo/kilo.jsonc",
    "copilot": ".copilot/mcp-config.json",
    "junie": ".junie/mcp/mcp.json",
    "openclaw": ".openclaw/openclaw.json",
}
TABLE_NAMES = {"vscode": "servers", "zed": "context_servers", "codex": "mcp_servers"}
TABLE_NAMES |= {"opencode": "mcp", "kilo": "mcp", "openclaw": "mcp"}
# A table inside of that.
INNER_TABLES = {"openclaw": "servers"}
URL_FIELDS = {"windsurf": "serverUrl", "gemini": "httpUrl"}
CONFIG_BEFORE = """// settings of mine
{
  "theme": "dark", // at night
  "%s": {
    /* another */
    "other": { "command": "x", },
  },
}
"""


def load_config(path: Path) -> dict[str, Any]:
    text = path.read_text()
    return tomllib.loads(text) if path.suffix == ".toml" else jsonc.loads(text)


@pytest.mark.parametrize("name", CLIENTS)
def test_install_repeat_and_remove(fresh: Shell, name: str) -> None:
    file, table = fresh.home / LINUX_PATHS[name], TABLE_NAMES.get(name, "mcpServers")
    file.parent.mkdir(parents=True, exist_ok=True)
    if name == "codex":
        before = (
            '# mine\nmodel = "o5" # best\n\n[mcp_servers.other]\ncommand = "x"\n\n[tools]\na = 1\n'
        )
    else:
        before = CONFIG_BEFORE % table
    if name in INNER_TABLES:
        before = before.replace('"other"', f'"{INNER_TABLES[name]}": {{}}, "other"')
    file.write_text(before)
    file.chmod(0o640)
    dry_run = fresh.piped("install", name, "--dry-run")
    assert (dry_run.code, file.read_text()) == (0, before), dry_run
    assert "+" in dry_run.out
    result = fresh.piped("install", name)
    assert result.code == 0, result
    after = file.read_text()
    servers = load_config(file)[table]
    entry = servers.get(INNER_TABLES.get(name, ""), servers)["remem"]
    assert entry.get("args", entry["command"])[-1:] == ["mcp"]
    environment = entry.get("env", entry.get("environment"))
    assert environment["REMEM_DATA_DIR"] == fresh.environment["REMEM_DATA_DIR"]
    assert (
        name in INNER_TABLES
        or [line for line in before.splitlines() if line not in after.splitlines()] == []
    )
    assert file.stat().st_mode & 0o777 == 0o640
    assert file.with_name(file.name + ".before-remem").read_text() == before
    assert "nothing to change" in fresh.piped("install", name).out
    assert file.read_text() == after
    assert fresh.piped("install", name, "--remove").code == 0
    expected = tomllib.loads(before) if name == "codex" else jsonc.loads(before)
    assert load_config(file) == expected
    assert jsonc.comments(file.read_text()) == jsonc.comments(before)


def test_a_server_by_url_keeps_the_users_own_fields(fresh: Shell) -> None:
    for name in ("claude-code", "windsurf", "gemini", "cline", "codex", "claude-desktop"):
        file = fresh.home / LINUX_PATHS[name]
        result = fresh.piped(
            "install", name, "--url", "https://m.example.org/", "--key", "mc_secretsecret"
        )
        assert result.code == 0, result
        assert "mc_secretsecret" not in result.out
        entry = load_config(file)[TABLE_NAMES.get(name, "mcpServers")]["remem"]
        if name == "claude-desktop":
            assert entry["env"]["REMEM_URL"] == "https://m.example.org"
            continue
        assert entry[URL_FIELDS.get(name, "url")] == "https://m.example.org/mcp"
        if name == "codex":
            assert entry["bearer_token_env_var"] == "REMEM_KEY"
        else:
            assert entry["headers"] == {"Authorization": "Bearer mc_secretsecret"}
        assert file.stat().st_mode & 0o777 == 0o600
    file = fresh.home / LINUX_PATHS["cline"]
    config = json.loads(file.read_text())
    config["mcpServers"]["remem"]["autoApprove"] = ["recall"]
    file.write_text(json.dumps(config))
    assert fresh.piped("install", "cline").code == 0
    entry = load_config(file)["mcpServers"]["remem"]
    assert entry["autoApprove"] == ["recall"]
    assert "url" not in entry


def test_a_shared_file_contains_no_secret(fresh: Shell) -> None:
    for name in ("claude-code", "cursor", "vscode", "codex", "gemini"):
        result = fresh.piped(
            "install", name, "--project", "--key", "mc_secret", "--url", "http://x"
        )
        assert result.code == 0, result
        text = (fresh.home / str(CLIENTS[name].project)).read_text()
        assert "mc_secret" not in text
        assert "REMEM_KEY" in text
        assert str(fresh.home) not in text
    assert fresh.piped("install", "zed", "--project").code == 1
    (fresh.home / ".git").mkdir()
    refused = fresh.piped("install", "zed", "--key", "mc_secret", "--url", "http://x")
    assert refused.code == 1
    assert "repository" in refused.err
    assert not (fresh.home / LINUX_PATHS["zed"]).exists()
    assert fresh.piped("install", "windsurf", "--key", "mc_secret", "--url", "http://x").code == 0
    assert "mc_secret" not in (fresh.home / LINUX_PATHS["windsurf"]).read_text()


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
def test_a_file_that_cannot_be_changed_safely_is_left_alone(
    fresh: Shell, name: str, text: str
) -> None:
    file = fresh.home / LINUX_PATHS[name]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    refused = fresh.piped("install", name)
    assert refused.code == 1, refused
    assert "nothing was changed" in refused.err
    assert '"remem"' in refused.err
    assert file.read_text() == text
    assert [path.name for path in file.parent.iterdir() if path.is_file()] == [file.name]


def test_a_folder_that_cannot_be_written(fresh: Shell) -> None:
    """A file in place of the folder makes writing fail for root too."""
    (fresh.home / ".cursor").write_text("in the way")
    refused = fresh.piped("install", "cursor")
    assert (refused.code, "cannot be written" in refused.err) == (1, True), refused
    assert "Traceback" not in refused.err


def test_all_installed_clients_with_hooks(fresh: Shell) -> None:
    for folder in (".cursor", ".codex", ".gemini"):
        (fresh.home / folder).mkdir()
    own_hooks = {"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "mine"}]}]}}
    (fresh.home / ".gemini/settings.json").write_text(json.dumps(own_hooks))
    (fresh.home / ".claude").mkdir()
    (fresh.home / ".claude.json").write_text("{}")
    result = fresh.piped("install", "--all", "--hooks", PATH="/usr/bin:/bin")
    assert result.code == 0, result
    gemini = json.loads((fresh.home / ".gemini/settings.json").read_text())
    starts = [group["hooks"][0]["command"] for group in gemini["hooks"]["SessionStart"]]
    assert starts[0] == "mine"
    assert starts[1].endswith("hook start --client gemini")
    assert "remem" in gemini["mcpServers"]
    claude = json.loads((fresh.home / ".claude/settings.json").read_text())
    assert list(claude["hooks"]) == ["SessionStart", "UserPromptSubmit", "PreCompact", "SessionEnd"]
    assert claude["statusLine"]["command"].endswith("remem statusline")
    assert json.loads((fresh.home / ".cursor/hooks.json").read_text())["version"] == 1
    assert "Stop" in json.loads((fresh.home / ".codex/hooks.json").read_text())["hooks"]
    again = fresh.piped("install", "--all", "--hooks", PATH="/usr/bin:/bin")
    assert again.out.count("nothing to change") == 4, again
    assert fresh.piped("install", "gemini", "--remove").code == 0
    assert (
        json.loads((fresh.home / ".gemini/settings.json").read_text())["hooks"]
        == own_hooks["hooks"]
    )


def test_hooks_of_an_older_remem_are_replaced_and_removed_without_a_trace(fresh: Shell) -> None:
    folder = fresh.home / ".claude"
    folder.mkdir()
    file = folder / "settings.json"
    mine = {"type": "command", "command": "mine"}
    own = {"hooks": {"SessionStart": [{"hooks": [mine]}]}, "model": "opus"}
    before = json.dumps(own, indent=2) + "\n"
    old = {"type": "command", "command": "/old/bin/remem hook start --client claude-code"}
    end = {"type": "command", "command": "/old/bin/remem hook end --client claude-code"}
    with_old = {
        "hooks": {
            "SessionStart": [{"hooks": [mine]}, {"hooks": [old]}],
            "SessionEnd": [{"hooks": [end]}],
        },
        "model": "opus",
    }
    file.write_text(json.dumps(with_old, indent=2) + "\n")
    assert fresh.piped("install", "claude-code", "--hooks").code == 0
    text = file.read_text()
    installed = json.loads(text)
    assert "/old/bin" not in text
    assert len(installed["hooks"]["SessionStart"]) == 2
    for moment in ("UserPromptSubmit", "PreCompact", "SessionEnd"):
        assert len(installed["hooks"][moment]) == 1
    again = fresh.piped("install", "claude-code", "--hooks")
    assert "nothing to change" in again.out and file.read_text() == text
    assert fresh.piped("install", "claude-code", "--remove").code == 0
    assert json.loads(file.read_text()) == own
    file.write_text(before)
    for words in (("--hooks",), ("--remove",)):
        assert fresh.piped("install", "claude-code", *words).code == 0
    assert file.read_text() == before
    without = json.dumps({"model": "opus"}, indent=2) + "\n"
    file.write_text(without)
    for words in (("--hooks",), ("--remove",)):
        assert fresh.piped("install", "claude-code", *words).code == 0
    assert file.read_text() == without


def test_the_status_line_of_the_user_stays(fresh: Shell) -> None:
    folder = fresh.home / ".claude"
    folder.mkdir()
    file = folder / "settings.json"
    status = {"type": "command", "command": "my-status"}
    file.write_text(json.dumps({"statusLine": status}))
    for words in (("--hooks",), ("--remove",)):
        assert fresh.piped("install", "claude-code", *words).code == 0
        assert json.loads(file.read_text())["statusLine"] == status


def test_paths_on_macos_and_windows() -> None:
    home = Path("/Users/ana")
    macos = Machine("darwin", home, {})
    paths = {name: str(client.places(macos)[0]) for name, client in CLIENTS.items()}
    support = "/Users/ana/Library/Application Support"
    assert paths["claude-desktop"] == f"{support}/Claude/claude_desktop_config.json"
    assert paths["vscode"] == f"{support}/Code/User/mcp.json"
    assert paths["zed"] == "/Users/ana/.config/zed/settings.json"
    windows = Machine("win32", home, {"APPDATA": "/Users/ana/AppData/Roaming"})
    paths = {name: str(client.places(windows)[0]) for name, client in CLIENTS.items()}
    assert paths["zed"] == "/Users/ana/AppData/Roaming/Zed/settings.json"
    assert paths["claude-desktop"].endswith("Roaming/Claude/claude_desktop_config.json")
    assert paths["windsurf"] == "/Users/ana/.codeium/windsurf/mcp_config.json"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda children: (
        st.lists(children, max_size=3) | st.dictionaries(st.text(max_size=5), children, max_size=3)
    ),
    max_leaves=8,
)


@given(
    st.dictionaries(st.text(max_size=5), VALUES, max_size=4),
    st.sampled_from([None, 2, 4, "\t"]),
    VALUES,
)
def test_other_json_entries_are_kept(before: dict[str, Any], indent: Any, value: Any) -> None:
    text = json.dumps(before, indent=indent, ensure_ascii=False)
    updated = jsonc.put(text, ["remem servers"], value)
    assert jsonc.loads(updated) == {**before, "remem servers": value}
    assert jsonc.loads(jsonc.remove(updated, ["remem servers"])) == before


@given(
    st.dictionaries(st.text("abc-_. é", min_size=1, max_size=5), st.text(max_size=9), max_size=3)
)
def test_any_table_is_valid_toml(value: dict[str, str]) -> None:
    plain = {name: text.replace("\x7f", "") for name, text in value.items()}
    before = 'a = 1\n\n[mcp_servers.x]\ncommand = "y"\n'
    updated = toml_file.put(before, ["mcp_servers", "remem"], {"env": plain, "command": "z"})
    assert tomllib.loads(updated)["mcp_servers"]["remem"] == {"env": plain, "command": "z"}
    assert tomllib.loads(toml_file.remove(updated, ["mcp_servers", "remem"])) == tomllib.loads(
        before
    )


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
def test_a_table_is_added_to_any_toml(before: str) -> None:
    updated = toml_file.put(before, ["mcp_servers", "remem"], {"command": "z"})
    expected = tomllib.loads(before)
    expected["mcp_servers"] = {**expected.get("mcp_servers", {}), "remem": {"command": "z"}}
    assert tomllib.loads(updated) == expected
    assert all(
        comment in updated for comment in ("# inline", "# first", "# last") if comment in before
    )
    removed = tomllib.loads(toml_file.remove(updated, ["mcp_servers", "remem"]))
    del expected["mcp_servers"]["remem"]
    assert removed == {name: value for name, value in expected.items() if value}


def test_the_tables_of_newer_versions_and_the_users_own_choice_of_tools(fresh: Shell) -> None:
    """opencode 2 has its servers one level deeper, and reads both."""
    file = fresh.home / LINUX_PATHS["opencode"]
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({"mcp": {"servers": {"other": {"type": "local"}}}}))
    assert fresh.piped("install", "opencode").code == 0
    assert set(load_config(file)["mcp"]) == {"servers"}
    entry = load_config(file)["mcp"]["servers"]["remem"]
    assert (entry["type"], entry["command"][-1]) == ("local", "mcp")
    assert "opencode" in fresh.piped("install").out
    assert fresh.piped("install", "opencode", "--remove").code == 0
    assert list(load_config(file)["mcp"]["servers"]) == ["other"]
    remote = ("--url", "https://m.example.org", "--key", "mc_secretsecret")
    for name, kind in (("kilo", "remote"), ("copilot", "http")):
        assert fresh.piped("install", name, *remote).code == 0
        table = TABLE_NAMES.get(name, "mcpServers")
        entry = load_config(fresh.home / LINUX_PATHS[name])[table]["remem"]
        assert (entry["type"], entry["url"]) == (kind, "https://m.example.org/mcp")
        assert entry["headers"] == {"Authorization": "Bearer mc_secretsecret"}
    copilot = fresh.home / LINUX_PATHS["copilot"]
    config = load_config(copilot)
    assert config["mcpServers"]["remem"]["tools"] == ["*"]
    config["mcpServers"]["remem"]["tools"] = ["recall"]
    copilot.write_text(json.dumps(config))
    assert fresh.piped("install", "copilot").code == 0
    assert load_config(copilot)["mcpServers"]["remem"]["tools"] == ["recall"]
