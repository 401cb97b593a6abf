"""Select the files of a repository to read: documents, and code if enabled."""

from pathlib import PurePosixPath

from remem.adapters.extractors.languages import BY_EXTENSION, BY_NAME

DOCUMENTS = (".md", ".mdx", ".markdown", ".rst", ".adoc", ".org", ".txt")
READMES = ("readme",)
# Folders of generated or third-party code.
VENDORED = {
    *("node_modules", "vendor", "third_party", "dist", "build", "target", "site-packages"),
    *(".venv", "venv", "__pycache__", "generated", "migrations_generated"),
}
LOCK_FILES = {
    *("package-lock.json", "pnpm-lock.yaml", "yarn.lock", "poetry.lock", "uv.lock", "cargo.lock"),
    *("gemfile.lock", "composer.lock", "go.sum", "pipfile.lock"),
}


def is_document(path: str) -> bool:
    name = PurePosixPath(path)
    return name.suffix.lower() in DOCUMENTS or name.stem.lower() in READMES


def is_code(path: str) -> bool:
    name = PurePosixPath(path)
    if name.name.lower() in LOCK_FILES or ".min." in name.name.lower():
        return False
    if any(part.lower() in VENDORED or part.startswith(".") for part in name.parts[:-1]):
        return False
    return name.suffix.lower().lstrip(".") in BY_EXTENSION or name.name.lower() in BY_NAME
