"""The better arm is chosen, similar arms do not alternate, and a score is the sum of its parts."""

from collections.abc import Hashable
from uuid import UUID

import pytest

from remem.core.evolution.arena.decide import choose, confirm, rewards_without_speed
from remem.core.evolution.bandit import Tally, leads, next_arms, tally_of, ucb, winner
from remem.core.evolution.score import Result, Wanted, score

ONE, TWO, THREE = (UUID(int=n) for n in (1, 2, 3))


def result(*ids: UUID, document: UUID | None = None) -> Result:
    return Result(frozenset(ids), document, document or ids[0])


def test_an_untried_arm_goes_first_and_the_bound_is_that_of_ucb1() -> None:
    tallies = {"tried": tally_of([1.0] * 50), "never": Tally()}
    assert next_arms(tallies)[0] == "never"
    assert ucb(tally_of([0.5, 0.5]), 9) == pytest.approx(0.5 + 0.35 * (2.302585 / 2) ** 0.5)


def test_an_arm_that_was_tried_rarely_gets_another_chance() -> None:
    tallies = {"often": tally_of([0.6] * 100), "rarely": tally_of([0.5] * 2)}
    assert next_arms(tallies) == ["rarely", "often"]


def test_too_few_episodes_decide_nothing() -> None:
    assert winner({"one": dict.fromkeys(range(9), 1.0)}) is None


def test_the_best_arm_is_chosen_and_stays_until_another_leads_clearly() -> None:
    low, high = dict.fromkeys(range(20), 0.5), dict.fromkeys(range(20), 0.8)
    assert winner({"low": low, "high": high}) == "high"
    assert winner({"low": low, "high": high}, in_force="low") == "high"
    slightly = dict.fromkeys(range(20), 0.51)
    assert winner({"low": low, "other": slightly}, in_force="low") == "low"


def test_a_lead_by_chance_is_no_lead() -> None:
    lucky = {n: float(n % 2) for n in range(20)} | {1: 1.0, 3: 1.0}
    other = {n: float((n + 1) % 2) for n in range(20)}
    assert not leads(lucky, other)


def test_the_built_in_arm_stays_until_another_leads_clearly() -> None:
    same, better = dict.fromkeys(range(20), 0.5), dict.fromkeys(range(20), 0.8)
    slightly = dict.fromkeys(range(20), 0.51)
    tied = {"fast_memories": slightly, "balanced_vector": same, "built_in": same}
    assert choose(tied, None) == ("built_in", "no_clear_lead")
    assert choose(tied, "built_in") == ("built_in", "no_clear_lead")
    assert choose({**tied, "balanced_vector": better}, None) == ("balanced_vector", "best")
    assert choose({**tied, "built_in": better}, "fast_memories") == (
        "built_in",
        "built_in_is_better",
    )


def project(**means: float) -> dict[str, dict[Hashable, float]]:
    return {arm: dict.fromkeys(range(20), mean) for arm, mean in means.items()}


def test_one_project_does_not_decide_for_a_tenant() -> None:
    easy, hard = project(fast_memories=1.0, built_in=0.5), project(fast_memories=0.5, built_in=0.5)
    unknown = {"fast_memories": dict.fromkeys(range(9), 1.0), "built_in": {}}
    few = [easy, easy, *[unknown] * 75]
    assert confirm("fast_memories", "best", few) == (None, "too_few_projects")
    assert confirm("fast_memories", "best", [easy, hard, hard]) == ("built_in", "no_clear_lead")
    assert confirm("fast_memories", "best", [easy, easy, hard]) == ("fast_memories", "best")
    assert confirm("built_in", "no_clear_lead", [hard, hard, hard])[0] == "built_in"


def test_speed_decides_nothing() -> None:
    rows = [
        {"arm": arm, "episode_id": number, "reward": 0.8 + 0.07 * latency, "latency": latency}
        for number in range(50)
        for arm, latency in (("fast_memories", 1.0), ("built_in", 0.1))
    ]
    assert choose(rewards_without_speed(rows), None) == ("built_in", "no_clear_lead")


def test_the_reason_says_whether_the_arm_is_the_best_or_only_stays() -> None:
    low, slightly = dict.fromkeys(range(20), 0.5), dict.fromkeys(range(20), 0.51)
    arms = {"fast_memories": low, "balanced_vector": slightly}
    assert choose(arms, "fast_memories") == ("fast_memories", "stays")
    assert choose(arms, "balanced_vector") == ("balanced_vector", "best")


def test_a_score_is_the_sum_of_its_parts() -> None:
    wanted = Wanted(frozenset({ONE, TWO}), frozenset({THREE}))
    scored = score(wanted, [result(ONE, document=THREE), result(UUID(int=9))], took_ms=100)
    assert (scored.recall, scored.precision, scored.document_recall) == (0.5, 0.5, 1.0)
    assert (scored.latency, scored.diversity) == (0.5, 1.0)
    assert scored.reward == pytest.approx(0.55 / 2 + 0.15 / 2 + 0.20 + 0.07 / 2 + 0.03)


def test_a_rejected_result_counts_against_precision() -> None:
    wanted = Wanted(frozenset({ONE}), rejected=frozenset({TWO}))
    assert score(wanted, [result(ONE)], 10).precision == 1.0
    assert score(wanted, [result(ONE), result(TWO)], 10).precision == 0.0


def test_nothing_found_scores_only_for_its_speed() -> None:
    scored = score(Wanted(frozenset({ONE})), [], took_ms=0)
    assert scored.reward == pytest.approx(0.07)
