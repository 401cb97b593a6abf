"""What is removed from a quoted sentence, and what never is."""

import pytest

from remem.core.language.prose.quote import quote_sentence


@pytest.mark.parametrize(
    ("sentence", "quoted"),
    [
        ("Oh hey, well, I moved to Rome, haha", "I moved to Rome"),
        ("Thanks, Caroline! I moved to Rome.", "I moved to Rome."),
        ("By the way, my sister lives in Oslo 🙂", "my sister lives in Oslo"),
        ("So I quit my job, you know.", "I quit my job"),
        ("**I prefer** _tabs_ and `vim`.", "I prefer tabs and vim."),
        ("I use [ruff](https://example.org) and [[Notes|my notes]].", "I use ruff and my notes."),
        ("- [ ] renew the passport", "renew the passport"),
        ("Look at this ![a cat](cat.png) of mine.", "Look at this of mine."),
        ("snake_case_names and 2 * 3 * 4 stay.", "snake_case_names and 2 * 3 * 4 stay."),
        ("You turn right.", "You turn right."),
        ("No. 5 is my favourite.", "No. 5 is my favourite."),
        ("Welles made the film.", "Welles made the film."),
    ],
)
def test_only_markup_and_fillers_at_the_edges_are_removed(sentence: str, quoted: str) -> None:
    assert quote_sentence(sentence) == quoted
