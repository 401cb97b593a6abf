"""What was acknowledged is on the disk: no transaction gives that up but those that note reads."""

import re
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src/remem"
# Each transaction of these writes nothing but when, or how often, something was read.
MAY_LOSE = {"core/access_log.py", "core/memories/memory_store.py"}


def files_with(pattern: str) -> set[str]:
    paths = (path for suffix in ("py", "sql") for path in SOURCE.rglob(f"*.{suffix}"))
    matching = (path for path in paths if re.search(pattern, path.read_text()))
    return {str(path.relative_to(SOURCE)) for path in matching}


def test_only_reads_are_committed_without_waiting_for_the_disk() -> None:
    assert files_with("synchronous_commit") == {"core/db.py"}
    assert files_with(r"allow_loss\(tx\)") == MAY_LOSE
