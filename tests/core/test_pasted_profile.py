"""The statements in what another assistant answers, in the formats that models use."""

import pytest

from remem.core.errors import Invalid
from remem.core.intake.pasted_profile import STATEMENTS_LIMIT, read_pasted


def contents(text: str) -> list[str]:
    return [statement.content for statement in read_pasted(text)]


ASKED_FOR = """Of course! Here is what I remember:

```
[2025-03-01] - I am vegetarian, except for fish on holidays.
[unknown] - My sister Ana lives in Graz.
[2031-01-01] - I move to Lyon.

```

Let me know if you want anything else."""


def test_the_format_that_the_prompt_asks_for() -> None:
    first, second, third = read_pasted(ASKED_FOR)
    assert first.content == "I am vegetarian, except for fish on holidays."
    assert first.said_at is not None and first.said_at.date().isoformat() == "2025-03-01"
    assert (second.content, second.said_at) == ("My sister Ana lives in Graz.", None)
    assert (third.content, third.said_at) == ("I move to Lyon.", None), "it is in the future"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "## Preferences\n- **Answers**: short, no emojis\n* Tea, not coffee\n\n### Work\n"
            "1. I run a bakery in Linz\n   with four people.\n2) Closed on Mondays",
            [
                "Answers: short, no emojis",
                "Tea, not coffee",
                "I run a bakery in Linz with four people.",
                "Closed on Mondays",
            ],
        ),
        (
            "以下は覚えていることです：\n・猫を二匹飼っています。\n・毎朝走ります。",
            ["猫を二匹飼っています。", "毎朝走ります。"],
        ),
        (
            "Вот что я помню:\n\n• Вы живёте в Варне.\n• Вы учите турецкий.",
            ["Вы живёте в Варне.", "Вы учите турецкий."],
        ),
        (
            '["I like tea.", {"content": "I live in Rome.", "date": "2024-05-01"}]',
            ["I like tea.", "I live in Rome."],
        ),
        ('```json\n{"memories": [{"memory": "I like tea."}]}\n```', ["I like tea."]),
        ("I like tea.\nI live in Rome.\n---\n", ["I like tea.", "I live in Rome."]),
        (
            "[inconnu] - Je suis né à Brest.\n[2024-02-30] - Je joue du cor.",
            ["Je suis né à Brest.", "Je joue du cor."],
        ),
        ('- I like tea.\n- i like tea.\n- "I read a lot."', ["I like tea.", "I read a lot."]),
        ("2024-11-05: I quit smoking.", ["I quit smoking."]),
    ],
)
def test_what_models_make_of_it(text: str, expected: list[str]) -> None:
    assert contents(text) == expected


@pytest.mark.parametrize("text", ["---", "# Memories\n\n***", "\n \n."])
def test_an_answer_without_statements(text: str) -> None:
    with pytest.raises(Invalid, match="statements"):
        read_pasted(text)


def test_the_number_is_limited() -> None:
    assert len(contents("\n".join(f"- Thing {number}" for number in range(900)))) == (
        STATEMENTS_LIMIT
    )
