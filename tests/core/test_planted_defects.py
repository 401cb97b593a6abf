"""The test of random histories detects every defect that is planted here."""

import inspect
import textwrap
from collections.abc import Callable
from types import ModuleType
from typing import Any, TypeAlias

import pytest

from remem.core.connections import advance, model, sync
from remem.core.connections.items import item_store, release, take
from remem.core.documents import ingest as ingest_module
from remem.core.ports import Ports
from tests.conftest import new_scope
from tests.core.test_connection_histories import History, random_events

pytestmark = pytest.mark.anyio

Target: TypeAlias = tuple[Any, str]
Defect: TypeAlias = tuple[tuple[Target, ...], Any]


def with_replaced_source(module: ModuleType, name: str, *pairs: tuple[str, str]) -> Any:
    """A copy of the function with parts of its source replaced."""
    source = inspect.getsource(getattr(module, name))
    for old, new in pairs:
        assert old in source, f"{name} no longer has: {old}"
        source = source.replace(old, new)
    space = dict(module.__dict__)
    exec(textwrap.dedent(source), space)
    return space[name]


def indented(text: str, indent: int) -> str:
    return textwrap.indent(textwrap.dedent(text).lstrip("\n"), " " * indent)


KEEP_WALK = indented(
    """
    await _process_page(ports, scope, sync, page.seen)
    if page.at is None:
        break
    await _check_progress(ports, scope, sync, cursor, page.at == cursor.at)
    cursor = replace(cursor, at=page.at, pages=cursor.pages + 1)
    await _save_cursor(ports, scope, sync, cursor)
    """,
    8,
)
KEEP_WALK_FIRST = indented(
    """
    if page.at is not None:
        cursor = replace(cursor, at=page.at)
        await _save_cursor(ports, scope, sync, cursor)
    else:
        await _save_cursor(ports, scope, sync, cursor.complete())
    await _process_page(ports, scope, sync, page.seen)
    if page.at is None:
        break
    """,
    8,
)
FOLLOW = indented(
    """
    await _process_page(ports, scope, sync, page.changes)
    is_same = not page.is_last and page.mark == cursor.mark
    await _check_progress(ports, scope, sync, cursor, is_same)
    pages = 0 if page.is_last else cursor.pages + 1
    cursor = replace(cursor, mark=page.mark, pages=pages)
    await _save_cursor(ports, scope, sync, cursor)
    """,
    8,
)
FOLLOW_FIRST = indented(
    """
    cursor = replace(cursor, mark=page.mark)
    await _save_cursor(ports, scope, sync, cursor)
    await _process_page(ports, scope, sync, page.changes)
    """,
    8,
)
COMPLETE = "    cursor = cursor.complete()\n"
LATE_MARK = indented(
    """
    late = await sync.connector.begin(sync.access)
    cursor = replace(cursor.complete(), mark=late)
    """,
    4,
)
LAST_PAGE = "        if page.at is None:\n            break\n"
DROP = "        await _drop_absent(ports, scope, sync)\n"
EXPIRED = indented(
    """
    await _save_cursor(ports, scope, sync, cursor.restarted())
    raise OutOfTime from None
    """,
    8,
)
EXPIRED_IGNORED = indented(
    """
    mark = await sync.connector.begin(sync.access)
    await _save_cursor(ports, scope, sync, replace(cursor, mark=mark))
    """,
    8,
)
HIDE = "            await item_store.hide(tx, sync.id, seen.reference, seen.revision, sync.walk)\n"
NOTE = "            await item_store.hide(tx, sync.id, reference, None, sync.walk)\n"
OTHERS = '            " AND NOT (i.connection_id'
OWN_ONLY = '            " AND i.connection_id = coalesce($3, i.connection_id)"\n'


async def never_referenced(*_: Any, **__: Any) -> bool:
    return False


