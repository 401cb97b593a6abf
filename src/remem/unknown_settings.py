"""Variables that look like settings and are none: a misspelt one would be ignored silently."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from remem.settings import Settings

PREFIX = "REMEM_"
# What the command line reads besides the settings.
_OF_CLIENTS = frozenset({"REMEM_URL", "REMEM_KEY"})
_SIMILAR = 0.7


def unknown_variables(environment: Mapping[str, str]) -> dict[str, str]:
    """Each variable that is no setting, with the nearest one that is, or an empty string."""
    known = _OF_CLIENTS | {f"{PREFIX}{name.upper()}" for name in Settings.model_fields}
    unknown = sorted(name for name in environment if name.startswith(PREFIX) and name not in known)
    return {name: _nearest(name, known) for name in unknown}


def _nearest(variable: str, known: Iterable[str]) -> str:
    names = sorted(name.removeprefix(PREFIX) for name in known)
    nearest = get_close_matches(variable.removeprefix(PREFIX), names, 1, _SIMILAR)
    return f"{PREFIX}{nearest[0]}" if nearest else ""


def describe_unknown(environment: Mapping[str, str]) -> str:
    """One sentence, or an empty string if every variable is a setting."""
    names = (
        f"{name} (did you mean {nearest}?)" if nearest else name
        for name, nearest in unknown_variables(environment).items()
    )
    listed = ", ".join(names)
    return f"Ignored, because there is no such setting: {listed}." if listed else ""
