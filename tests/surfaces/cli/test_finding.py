"""What `recall`, `memories search` and short ids find, and what is shown of it."""

from tests.conftest import Person
from tests.surfaces.cli.running import Shell
from tests.tools.waiting import until

FILLER = "The weather stayed grey for the whole of that week and nobody went outside at all. "
CALL = (
    "The repairman for the dishwasher comes on Thursday between nine and eleven. "
    + FILLER * 2
    + "We decided to spend Christmas at my parents' in Bergen. "
    + FILLER * 2
)


def test_the_sentence_that_answers_is_shown(shell: Shell, person: Person) -> None:
    person.save(CALL, title="Call with Mara")
    for ran in (shell.piped, shell.terminal):
        shown = ran("recall", "where are we at Christmas?").out
        assert "spend Christmas at my parents'" in shown
        assert "repairman" not in shown


def test_what_is_outdated_says_what_is_valid(shell: Shell, person: Person) -> None:
    person.save("The locker key is number 12.")
    until(lambda: "number 12" in person.http.get("/api/memories").text)
    person.save("The locker key is now number 33.")
    until(lambda: "number 33" in person.http.get("/api/memories").text)
    shown = shell.terminal("recall", "which number is the locker key?").out
    assert shown.index("number 33") < shown.index("number 12")
    outdated = "Outdated: The locker key is now number 33. (since "
    assert shown.count(outdated) == 1
    for command in (("recall",), ("memories", "search-index", "--query")):
        assert shell.piped(*command, "locker key").out.count(f"({outdated}") == 1


def test_a_memory_that_was_replaced_says_by_what(shell: Shell, person: Person) -> None:
    old = person.post("/api/memories", {"content": "My dentist is Dr. Amsel."}).json()["id"]
    new = person.post("/api/memories", {"content": "My dentist is now Dr. Wirth."}).json()["id"]
    shown = shell.piped("memories", "get", old).out
    assert f"replacedBy  {new} My dentist is now Dr. Wirth. (since " in shown
    assert "replacedBy" not in shell.piped("memories", "get", new).out


def test_when_it_happened_and_is_due_is_shown(shell: Shell, person: Person) -> None:
    body = {"content": "I had a migraine.", "occurredAt": "2026-11-03"}
    person.post("/api/memories", body | {"dueAt": "2026-12-15T14:30:00Z"})
    times = "happened 2026-11-03, due 2026-12-15 14:30"
    assert times in shell.terminal("recall", "migraine").out
    for command in (
        ("recall", "migraine"),
        ("memories", "search", "migraine"),
        ("memories", "search-index", "--query", "migraine"),
    ):
        assert f"I had a migraine. ({times})" in shell.piped(*command).out
    asked = shell.piped("ask", "When did I have a migraine?").out
    assert "On 3 November 2026 [1]" in asked and times in asked


def test_tags_and_categories_choose(shell: Shell, person: Person) -> None:
    person.post("/api/memories", {"content": "We deploy on Fridays.", "category": "decision"})
    person.post("/api/memories", {"content": "The deploy takes an hour.", "tags": ["ops"]})
    asked = ("recall", "when do we deploy?", "--weak")
    assert "Fridays" in shell.piped(*asked, "--category", "decision").out
    assert "an hour" not in shell.piped(*asked, "--category", "decision").out
    for command in (asked, ("memories", "search", "how long is the deploy?")):
        found = shell.piped(*command, "--tag", "ops").out
        assert "an hour" in found and "Fridays" not in found


def test_a_memory_that_is_not_near_has_no_high_score(shell: Shell, person: Person) -> None:
    person.post("/api/memories", {"content": "The ferry to Naxos leaves Piraeus at 07:25."})
    [line] = shell.piped("memories", "search", "which boat do I take?").out.splitlines()
    score = float(line.split("\t")[1])
    assert 0 < score < 0.6


def test_the_short_id_of_another_kind_says_so(shell: Shell, person: Person) -> None:
    id = person.save("A document, and no memory.")["id"]
    ran = shell.piped("memories", "get", id[-8:])
    assert (ran.code, ran.out) == (3, "")
    assert f"There is no memory {id[-8:]} here; it is the id of a document." in ran.err


def test_what_can_be_restored_is_not_called_final(shell: Shell, person: Person) -> None:
    person.post("/api/memories", {"content": "My old address is Pier 4."})
    asked = shell.piped("memories", "forget", "--about", "my old address")
    assert asked.code == 2
    assert "cannot be undone" not in asked.err
    shown = shell.terminal("memories", "forget", "--about", "my old address", answers="y\n")
    assert "can be restored" in shown.out and "memories restore" in shown.out
