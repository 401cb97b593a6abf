"""Statements, policies and triggers are such that Citus can run them on the node of their tenant.

A statement names the tenant as `$1` in every relation, and what a node would compute otherwise is
a parameter, a constant of the statement, or a column's default."""

import ast
import re
from importlib.resources import files
from pathlib import Path

import pytest
from tools.sql_strings import SOURCE, statements

SCHEMA = files("remem.migrations").joinpath("schema.sql").read_text()
CORRELATED_TENANT = re.compile(
    r"\b\w+\.tenant_id = \w+\.tenant_id\b|\btenant_id = \w+\.tenant_id\b"
)
CHANGING = re.compile(r"\b(now|random|gen_random_uuid|clock_timestamp|jsonb_build_object)\(")
ON_CONFLICT = re.compile(r"\bDO UPDATE SET\b(.*)")
WRITES = re.compile(r"^(?:WITH .*)?(?:UPDATE|DELETE FROM) ")
CHOICE = re.compile(r"\bcoalesce\(|\bCASE\b")
CASE_END = re.compile(r"\bCASE\b|\bEND\b")
POLICY = re.compile(r"CREATE POLICY [^;]*;")
TRANSITION_TABLE = re.compile(r"\b(?:FROM|JOIN|USING|,) ?(?:made|gone|changed)\b")
STATEMENT = re.compile(r"^ +(?:UPDATE|DELETE FROM|INSERT INTO|PERFORM)\b[^;]*;", re.MULTILINE)
TRIGGER_FUNCTION = re.compile(
    r"CREATE FUNCTION (\w+)\(\) RETURNS trigger .*?\nEND \$\$;", re.DOTALL
)


def all_statements() -> list[tuple[str, str]]:
    return [
        (path.relative_to(SOURCE).as_posix(), text)
        for path in sorted(Path(SOURCE).rglob("*.py"))
        if "migrations" not in path.parts
        for text in statements(ast.parse(path.read_text()))
    ]


def choices_in(sql: str) -> list[str]:
    """What each `coalesce(…)` and `CASE … END` of a statement has inside."""
    return [sql[match.start() : end_of_choice(sql, match)] for match in CHOICE.finditer(sql)]


def end_of_choice(sql: str, match: re.Match[str]) -> int:
    depth = 0
    if match[0] == "CASE":
        for word in CASE_END.finditer(sql, match.start()):
            depth += 1 if word[0] == "CASE" else -1
            if depth == 0:
                return word.end()
        return len(sql)
    for place in range(match.end() - 1, len(sql)):
        depth += {"(": 1, ")": -1}.get(sql[place], 0)
        if depth == 0:
            return place
    return len(sql)


def correlated(sql: str) -> bool:
    return CORRELATED_TENANT.search(sql) is not None


def changes_on_conflict(sql: str) -> bool:
    match = ON_CONFLICT.search(sql)
    return match is not None and CHANGING.search(match[1]) is not None


def chooses_a_changing_value(sql: str) -> bool:
    return WRITES.search(sql) is not None and any(map(CHANGING.search, choices_in(sql)))


RULES = [correlated, changes_on_conflict, chooses_a_changing_value]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_no_statement_breaks_a_rule_of_citus(rule: object) -> None:
    found = [(path, sql) for path, sql in all_statements() if rule(sql)]  # type: ignore[operator]
    assert found == []


@pytest.mark.parametrize(
    ("rule", "sql"),
    [
        (correlated, "SELECT 1 FROM a JOIN b ON b.tenant_id = a.tenant_id"),
        (changes_on_conflict, "INSERT INTO a VALUES ($1) ON CONFLICT DO UPDATE SET at = now()"),
        (chooses_a_changing_value, "UPDATE a SET at = coalesce($2, now()) WHERE tenant_id = $1"),
        (chooses_a_changing_value, "UPDATE a SET at = CASE WHEN $2 THEN now() END"),
        (chooses_a_changing_value, "WITH b AS (SELECT 1) UPDATE a SET at = coalesce(at, now())"),
    ],
)
def test_the_rules_find_what_citus_refuses(rule: object, sql: str) -> None:
    assert rule(sql)  # type: ignore[operator]


def test_what_citus_accepts_breaks_no_rule() -> None:
    accepted = "UPDATE a SET at = now(), b = coalesce($2, b) WHERE tenant_id = $1 AND at < now()"
    assert [rule for rule in RULES if rule(accepted)] == []


def test_no_policy_has_a_subquery() -> None:
    assert [
        policy for policy in POLICY.findall(SCHEMA) if "SELECT" in policy.split("USING")[1]
    ] == []


def test_no_trigger_joins_a_transition_table_with_another() -> None:
    functions = {match[1]: match[0] for match in TRIGGER_FUNCTION.finditer(SCHEMA)}
    assert {"count_memories", "count_mentions", "note_vectors"} <= functions.keys()
    joined = [
        (name, statement)
        for name, sql in functions.items()
        for statement in STATEMENT.findall(sql)
        if TRANSITION_TABLE.search(statement)
    ]
    assert joined == []
