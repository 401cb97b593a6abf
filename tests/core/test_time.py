"""Times, and the ids that contain one."""

from datetime import UTC, datetime, timedelta, timezone
from types import SimpleNamespace
from uuid import RFC_4122

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remem.core import time
from remem.core.time import iso, new_id

moments_ns = st.integers(min_value=0, max_value=(1 << 48) * 1_000_000 - 1)


def id_at(moment_ns: int) -> int:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "time", SimpleNamespace(time_ns=lambda: moment_ns))
        return new_id().int


def test_an_id_is_a_uuid_of_version_seven() -> None:
    id = new_id()
    assert (id.version, id.variant) == (7, RFC_4122)


def test_no_two_ids_are_the_same() -> None:
    assert len({new_id() for _ in range(20_000)}) == 20_000


@given(moments_ns)
def test_no_two_ids_of_the_same_time_are_the_same(moment_ns: int) -> None:
    assert id_at(moment_ns) != id_at(moment_ns)


@given(moments_ns, st.integers(min_value=1_000, max_value=10**15))
def test_ids_sort_by_the_time_of_their_creation(moment_ns: int, later_ns: int) -> None:
    """Also within a millisecond: a microsecond makes a difference."""
    later = min(moment_ns + later_ns, (1 << 48) * 1_000_000 - 1)
    if later - moment_ns >= 1_000:
        assert id_at(moment_ns) < id_at(later)


@given(moments_ns)
def test_an_id_contains_its_millisecond(moment_ns: int) -> None:
    assert id_at(moment_ns) >> 80 == moment_ns // 1_000_000


def test_now_is_aware_and_utc() -> None:
    assert time.now().utcoffset() == timedelta(0)


def test_a_time_is_formatted_in_utc_with_milliseconds() -> None:
    moment = datetime(2026, 11, 15, 10, 30, 0, 123_999, timezone(timedelta(hours=1)))
    assert iso(moment) == "2026-11-15T09:30:00.123Z"
    assert iso(datetime(2026, 1, 2, tzinfo=UTC)) == "2026-01-02T00:00:00.000Z"
