"""Which files of a repository are read: documents, and code by choice."""

from pathlib import PurePosixPath

from remem.adapters.extractors.languages import BY_EXTENSION, BY_NAME

DOCUMENTS = (".md", ".mdx", ".markdown", ".rst", ".adoc", ".org", ".txt")
READMES = ("readme",)
# Written by programs, or by others.
VENDORED = {
    *("node_modules", "vendor", "third_party", "dist", "build", "target", "site-packages"),
    *(".venv", "venv", "__pycache__", "generated", "migrations_generated"),
}
LOCKS = {
    *("package-lock.json", "pnpm-lock.yaml", "yarn.lock", "poetry.lock", "uv.lock", "cargo.lock"),
    *("gemfile.lock", "composer.lock", "go.sum", "pipfile.lock"),
}


def is_document(path: str) -> bool:
    name = PurePosixPath(path)
    return name.suffix.lower() in DOCUMENTS or name.stem.lower() in READMES


def is_code(path: str) -> bool:
    name = PurePosixPath(path)
    if name.name.lower() in LOCKS or ".min." in name.name.lower():
        return False
    if any(part.lower() in VENDORED or part.startswith(".") for part in name.parts[:-1]):
        return False
    return name.suffix.lower().lstrip(".") in BY_EXTENSION or name.name.lower() in BY_NAME
