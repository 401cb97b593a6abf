"""The supported programming languages, with all their names and their grammars."""

import importlib
import warnings
from functools import cache

from tree_sitter import Language

# Name, other names and file extensions, and the grammar's module (and function in it).
_GRAMMARS = {
    "bash": ("sh shell zsh ksh shellscript", "tree_sitter_bash"),
    "c": ("h", "tree_sitter_c"),
    "cpp": ("c++ cc cxx hpp hh hxx cplusplus", "tree_sitter_cpp"),
    "csharp": ("c# cs c_sharp c-sharp", "tree_sitter_c_sharp"),
    "css": ("", "tree_sitter_css"),
    "elixir": ("ex exs", "tree_sitter_elixir"),
    "fortran": ("f f90 f95 f03 f08", "tree_sitter_fortran"),
    "go": ("golang", "tree_sitter_go"),
    "groovy": ("gradle", "tree_sitter_groovy"),
    "haskell": ("hs", "tree_sitter_haskell"),
    "hcl": ("tf tfvars terraform", "tree_sitter_hcl"),
    "html": ("htm xhtml", "tree_sitter_html"),
    "java": ("", "tree_sitter_java"),
    "javascript": ("js jsx mjs cjs node ecmascript", "tree_sitter_javascript"),
    "json": ("jsonc json5 geojson", "tree_sitter_json"),
    "julia": ("jl", "tree_sitter_julia"),
    "kotlin": ("kt kts", "tree_sitter_kotlin"),
    "lua": ("", "tree_sitter_lua"),
    "make": ("makefile mk gnumake", "tree_sitter_make"),
    "matlab": ("octave", "tree_sitter_matlab"),
    "objective-c": ("objc objectivec objective_c m mm", "tree_sitter_objc"),
    "ocaml": ("ml", "tree_sitter_ocaml:language_ocaml"),
    "odin": ("", "tree_sitter_odin"),
    "perl": ("pl pm", "tree_sitter_perl"),
    "php": ("php5 php7 php8", "tree_sitter_php:language_php"),
    "powershell": ("ps1 psm1 pwsh", "tree_sitter_powershell"),
    "python": ("py pyi pyw python3", "tree_sitter_python"),
    "ruby": ("rb rake gemspec", "tree_sitter_ruby"),
    "rust": ("rs", "tree_sitter_rust"),
    "scala": ("sc sbt", "tree_sitter_scala"),
    "solidity": ("sol", "tree_sitter_solidity"),
    "sql": ("postgresql postgres mysql sqlite plpgsql", "tree_sitter_sql"),
    "swift": ("", "tree_sitter_swift"),
    "toml": ("", "tree_sitter_toml"),
    "tsx": ("typescriptreact", "tree_sitter_typescript:language_tsx"),
    "typescript": ("ts mts cts", "tree_sitter_typescript:language_typescript"),
    "yaml": ("yml", "tree_sitter_yaml"),
    "zig": ("", "tree_sitter_zig"),
}
_NAMES = {
    alias: name for name, (aliases, _) in _GRAMMARS.items() for alias in (name, *aliases.split())
}

LANGUAGES = frozenset(_GRAMMARS)


def language_named(name: str | None) -> str | None:
    """The canonical name of a language; None when its syntax is not supported."""
    return _NAMES.get(name.strip().lower().removeprefix(".")) if name else None


@cache
def grammar_of(name: str) -> Language | None:
    """The grammar of a known language, or None when its package does not load."""
    module, _, function = _GRAMMARS[name][1].partition(":")
    try:
        with warnings.catch_warnings():
            # Some grammars still pass their pointer as an integer.
            warnings.simplefilter("ignore", DeprecationWarning)
            return Language(getattr(importlib.import_module(module), function or "language")())
    except (ImportError, AttributeError, ValueError, TypeError):
        return None
