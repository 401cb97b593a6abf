"""Set or remove one value of a TOML file; comments and everything else are preserved."""

from collections.abc import Sequence
from typing import Any


def put(text: str, path: Sequence[str], value: Any) -> str:
    import tomlkit

    document = tomlkit.parse(text)
    parent: Any = document
    for name in path[:-1]:
        if name not in parent:
            parent[name] = tomlkit.table(is_super_table=True)
        parent = parent[name]
    parent[path[-1]] = value
    return tomlkit.dumps(document)


def remove(text: str, path: Sequence[str]) -> str:
    import tomlkit

    document = tomlkit.parse(text)
    parents: list[Any] = [document]
    for name in path[:-1]:
        if name not in parents[-1]:
            return text
        parents.append(parents[-1][name])
    parents[-1].pop(path[-1], None)
    # Remove tables that are empty now.
    for parent, name in reversed([*zip(parents, path[:-1], strict=False)]):
        if not parent[name]:
            parent.pop(name)
    return tomlkit.dumps(document)
