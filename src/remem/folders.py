"""Where remem keeps its files on this machine. Every command imports this, so it imports little."""

import os
from pathlib import Path

from platformdirs import user_config_path, user_data_path


def default_data_dir() -> Path:
    """The user's data folder; for root, one that the database's own account can access."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        return Path("/var/lib/remem")
    return user_data_path("remem")


def default_config_dir() -> Path:
    """Where settings and sign-ins are kept; known before any setting is read."""
    configured = os.environ.get("REMEM_CONFIG_DIR")
    return Path(configured).expanduser() if configured else user_config_path("remem")


def settings_file() -> Path:
    return default_config_dir() / "config.toml"


def data_dir() -> Path:
    """The configured data folder, or the default."""
    configured = setting("data_dir")
    return default_data_dir() if configured is None else Path(configured)


def setting(name: str) -> str | None:
    """One text setting from the environment or config.toml, unchecked. Importing `settings.load`,
    which checks them all, takes longer than a command takes to run."""
    variable_name = f"REMEM_{name.upper()}"
    for variable, value in os.environ.items():
        if value and variable.upper() == variable_name:
            return value
    value = _settings_in_file().get(name)
    return value if isinstance(value, str) else None


def _settings_in_file() -> dict[str, object]:
    """An unreadable file is ignored here and reported when the settings are loaded."""
    file = settings_file()
    try:
        if not file.is_file():
            return {}
        import tomllib

        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
