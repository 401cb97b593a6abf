"""`--since` and `--until`: what was saved in that time is listed, and nothing else."""

from datetime import UTC, datetime, timedelta

import pytest

from remem.surfaces.cli.times import due_at, period
from tests.conftest import Person
from tests.surfaces.cli.running import Shell

COMMANDS = [
    ["recall", "when is high tide?"],
    ["documents", "list"],
    ["memories", "list"],
    ["memories", "timeline"],
    ["memories", "search", "tide table"],
]


@pytest.fixture
def saved(person: Person) -> None:
    person.post("/v3/memory", {"content": "High tide is at noon on the fourth."})
    person.post("/api/memories", {"content": "The tide table hangs in the kitchen."})


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_time_in_plain_words_chooses(saved: None, shell: Shell, command: list[str]) -> None:
    assert "tide" in shell.piped(*command, "--since", "last week", "--until", "today").out
    for option, time in (("--until", "last week"), ("--until", "2024"), ("--since", "tomorrow")):
        ran = shell.piped(*command, option, time)
        assert "tide" not in ran.out
        assert ran.code == (3 if {"recall", "search"} & {*command} else 0), ran.err


def test_a_list_shows_the_moment_that_it_compares(shell: Shell, person: Person) -> None:
    diary = {"content": "The tide wall was built.", "occurredAt": "2024-02-17T12:00:00Z"}
    person.post("/api/memories", diary)
    february = ("--since", "2024-02", "--until", "2024-02")
    shown = shell.terminal("memories", "timeline", *february, COLUMNS="80").out
    assert "happened" in shown and "2024-02-17" in shown
    assert "The tide wall was built." in shown, "ids leave room for the text"
    assert "saved" in (listed := shell.terminal("memories", "list").out)
    assert "2024-02-17" not in listed
    assert len(shell.piped("memories", "list").out.split("\t")[0]) == 36, "whole for programs"


@pytest.mark.parametrize("option", ["--since", "--until"])
def test_what_is_no_time_is_refused_with_an_example(shell: Shell, option: str) -> None:
    ran = shell.piped("recall", "tide", option, "the other day")
    assert ran.code == 2
    assert f'{option}: "the other day" is not a time; write, for example, "last week"' in ran.err


def test_a_period_that_ends_before_it_begins_is_refused(shell: Shell) -> None:
    ran = shell.piped("documents", "list", "--since", "today", "--until", "last month")
    assert (ran.code, ran.err.strip()) == (
        2,
        "error --since is after --until; swap them, or leave one out.",
    )


def test_a_period_is_of_whole_days_on_this_clock() -> None:
    since, until = period("2024-05-01", "2024-05-01")
    assert since and until
    assert datetime.fromisoformat(since) == datetime(2024, 5, 1).astimezone()
    assert datetime.fromisoformat(until) - datetime.fromisoformat(since) == timedelta(days=1)


def test_summer_time_is_that_of_the_date(monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    try:
        assert period("2024-07-01", "2024-12-01") == (
            "2024-06-30T22:00:00+00:00",
            "2024-12-01T23:00:00+00:00",
        )
    finally:
        monkeypatch.undo()
        time.tzset()


def test_the_api_filters_what_it_lists(saved: None, person: Person) -> None:
    for start, end, count in (("2024-01-01", None, 1), (None, "2024-01-01", 0)):
        filters = {"created_after": start, "created_before": end}
        found = person.post("/v1/documents/list", filters).json()
        assert (len(found["documents"]), found["total"]) == (count, count)
        asked = {name: at for name, at in (("since", start), ("until", end)) if at}
        for more in ({}, {"q": "tide table kitchen"}):
            memories = person.http.get("/api/memories", params={**asked, **more}).json()
            assert bool(memories["memories"]) is bool(count)


def test_what_is_due_is_due_at_the_end_of_a_day_to_come() -> None:
    day = datetime(2027, 1, 31, 23, 59, 59).astimezone()
    assert due_at("2027-01-31") == day.astimezone(UTC).isoformat()
    assert due_at("2027-01-31T09:00:00Z") == "2027-01-31T09:00:00+00:00"
    assert due_at(None) is None
    now = datetime.now(UTC)
    for words in ("today", "tomorrow", "Friday", "next Friday", "in 3 days", "next week"):
        assert now < datetime.fromisoformat(due_at(words) or "") < now + timedelta(days=15), words


def test_what_is_no_day_to_be_done_by_is_refused(shell: Shell) -> None:
    ran = shell.piped("memories", "add", "Call Ann.", "--due", "some day")
    assert ran.code == 2
    assert '--due: "some day" is not a time; write, for example, "next Friday"' in ran.err
