"""Where remem keeps things on this machine. It loads little: some look here before all else."""

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
