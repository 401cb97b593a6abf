"""Decide whether a word that names no existing file is meant as a path or as text."""

from pathlib import PurePath

# Extensions of documents, pictures, recordings, data and code that people commonly have.
EXTENSIONS = frozenset(
    "pdf md markdown mdown txt text rtf doc docx odt pages xls xlsx xlsm ods numbers ppt pptx odp"
    " key epub mobi html htm xhtml mht mhtml xml json jsonl ndjson csv tsv yaml yml toml ini cfg"
    " conf log tex bib org rst adoc ipynb eml mbox msg ics vcf vtt srt zip tar gz tgz 7z"
    " png jpg jpeg gif webp tif tiff bmp heic heif avif svg"
    " mp3 m4a wav ogg oga opus flac aac wma aiff mp4 m4v mkv mov webm avi mpg mpeg wmv"
    " py pyi js mjs jsx ts tsx java c h cpp cc hpp cs go rs rb php swift kt scala sh bash zsh ps1"
    " sql css scss lua r jl hs ml ex exs erl clj dart pl groovy gradle proto graphql tf nix vue"
    " svelte diff patch".split()
)
URLS = ("http://", "https://")


def is_url(word: str) -> bool:
    return word.startswith(URLS) and not _has_space(word)


def looks_like_path(word: str) -> bool:
    """Whether a word is meant as a file or folder, whether or not it exists."""
    if word.startswith(URLS) or _has_space(word):
        return False
    folder, slash, name = word.rpartition("/")
    return (
        word.startswith(("/", "./", "../", "~"))
        or bool(slash and ("." in name or "*" in name))
        or bool(folder and not name)
        or PurePath(word).suffix.lower().lstrip(".") in EXTENSIONS
    )


def _has_space(word: str) -> bool:
    return any(char.isspace() for char in word)
