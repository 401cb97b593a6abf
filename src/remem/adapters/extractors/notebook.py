"""Jupyter notebooks: prose as is, code in fences, without outputs."""

from typing import Any

from remem.adapters.extractors.draft import Draft
from remem.core.extraction_ports import Extracted


def recognises(loaded: Any) -> bool:
    return (
        isinstance(loaded, dict) and "nbformat" in loaded and isinstance(loaded.get("cells"), list)
    )


def write(loaded: Any) -> Extracted:
    metadata = loaded.get("metadata")
    language = _language(metadata if isinstance(metadata, dict) else {})
    draft = Draft()
    for cell in loaded["cells"]:
        if isinstance(cell, dict):
            source = _text(cell.get("source"))
            is_code = cell.get("cell_type") == "code" and source.strip()
            draft.add(f"```{language}\n{source}\n```" if is_code else source)
    return draft.finish("markdown", {"code_language": language})


def _text(source: Any) -> str:
    return "".join(map(str, source)) if isinstance(source, list) else str(source or "")


def _language(metadata: dict[str, Any]) -> str:
    for key in ("language_info", "kernelspec"):
        section = metadata.get(key)
        name = (
            (section.get("name") if key == "language_info" else section.get("language"))
            if isinstance(section, dict)
            else None
        )
        if isinstance(name, str):
            return name.lower()
    return "python"
