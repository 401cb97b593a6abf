"""The function that extracts each kind of file; its module is imported when it is first used."""

from collections.abc import Callable
from importlib import import_module
from typing import TypeAlias

from remem.adapters.extractors.engines import Engines
from remem.adapters.extractors.sniff import sniff
from remem.core.content_kinds import KINDS
from remem.core.errors import Unreadable
from remem.core.extraction_ports import Extracted, Original

Extract: TypeAlias = Callable[[Original, Engines], Extracted]


def extract(original: Original, engines: Engines, kind: str | None = None) -> Extracted:
    """Extract the text of a file of any kind; raises Unreadable with a message for people."""
    kind = kind or sniff(original)
    try:
        return reader_of(kind)(original, engines)
    except RecursionError as error:
        raise Unreadable(
            "The file is nested too deeply to be read; save it again in another program."
        ) from error


def reader_of(kind: str) -> Extract:
    module, _, name = KINDS[kind].extract.partition(":")
    return getattr(import_module(f"remem.adapters.extractors.{module}"), name)
