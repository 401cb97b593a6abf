"""What `recall`, `memories search` and short ids find, and how it is printed."""

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
    for run in (shell.piped, shell.terminal):
        output = run("recall", "where are we at Christmas?").out
        assert "spend Christmas at my parents'" in output
        assert "repairman" not in output


def test_an_outdated_result_shows_the_replacement(shell: Shell, person: Person) -> None:
    person.save("The locker key is number 12.")
    until(lambda: "number 12" in person.http.get("/api/memories").text)
    person.save("The locker key is now number 33.")
    until(lambda: "number 33" in person.http.get("/api/memories").text)
    output = shell.terminal("recall", "which number is the locker key?").out
    assert output.index("number 33") < output.index("number 12")
    outdated = "Outdated: The locker key is now number 33. (since "
    assert output.count(outdated) == 1
    for command in (("recall",), ("memories", "search-index", "--query")):
        assert shell.piped(*command, "locker key").out.count(f"({outdated}") == 1


def test_a_replaced_memory_shows_its_replacement(shell: Shell, person: Person) -> None:
    old = person.post("/api/memories", {"content": "My dentist is Dr. Amsel."}).json()["id"]
    new = person.post("/api/memories", {"content": "My dentist is now Dr. Wirth."}).json()["id"]
    output = shell.piped("memories", "get", old).out
    assert f"replacedBy  {new} My dentist is now Dr. Wirth. (since " in output
    assert "replacedBy" not in shell.piped("memories", "get", new).out


def test_event_and_due_times_are_shown(shell: Shell, person: Person) -> None:
    body = {"content": "I had a migraine.", "occurredAt": "2026-11-03"}
    person.post("/api/memories", body | {"dueAt": "2026-12-15T14:30:00Z"})
    times = "happened 2026-11-03, due 2026-12-15 14:30"
    assert times in shell.terminal("recall", "migraine").out
    for command in (
        ("recall", "migraine"),
        ("memories", "search", "migraine"),
        ("memories", "search-index", "--query", "migraine"),
        ("memories", "search-index", "migraine"),
    ):
        assert f"I had a migraine. ({times})" in shell.piped(*command).out
    for words in ((), ("migraine", "--query", "migraine")):
        refused = shell.piped("memories", "search-index", *words)
        assert refused.code == 2 and "as an argument or with --query" in refused.err
    answer = shell.piped("ask", "When did I have a migraine?").out
    assert "On 3 November 2026 [1]" in answer and times in answer


def test_filters_by_tag_and_category(shell: Shell, person: Person) -> None:
    person.post("/api/memories", {"content": "We deploy on Fridays.", "category": "decision"})
    person.post("/api/memories", {"content": "The deploy takes an hour.", "tags": ["ops"]})
    recall = ("recall", "when do we deploy?", "--weak")
    assert "Fridays" in shell.piped(*recall, "--category", "decision").out
    assert "an hour" not in shell.piped(*recall, "--category", "decision").out
    for command in (recall, ("memories", "search", "how long is the deploy?")):
        output = shell.piped(*command, "--tag", "ops").out
        assert "an hour" in output and "Fridays" not in output


def test_a_distant_memory_has_a_low_score(shell: Shell, person: Person) -> None:
    person.post("/api/memories", {"content": "The ferry to Naxos leaves Piraeus at 07:25."})
    [line] = shell.piped("memories", "search", "which boat do I take?").out.splitlines()
    score = float(line.split("\t")[1])
    assert 0 < score < 0.9


def test_a_short_id_of_another_kind_is_refused(shell: Shell, person: Person) -> None:
    id = person.save("A document, and no memory.")["id"]
    result = shell.piped("memories", "get", id[-8:])
    assert (result.code, result.out) == (3, "")
    assert f"There is no memory {id[-8:]} here; it is the id of a document." in result.err


def test_a_restorable_deletion_is_not_called_final(shell: Shell, person: Person) -> None:
    person.post("/api/memories", {"content": "My old address is Pier 4."})
    refused = shell.piped("memories", "forget", "--about", "my old address")
    assert refused.code == 2
    assert "cannot be undone" not in refused.err
    output = shell.terminal("memories", "forget", "--about", "my old address", answers="y\n")
    assert "can be restored" in output.out and "memories restore" in output.out
