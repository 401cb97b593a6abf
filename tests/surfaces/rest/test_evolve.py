"""Usage decides how to search; automatic changes are listed and can be undone."""

from typing import Any

import pytest

from tests.conftest import Person
from tests.surfaces.rest.people import MakePerson

ARMS = {
    "fast_memories", "balanced_memories", "deep_memories", "balanced_hybrid", "deep_hybrid",
    "balanced_vector",
}  # fmt: skip
# Questions that share no words with their statements: only their meaning finds them.
PARAPHRASED = [
    ("The physician prescribed antibiotics for my throat.", "Which medicine did the doctor give?"),
    ("Our puppy chewed through the sofa.", "What did the young dog destroy?"),
    ("The automobile failed its inspection.", "What is wrong with the car?"),
    ("Our flat costs nine hundred euros.", "How expensive is the apartment's rent?"),
    ("The lads won the football cup.", "Which sports tournament did the boys win?"),
    ("Grandma baked a rhubarb crumble.", "What dessert did my grandmother make?"),
    ("The boiler broke down again.", "Why is the heating not working?"),
    ("A thief took my bicycle.", "Was anything stolen from me?"),
    ("The infant sleeps through the night.", "How does the baby rest?"),
    ("The solicitor drafted my testament.", "Who wrote my will, which lawyer?"),
    ("My sibling relocated overseas.", "Where did my brother move abroad?"),
    ("The lecture on volcanoes was dull.", "Was the talk about geology boring?"),
]


def remember(person: Person, content: str) -> str:
    reply = person.post("/api/memories", {"content": content})
    assert reply.status_code in (200, 201), reply.text
    return reply.json()["id"]


def talk(person: Person, pairs: list[tuple[str, str]]) -> None:
    """Sessions in which each question was answered with the memory it was about."""
    session = person.post("/api/sessions", {"agent": "test"}).json()["id"]
    for statement, question in pairs:
        id = remember(person, statement)
        for turn in (
            {"role": "user", "content": question},
            {"role": "assistant", "content": statement, "recalled": [id], "used": [id]},
        ):
            assert person.post(f"/api/sessions/{session}/turns", turn).status_code == 201


def get_json(person: Person, path: str, **params: Any) -> dict[str, Any]:
    reply = person.http.get(path, params=params)
    assert reply.status_code == 200, reply.text
    return reply.json()


def test_without_sessions_the_built_in_policy_is_in_force(person: Person) -> None:
    assert get_json(person, "/api/evolve/policy")["source"] == "built_in"
    arena = get_json(person, "/api/evolve/arena")
    assert {arm["id"] for arm in arena["arms"]} == {*ARMS, "built_in"}
    assert arena["episodes"] == 0


def _try_arms(person: Person) -> list[dict[str, Any]]:
    body = {"maxProjects": 3, "timeBudgetMs": 60_000}
    return person.post("/api/evolve/arena", body).json()["projects"]


def test_the_arm_that_finds_what_was_used_is_in_force(person: Person) -> None:
    for _, question in PARAPHRASED:
        # Documents that repeat the question mislead a search in documents.
        person.save(f"{question} Nobody knows. {question} It is asked every day.")
        person.save(f"It is still not known. {question} So it is asked again: {question}")
    talk(person, PARAPHRASED)
    [trial] = _try_arms(person)
    assert (trial["episodes"], trial["pulls"]) == (12, 12 * 7)
    assert trial["arm"] == "balanced_vector"
    arena = get_json(person, "/api/evolve/arena", project=trial["projectId"])
    scores = {arm["id"]: arm["score"] for arm in arena["arms"]}
    assert scores["balanced_vector"] > scores["fast_memories"]
    policy = get_json(person, "/api/evolve/policy", project=trial["projectId"])
    assert (policy["id"], policy["source"]) == ("balanced_vector", "project")
    assert policy["reason"]["episodes"] >= 12
    # One project does not decide for the others.
    assert get_json(person, "/api/evolve/policy")["source"] != "tenant"
    asked = {"query": PARAPHRASED[0][1], "project": trial["projectId"]}
    search = get_json(person, "/api/memories/search-index", **asked)
    assert search["policy"]["id"] == "balanced_vector"
    assert "physician" in search["hits"][0]["snippet"]
    explicit = get_json(person, "/api/memories/search-index", query=PARAPHRASED[0][1], mode="fast")
    assert (explicit["policy"], explicit["mode"]) == (None, "fast")
    again = person.post("/api/evolve/arena", {}).json()["projects"][0]
    assert again["arm"] == "balanced_vector"
    assert get_json(person, "/api/evolve/arena")["arms"][0]["pulls"] == 12, (
        "a repeated measurement must not count twice"
    )


def test_an_arm_without_a_clear_lead_leaves_the_built_in_policy_in_force(person: Person) -> None:
    talk(person, PARAPHRASED[:11])
    [trial] = person.post("/api/evolve/arena", {}).json()["projects"]
    assert trial["arm"] == "built_in"
    policy = get_json(person, "/api/evolve/policy", project=trial["projectId"])
    assert policy["reason"]["decision"] == "no_clear_lead"


