"""Detect the programming language of code: by file name, first line, or content."""

import re
from functools import cache
from pathlib import PurePath

from remem.adapters.extractors.signatures import SIGNALS

EXTENSIONS = {
    "python": "py pyi pyw",
    "javascript": "js mjs cjs jsx",
    "typescript": "ts mts cts",
    "tsx": "tsx",
    "java": "java",
    "c": "c h",
    "cpp": "cpp cc cxx hpp hh hxx c++ ino",
    "csharp": "cs csx",
    "go": "go",
    "rust": "rs",
    "ruby": "rb rake gemspec",
    "php": "php phtml",
    "swift": "swift",
    "kotlin": "kt kts",
    "scala": "scala sc sbt",
    "bash": "sh bash zsh ksh",
    "powershell": "ps1 psm1",
    "sql": "sql ddl",
    "css": "css scss sass less",
    "yaml": "yaml yml",
    "toml": "toml",
    "ini": "ini cfg conf properties",
    "xml": "xml xsd xsl xslt plist",
    "lua": "lua",
    "r": "r",
    "julia": "jl",
    "haskell": "hs lhs",
    "ocaml": "ml mli",
    "fsharp": "fs fsx",
    "elixir": "ex exs",
    "erlang": "erl hrl",
    "clojure": "clj cljs cljc edn",
    "dart": "dart",
    "zig": "zig",
    "perl": "pl pm",
    "objc": "m mm",
    "groovy": "groovy gradle",
    "fortran": "f f90 f95 for",
    "odin": "odin",
    "asm": "asm s",
    "solidity": "sol",
    "proto": "proto",
    "graphql": "graphql gql",
    "hcl": "tf hcl tfvars",
    "nix": "nix",
    "elisp": "el",
    "commonlisp": "lisp cl",
    "vim": "vim",
    "cmake": "cmake",
    "make": "mk",
    "vue": "vue",
    "svelte": "svelte",
    "diff": "diff patch",
    "verilog": "v sv",
    "vhdl": "vhd vhdl",
    "pascal": "pas pp",
    "nim": "nim",
    "tcl": "tcl",
    "scheme": "scm rkt",
    "vb": "vb vbs bas",
    "glsl": "glsl vert frag wgsl",
    "cuda": "cu cuh",
}
BY_EXTENSION = {end: name for name, ends in EXTENSIONS.items() for end in ends.split()}
# Names that people use for languages in documents.
NAMES = frozenset(
    (*EXTENSIONS, *"js ts py rb sh shell console golang html json c++ c# yml".split())
)
BY_NAME = {
    "dockerfile": "dockerfile",
    "makefile": "make",
    "gnumakefile": "make",
    "cmakelists.txt": "cmake",
    "gemfile": "ruby",
    "rakefile": "ruby",
    "jenkinsfile": "groovy",
    ".bashrc": "bash",
    ".zshrc": "bash",
    ".vimrc": "vim",
}
SHEBANGS = {
    "python": "python",
    "bash": "bash",
    "sh": "bash",
    "zsh": "bash",
    "node": "javascript",
    "deno": "typescript",
    "ruby": "ruby",
    "perl": "perl",
    "php": "php",
    "lua": "lua",
    "rscript": "r",
    "pwsh": "powershell",
    "elixir": "elixir",
    "julia": "julia",
}
SAMPLE_CHARS = 20_000
BLANK_LINES = re.compile(r"\n\s*\n")
MIN_SIGNALS = 2
# Prose sometimes quotes code; in code, most lines end or begin like code.
CODE_LINE = re.compile(
    r"[;{}()\[\],:=]\s*$|\b(?:then|do|where)\s*$| (?:::|->|=>|:=|==?|\|>) |^\s{2,}\S|"
    r"^\s*(?:[#}@$*<+-]|//|--|\w+ ?[=(]|\w+:|(?:import|module|package|set|fi|done|end)\b)"
)
CODE_SHARE = 0.5


def by_name(name: str | None) -> str | None:
    if not name:
        return None
    path = PurePath(name.replace("\\", "/"))
    lower = path.name.lower()
    if lower in BY_NAME or lower.startswith("dockerfile"):
        return BY_NAME.get(lower, "dockerfile")
    return BY_EXTENSION.get(path.suffix.lower().lstrip("."))


def by_content(text: str) -> str | None:
    """Return the language with at least two matching signals, if the text is code at all."""
    # Without blank lines, because patterns would scan a run of them again from each line.
    sample = BLANK_LINES.sub("\n", text[:SAMPLE_CHARS])
    if language := _by_shebang(sample):
        return language
    if not _is_mostly_code(sample):
        return None
    counts = {
        name: sum(1 for pattern in patterns if pattern.search(sample))
        for name, patterns in _patterns().items()
    }
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] >= MIN_SIGNALS else None


@cache
def _patterns() -> dict[str, list[re.Pattern[str]]]:
    return {
        name: [re.compile(_limit_to_line(signal), re.MULTILINE) for signal in signals]
        for name, signals in SIGNALS.items()
    }


def _limit_to_line(signal: str) -> str:
    """Limit a pattern to its line, and to a distance within a long line."""
    for unlimited, limited in ((r"^\s*", r"^[ \t]*+"), (r"\s*$", r"[ \t]*+$")):
        signal = signal.replace(unlimited, limited)
    return signal.replace(".*", ".{0,200}").replace(".+", ".{1,200}")


def _by_shebang(text: str) -> str | None:
    if not text.startswith("#!"):
        return None
    first = text.split("\n", 1)[0][:200]
    return next((SHEBANGS[word] for word in re.findall(r"[a-z]+", first) if word in SHEBANGS), None)


def _is_mostly_code(text: str) -> bool:
    lines = [line for line in text.split("\n") if line.strip()]
    code_lines = sum(1 for line in lines if CODE_LINE.search(line) and not line.startswith("# "))
    return bool(lines) and code_lines >= CODE_SHARE * len(lines)
