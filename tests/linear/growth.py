"""Whether work grows faster than the length of the text."""

from collections.abc import Callable
from typing import TypeAlias

Work: TypeAlias = Callable[[int, int], int]
SHORT, LONG = 40, 160
# How much more work four times the text may take: linear is 4, n log n is less than 6.
MAX_RATIO = 5.5
LONGER_FACTOR = 5
# More than any regex takes for some hundred characters.
MAX_STEPS = 300_000


def grows_too_fast(work: Work) -> bool:
    """Whether `work`, which counts the work for a text of a length up to a limit, is not linear.
    What looks bad with short texts is tried with longer ones, where a fixed cost counts less."""
    for times in (1, LONGER_FACTOR):
        short = work(SHORT * times, MAX_STEPS)
        if (
            short < MAX_STEPS
            and work(LONG * times, int(MAX_RATIO * short) + 200) <= MAX_RATIO * short
        ):
            return False
    return True


def is_plainly_linear(work: Work, size: int) -> bool:
    """Whether a second addition to a short text takes no more work than the first one. A fixed cost
    does not count, and this runs much less than a comparison with long texts."""
    once, twice, thrice = (work(size * times, MAX_STEPS) for times in (1, 2, 3))
    return thrice < MAX_STEPS and thrice - twice <= twice - once