DEFECTS: dict[str, Callable[[], Defect]] = {
    "walk_cursor_first": lambda: (
        ((advance, "_walk"),),
        with_replaced_source(advance, "_walk", (KEEP_WALK, KEEP_WALK_FIRST)),
    ),
    "follow_cursor_first": lambda: (
        ((advance, "_follow"),),
        with_replaced_source(advance, "_follow", (FOLLOW, FOLLOW_FIRST)),
    ),
    "mark_after_walk": lambda: (
        ((advance, "_walk"),),
        with_replaced_source(advance, "_walk", (COMPLETE, LATE_MARK)),
    ),
    "drop_after_each_page": lambda: (
        ((advance, "_walk"),),
        with_replaced_source(advance, "_walk", (LAST_PAGE, DROP + LAST_PAGE)),
    ),
    "pending_forgotten": lambda: (
        ((model.ConnectionItem, "document_ids"),),
        property(lambda self: [self.document_id] if self.document_id else []),
    ),
    "others_not_counted": lambda: (
        ((item_store, "has_item"),),
        with_replaced_source(item_store, "has_item", (OTHERS, OWN_ONLY + OTHERS)),
    ),
    "nobody_counted": lambda: (((item_store, "has_item"),), never_referenced),
    "deleted_comes_back": lambda: (
        ((take, "_plan"),),
        with_replaced_source(
            take, "_plan", (f"{HIDE}            return None\n", "            pass\n")
        ),
    ),
    "note_of_deletion_lost": lambda: (
        ((release, "release_item"), (advance, "release_item")),
        with_replaced_source(
            release,
            "release_item",
            ("    if item is None or item.hidden_at:", "    if item is None:"),
            (f"{NOTE}            return\n", "            pass\n"),
        ),
    ),
    "expired_ignored": lambda: (
        ((advance, "advance"), (sync, "advance")),
        with_replaced_source(advance, "advance", (EXPIRED, EXPIRED_IGNORED)),
    ),
    "claim_forgotten": lambda: (
        ((ingest_module, "_update_existing"),),
        with_replaced_source(
            ingest_module, "_update_existing", ("not draft.source.startswith(CONNECTED)", "False")
        ),
    ),
    "version_of_a_shared_document": lambda: (
        ((take, "_plan"),),
        with_replaced_source(
            take, "_plan", ("if document.is_only_connected and not is_listed:", "if True:")
        ),
    ),
    "removed_without_counting": lambda: (
        ((release, "erase_unreferenced"), (take, "erase_unreferenced")),
        with_replaced_source(
            release,
            "erase_unreferenced",
            ("if document.is_only_connected and not await", "if True or await"),
        ),
    ),
}


# The seed of a history that detects each defect, tried first to save time. It may change with the
# engine.
SEEDS = {
    "walk_cursor_first": 1,
    "follow_cursor_first": 1,
    "mark_after_walk": 20,
    "drop_after_each_page": 24,
    "pending_forgotten": 13,
    "others_not_counted": 1,
    "nobody_counted": 1,
    "claim_forgotten": 16,
    "version_of_a_shared_document": 1,
    "removed_without_counting": 1,
}
MAX_SEEDS = 40


@pytest.mark.parametrize("defect", DEFECTS)
async def test_a_planted_defect_is_detected(ports: Ports, defect: str) -> None:
    for seed in (SEEDS.get(defect, 0), *range(MAX_SEEDS)):
        if await _is_detected(ports, defect, seed):
            return
    pytest.fail(f"none of {MAX_SEEDS} histories detected {defect}")


async def _is_detected(ports: Ports, defect: str, seed: int) -> bool:
    targets, value = DEFECTS[defect]()
    with pytest.MonkeyPatch.context() as patch:
        for owner, name in targets:
            patch.setattr(owner, name, value)
        try:
            await History(ports, await new_scope(ports)).play(random_events(seed))
        except AssertionError:
            print(f"{defect} is detected by {seed}")
            return True
    return False
