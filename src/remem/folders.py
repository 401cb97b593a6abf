"""Where remem keeps things on this machine. It imports little: every command reads it first."""

import os
from pathlib import Path

from platformdirs import user_config_path, user_data_path


def default_data_dir() -> Path:
    """The user's data folder; for root a folder that the database's own account can enter."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        return Path("/var/lib/remem")
    return user_data_path("remem")


def default_config_dir() -> Path:
    """Where settings and sign-ins are kept; named before any setting is read."""
    named = os.environ.get("REMEM_CONFIG_DIR")
    return Path(named).expanduser() if named else user_config_path("remem")


def settings_file() -> Path:
    return default_config_dir() / "config.toml"


def data_dir() -> Path:
    """The data folder that is set, or the default one."""
    named = setting("data_dir")
    return default_data_dir() if named is None else Path(named)


def setting(name: str) -> str | None:
    """One setting of text as the environment or config.toml has it. `settings.load` checks them
    all, and takes longer to import than a command takes to run."""
    wanted = f"REMEM_{name.upper()}"
    for variable, value in os.environ.items():
        if variable.upper() == wanted:
            return value
    value = _settings_in_file().get(name)
    return value if isinstance(value, str) else None


def _settings_in_file() -> dict[str, object]:
    """A file that cannot be read is reported where the settings are loaded."""
    file = settings_file()
    if not file.is_file():
        return {}
    import tomllib

    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
