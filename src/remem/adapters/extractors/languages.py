"""Tells in which language code is written: by its name, its first line, or what it looks like."""

import re
from pathlib import PurePath

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
    "cuda": "cu cuh",
}
BY_EXTENSION = {end: name for name, ends in EXTENSIONS.items() for end in ends.split()}
# What people call them where they write code down.
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
# Each pattern is one signal; a language needs two different ones, and the most wins.
SIGNALS: dict[str, tuple[str, ...]] = {
    "python": (
        r"^\s*def \w+\(.*\).*:\s*$",
        r"^(?:from [\w.]+ )?import [\w.]+",
        r"^\s*class \w+(?:\(.*\))?:\s*$",
        r"^\s*(?:if|for|while|with|elif) .+:\s*$",
        r"^\s*@\w+",
        r"\bself\.\w+",
        r"__\w+__",
    ),
    "javascript": (
        r"^\s*(?:export )?(?:async )?function\s*\*?\s*\w*\(",
        r"\b(?:const|let|var) [\w{[].* = ",
        r"=>\s*[{(\w]",
        r"\brequire\(['\"]",
        r"\bconsole\.\w+\(",
        r"^import .* from ['\"]",
        r"===|!==",
    ),
    "typescript": (
        r"^\s*(?:export )?interface \w+\s*\{",
        r"\b\w+\??: (?:string|number|boolean|any|unknown|void)\b",
        r"^\s*(?:export )?type \w+(?:<.*>)? =",
        r"^import .* from ['\"]",
        r"\bas const\b|\breadonly \w+|: Promise<",
        r"^\s*(?:export )?(?:abstract |async )*(?:function|class|enum) \w+",
    ),
    "java": (
        r"^\s*public (?:final |abstract )?(?:class|interface|enum|record) \w+",
        r"^import (?:static )?java[\w.]*;",
        r"^package [\w.]+;",
        r"\bSystem\.out\.print",
        r"\b(?:public|private|protected) (?:static )?[\w<>\[\]]+ \w+\(.*\)\s*(?:throws .*)?\{",
        r"^\s*@Override",
    ),
    "c": (
        r"^#include\s*[<\"][\w/.]+\.h[>\"]",
        r"^#define \w+",
        r"^(?:static |const |unsigned )*(?:int|void|char|double|float) \*?\w+\(.*\)\s*\{?$",
        r"\bprintf\(|\bmalloc\(",
        r"^typedef struct|^struct \w+ \{",
    ),
    "cpp": (
        r"^#include\s*<\w+>\s*$",
        r"\bstd::\w+",
        r"^using namespace \w+;",
        r"^\s*(?:template\s*<|class \w+ (?:: public \w+ )?\{)",
        r"\bcout\s*<<|::\w+\(",
    ),
    "csharp": (
        r"^using [\w.]+;",
        r"^namespace [\w.]+",
        r"\bConsole\.Write",
        r"\{ get; (?:private )?(?:set|init)?",
        r"\b(?:public|private|internal) (?:static |async |sealed )*[\w<>\[\]?]+ \w+",
    ),
    "go": (
        r"^package \w+\s*$",
        r"^func (?:\(\w+ \*?\w+\) )?\w+\(",
        r":= ",
        r"^import (?:\(|\")",
        r"\bfmt\.\w+\(",
        r"^type \w+ (?:struct|interface) \{",
    ),
    "rust": (
        r"^\s*(?:pub )?(?:async )?fn \w+(?:<.*>)?\(",
        r"\blet mut \w+",
        r"^use [\w:]+(?:::\{.*\})?;",
        r"^\s*impl(?:<.*>)? \w+",
        r"\b\w+!\(",
        r"#\[derive\(",
        r"-> (?:Result|Option|Self|&|\w+)\b.*\{",
    ),
    "ruby": (
        r"^\s*def \w+[?!]?(?:\(.*\))?\s*$",
        r"^\s*end\s*$",
        r"^require(?:_relative)? ['\"]",
        r"\bdo \|\w+",
        r"^\s*attr_(?:reader|accessor|writer) :",
        r"\bputs ",
        r"^\s*(?:class|module) [A-Z]\w*(?: < [\w:]+)?\s*$",
    ),
    "php": (r"<\?php", r"\$\w+\s*=[^=]", r"\$this->", r"\becho ['\"$]", r"^\s*function \w+\(.*\$"),
    "swift": (
        r"^import (?:Foundation|UIKit|SwiftUI)",
        r"^\s*(?:@\w+ )?(?:public |private )?func \w+.*\{",
        r"\b(?:guard|if) let \w+",
        r"^\s*(?:let|var) \w+: [A-Z]\w*",
        r"-> [A-Z]\w*\??\s*\{",
    ),
    "kotlin": (
        r"^\s*(?:suspend |private |override )*fun \w*\.?\w+\(",
        r"\bval \w+(?:: \w+)? = ",
        r"^(?:data |sealed )class \w+",
        r"^package [\w.]+\s*$",
        r"\bprintln\(",
    ),
    "scala": (
        r"^\s*(?:case )?(?:class|object|trait) \w+",
        r"^\s*def \w+.*= *\{?$",
        r"\bval \w+(?:: [\w\[\]]+)? = ",
        r"^import scala\.",
        r"\bextends \w+ with \w+",
    ),
    "sql": (
        r"(?i)^\s*select\b[\s\S]{1,400}?\bfrom\b",
        r"(?i)^\s*create (?:or replace )?(?:table|index|view|function)\b",
        r"(?i)^\s*insert into \w+",
        r"(?i)^\s*(?:update \w+\s+set|delete from|alter table)\b",
        r"(?i)\b(?:varchar|integer|primary key|not null|group by|order by|inner join)\b",
        r";\s*$",
    ),
    "bash": (
        r"^\s*(?:if|while) \[\[? .* \]?\]; (?:then|do)",
        r"^\s*(?:fi|done|esac)\s*$",
        r"\$\{?\w+[}:]|\$\(",
        r"^\s*(?:export \w+=|set -[eux]+|echo )",
        r"^\s*\w+\(\) \{",
    ),
    "haskell": (
        r"^module [\w.]+",
        r"^\w+ :: .*->",
        r"^import (?:qualified )?[A-Z][\w.]+",
        r"^data \w+ =",
        r"\bwhere\s*$",
    ),
    "lua": (
        r"^\s*local (?:function )?\w+",
        r"^\s*end\s*$",
        r"\bthen\s*$",
        r"\brequire\s*\(?['\"]",
        r"\.\. ?['\"]",
    ),
    "elixir": (
        r"^\s*defmodule [\w.]+ do",
        r"^\s*defp? \w+.* do",
        r"\|> ",
        r"^\s*@doc ",
        r"^\s*end\s*$",
    ),
    "perl": (r"^use strict;", r"\bmy [$@%]\w+", r"^sub \w+ \{", r"=~ ", r"\$_\b|@_\b"),
    "r": (r"<- function\(", r"\w+ <- ", r"^library\(\w+\)", r"%>%|\|>", r"\bdata\.frame\("),
    "css": (
        r"^[.#]?[\w-]+[^{}\n]*\{\s*$",
        r"^\s*[\w-]+:\s*[^;{}]+;\s*$",
        r"@media|@import|@font-face",
        r"\b\d+(?:px|rem|em|vh)\b",
    ),
    "xml": (r"^<\?xml ", r"</[\w:.-]+>\s*$", r"\bxmlns(?::\w+)?="),
    "yaml": (r"^---\s*$", r"^[\w-]+:(?: [^\n]*)?\n(?:  [\w-]+:|\s*- )", r"^  - \w+:"),
    "toml": (r"^\[\[?[\w.\"-]+\]\]?\s*$", r"^[\w.-]+ = (?:\"|\[|\d|true|false|\{)"),
    "diff": (r"^diff --git a/", r"^@@ -\d+", r"^--- \S+", r"^\+\+\+ \S+"),
    "dockerfile": (r"^FROM \S+", r"^(?:RUN|COPY|ENTRYPOINT|CMD|WORKDIR) "),
}
PATTERNS = {
    name: tuple(re.compile(signal, re.MULTILINE) for signal in signals)
    for name, signals in SIGNALS.items()
}
SAMPLE_CHARS = 20_000
BLANK_LINES = re.compile(r"\n\s*\n")
NEEDED = 2
# Prose quotes code now and then; code is mostly lines that end or begin like code.
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
    """The language that two or more signs point to, when the text is code at all."""
    # Without blank lines, which the patterns would look through again from each of them.
    sample = BLANK_LINES.sub("\n", text[:SAMPLE_CHARS])
    if found := _by_shebang(sample):
        return found
    if not _is_mostly_code(sample):
        return None
    counts = {
        name: sum(1 for pattern in patterns if pattern.search(sample))
        for name, patterns in PATTERNS.items()
    }
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] >= NEEDED else None


def _by_shebang(text: str) -> str | None:
    if not text.startswith("#!"):
        return None
    first = text.split("\n", 1)[0][:200]
    return next((SHEBANGS[word] for word in re.findall(r"[a-z]+", first) if word in SHEBANGS), None)


def _is_mostly_code(text: str) -> bool:
    lines = [line for line in text.split("\n") if line.strip()]
    like = sum(1 for line in lines if CODE_LINE.search(line) and not line.startswith("# "))
    return bool(lines) and like >= CODE_SHARE * len(lines)
