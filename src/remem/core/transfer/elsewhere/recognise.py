"""Detect the format of a file by its content, or use the named one."""

from pathlib import Path

from remem.core.errors import Invalid
from remem.core.ports import Ports
from remem.core.transfer.model import is_remem_export

OWN = "remem"


def recognise(ports: Ports, path: Path, product: str | None) -> str | None:
    """The name of the importer for the file; None for an export of remem. Blocking."""
    if product:
        return _named(ports, product)
    if path.stat().st_size == 0 or is_remem_export(path):
        return None
    match = next(
        (name for name, importer in ports.importers.items() if importer.recognises(path)), None
    )
    if match is None:
        formats = "; ".join(importer.description for importer in ports.importers.values())
        raise Invalid(
            "file",
            f"is not a supported format: an export of remem; {formats}. Choose such a file, or name"
            f" what it is: {_names(ports)}",
            code="unknown_file",
        )
    return match


def _named(ports: Ports, product: str) -> str | None:
    if product == OWN:
        return None
    if product not in ports.importers:
        raise Invalid("from", f"use one of: {_names(ports)}")
    return product


def _names(ports: Ports) -> str:
    return ", ".join([OWN, *ports.importers])
