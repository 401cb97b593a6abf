"""Detect the format of a file by its content, or use the given one."""

from pathlib import Path

from remem.core.errors import Invalid
from remem.core.ports import Ports
from remem.core.transfer.model import is_own

OWN = "remem"


def recognise(ports: Ports, path: Path, product: str | None) -> str | None:
    """The name of the importer that reads it; None for an export of our own. Blocking."""
    if product:
        return _named(ports, product)
    if path.stat().st_size == 0 or is_own(path):
        return None
    found = next((name for name, one in ports.importers.items() if one.recognises(path)), None)
    if found is None:
        read = "; ".join(one.what for one in ports.importers.values())
        raise Invalid(
            "file",
            f"is not a supported format: an export of remem; {read}. Choose such a file, or name"
            f" what it is: {_names(ports)}",
            code="unknown_file",
        )
    return found


def _named(ports: Ports, product: str) -> str | None:
    if product == OWN:
        return None
    if product not in ports.importers:
        raise Invalid("from", f"use one of: {_names(ports)}")
    return product


def _names(ports: Ports) -> str:
    return ", ".join([OWN, *ports.importers])