def test_what_is_saved_is_found_whichever_arm_is_in_force(person: Person) -> None:
    person.save("The lighthouse keeper is called Ottoline Vanterpool.")
    pinned = person.post("/api/evolve/policy", {"arm": "fast_memories"}).json()
    assert (pinned["id"], pinned["pinned"]) == ("fast_memories", True)
    search = get_json(person, "/api/memories/search-index", query="Who keeps the lighthouse?")
    assert "Ottoline" in str(search["hits"])
    assert person.post("/api/evolve/policy", {"arm": None}).json()["source"] == "built_in"
    assert person.post("/api/evolve/policy", {"arm": "best_of_all"}).status_code == 400


def test_signals_are_listed_and_count_as_episodes(person: Person) -> None:
    id = remember(person, "The ferry to Elba leaves at nine.")
    signal = {"type": "used", "query": "When does the boat leave?", "ids": [id]}
    sent = person.post("/api/evolve/signals", signal)
    assert sent.status_code == 201
    assert person.post(f"/api/memories/{id}/feedback", {"type": "helpful"}).status_code == 200
    listed = get_json(person, "/api/evolve/signals")["signals"]
    assert [(entry["type"], entry["source"]) for entry in listed] == [
        ("helpful", "feedback"),
        ("used", "signal"),
    ]
    first = get_json(person, "/api/evolve/signals", limit=1)
    rest = get_json(person, "/api/evolve/signals", limit=1, cursor=first["next_cursor"])
    assert [entry["id"] for entry in rest["signals"]] == [sent.json()["id"]]
    trial = person.post("/api/evolve/arena", {}).json()["projects"][0]
    assert (trial["episodes"], trial["arm"]) == (1, None)


def test_a_run_executes_what_is_due_and_reports_it(person: Person) -> None:
    remember(person, "The user prefers dark roast coffee in the morning.")
    remember(person, "In the morning, the user prefers dark roast coffee.")
    due = get_json(person, "/api/evolve/run")
    assert [due_job["jobType"] for due_job in due["due"]] == [
        "derivation",
        "consolidation",
        "graph",
    ]
    assert due["nextRunAt"].endswith("T09:00:00.000Z")
    run = person.post("/api/evolve/run", {}).json()
    assert [(job["jobType"], job["status"]) for job in run["jobs"]] == [
        ("derivation", "completed"),
        ("consolidation", "completed"),
        ("graph", "completed"),
    ]
    assert [job["priority"] for job in run["jobs"]] == [6, 4, 2]
    assert not run["left"]
    assert len(get_json(person, "/api/evolve/jobs", status="completed")["jobs"]) == 3
    [action] = get_json(person, "/api/evolve/actions")["actions"]
    assert (action["action"], action["undoneAt"]) == ("merge", None)
    undone = person.post(f"/api/evolve/actions/{action['id']}/undo", {})
    assert undone.json()["undoneAt"]
    assert get_json(person, "/api/memories")["total"] == 2
    assert person.post(f"/api/evolve/actions/{action['id']}/undo", {}).status_code == 409
    types = {event["type"] for event in get_json(person, "/api/events", limit=100)["events"]}
    assert {"consolidation_merge", "consolidation_undo", "evolution_graph"} <= types


def test_a_job_is_queued_once(person: Person) -> None:
    first = person.post("/api/evolve/jobs", {"jobType": "learning"})
    again = person.post("/api/evolve/jobs", {"jobType": "learning_propagation"})
    assert first.json()["id"] == again.json()["id"]
    assert (first.json()["status"], first.json()["priority"]) == ("pending", 1)
    wrong = person.post("/api/evolve/jobs", {"jobType": "graph", "project": "default"})
    assert wrong.status_code == 400


def test_good_memories_rank_higher_and_bad_ones_lower(person: Person) -> None:
    ids = {
        quality: remember(person, f"The {animal} barn at the old mill was painted in spring.")
        for quality, animal in (("bad", "cow"), ("unknown", "goat"), ("good", "sheep"))
    }

    def order() -> list[str]:
        query = "Which barn at the old mill was painted in spring?"
        hits = get_json(person, "/api/memories/search-index", query=query)["hits"]
        return [hit["id"] for hit in hits]

    for quality, id in ids.items():
        person.post(f"/api/memories/{id}/lifecycle", {"quality": quality})
    assert order() == [ids["good"], ids["unknown"], ids["bad"]]
    person.post(f"/api/memories/{ids['good']}/lifecycle", {"quality": "bad"})
    person.post(f"/api/memories/{ids['bad']}/lifecycle", {"quality": "good"})
    assert order()[0] == ids["bad"]


@pytest.mark.parametrize("path", ["/api/evolve/arena", "/api/evolve/policy"])
def test_a_project_of_another_is_not_found(
    path: str, person: Person, make_person: MakePerson
) -> None:
    project = make_person().post("/v3/projects", {"name": "Theirs"}).json()
    assert person.http.get(path, params={"project": project["id"]}).status_code == 404
