"""Detect the language of code; None rather than a guess."""

import re

from remem.core.chunking.languages import language_named

_SAMPLE_CHARS = 8_000
_MIN_MATCHES = 3
_SHEBANG = re.compile(r"#!.*?\b(python|node|bash|zsh|sh|ruby|perl|php|lua|pwsh)\d*")
# Every match counts as evidence. `^\s*` is compiled to match only the indent of a line.
_EVIDENCE = {
    "python": r"^\s*(?:async )?def \w+\(|^\s*from [\w.]+ import |^import \w+(?>(?:\.\w+)*)$"
    r"|^\s*class \w++[^{\n]*:$|^\s*elif .*:$|\bself\.",
    "typescript": r"^\s*(?:export )?(?:interface|type|enum) \w++.*[{=]|\bas const\b"
    r"|: (?:string|number|boolean|void|unknown|any)\b|^import type ",
    "javascript": r"^\s*(?:export )?(?:const|let|var) \w+ = |=> ?[{(]|^\s*(?:async )?function\b"
    r"|\brequire\(['\"]|\bmodule\.exports\b|^import .* from ['\"]|\bconsole\.log\(|===",
    "java": r"^\s*(?:public|private|protected) (?:static |final |abstract )*[\w<>\[\]]+ \w+ ?[({;=]"
    r"|^import java|^package [\w.]+;|\bSystem\.out\.|@Override",
    "kotlin": r"^\s*(?:\w+ )*fun (?:\w+\.)?\w+\(|^\s*va[lr] \w+(?:: ?\w+)? = |^\s*data class ",
    "csharp": r"^using [\w.]+;|^\s*namespace [\w.]+|\{ get;|\bConsole\.Write|\bvar \w+ = new ",
    "cpp": r"^#include <\w+>$|\bstd::|^\s*template ?<|^\s*namespace \w+ ?\{|\bauto&? \w+",
    "c": r"^#include [<\"][\w/]+\.h[>\"]|^(?:\w+ )*(?:int|void|char|long) \**\w+\(|\bprintf\("
    r"|^\s*struct \w+ ?\{|->\w+",
    "go": r"^package \w+$|^func (?:\(\w+ \*?\w+\) )?\w+\(|:= |^import \($|\bfmt\.\w+\("
    r"|^\s*type \w+ (?:struct|interface) \{",
    "rust": r"^\s*(?:pub(?:\(\w+\))? )?fn \w+|^\s*let (?:mut )?\w+|^use (?:std|crate|super)"
    r"|^\s*impl\b.*\{|\bprintln!\(|#\[derive\(",
    "ruby": r"^\s*def (?:self\.)?\w+[?!]?(?:\(.*\))?$|^\s*end$|^require ['\"]|\bdo \|\w+\|"
    r"|^\s*attr_\w+ :|^\s*module [A-Z]\w*$",
    "php": r"^<\?php|\$\w+ ?=[^=]|\$this->|^\s*(?:public |private |static )*function \w+\(|\becho ",
    "swift": r"^import (?:Foundation|SwiftUI|UIKit)$|^\s*(?:\w+ )*func \w+\(.*\{"
    r"|^\s*(?:let|var) \w+: \w+|\bguard let\b|\bif let\b",
    "bash": r"^\s*(?:if|elif|while) \[\[? |^\s*(?:fi|done|esac)$|^\s*\w+\(\) ?\{|\becho [\"$]"
    r"|^\s*export \w+=|^set -e",
    "sql": r"(?i)^\s*(?:insert[ \t]++into|create (?:or replace )?(?:table|index|function|view)"
    r"|alter table|delete from|update \w+ set|from|where|group by|order by|(?:left|inner) join)\b",
    "haskell": r"^\w+ :: |^module [\w.]+|^import (?:qualified )?[A-Z]|^\s*where$| <- |^data \w+",
    "elixir": r"^\s*defmodule [\w.]+ do$|^\s*defp? \w++.*do$|\|> |^\s*@(?:doc|spec|moduledoc)",
    "lua": r"^\s*local (?:function )?\w+|^\s*function [\w.:]+\(|\bthen$|\.\. |^\s*end$",
    "css": r"^\s*[.#]?[\w-]+(?:[ >:.#][\w-]+)* \{$|^\s*[\w-]+: [^;{}\n]+;$|^@(?:media|keyframes)",
    "html": r"(?i)^\s*</?(?:html|head|body|div|span|ul|li|script|style|h\d|section|main)\b"
    r"|^<!doctype",
}
_COMPILED = {
    name: re.compile(pattern.replace(r"^\s*", r"^[ \t]*+"), re.M)
    for name, pattern in _EVIDENCE.items()
}


def code_language_of(code: str) -> str | None:
    sample = code[:_SAMPLE_CHARS]
    shebang = _SHEBANG.match(sample)
    if shebang:
        return language_named(shebang[1])
    counts = {name: len(pattern.findall(sample)) for name, pattern in _COMPILED.items()}
    best, second = sorted(counts, key=counts.__getitem__, reverse=True)[:2]
    if counts[best] < _MIN_MATCHES or counts[best] == counts[second]:
        return None
    return best
