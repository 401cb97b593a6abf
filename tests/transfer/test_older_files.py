"""Files exported by earlier versions are read with the current names of their columns."""

import json

from remem.core.scope import Scope
from remem.core.time import new_id
from remem.core.transfer.arrival.shape import shape_rows
from remem.core.transfer.lines import parse

THREAD = "01900000-0000-7000-8000-000000000001"


def test_a_column_is_accepted_by_its_earlier_name() -> None:
    row = {"id": str(new_id()), "strand": THREAD, "content": "We meet on Monday."}
    line = parse(2, json.dumps({"kind": "chunk", "row": row}).encode() + b"\n")
    scope = Scope(tenant_id=new_id(), user_id=new_id())
    (lines,) = shape_rows(scope, [line], {})
    assert "thread_id" in lines.columns
    assert "strand" not in lines.columns
    assert json.loads(lines.patches[0])["thread_id"] == THREAD
