"""Whether work grows faster than the text it is done on."""

from collections.abc import Callable
from typing import TypeAlias

Work: TypeAlias = Callable[[int, int], int]
SHORT, LONG = 40, 160
# Four times the text may be this much more work: linear is 4, n log n is less than 6.
MOST = 5.5
SURE = 5
# More than any regex takes for some hundred characters.
TOO_MANY = 300_000


def grows_too_fast(work: Work) -> bool:
    """`work` counts what a text of some length takes, up to a limit. What looks bad on short
    texts is tried on longer ones, where a fixed cost counts less."""
    for times in (1, SURE):
        short = work(SHORT * times, TOO_MANY)
        if short < TOO_MANY and work(LONG * times, int(MOST * short) + 200) <= MOST * short:
            return False
    return True


def is_plainly_linear(work: Work, size: int) -> bool:
    """Whether what is added to a short text takes no more the second time: a fixed cost does not
    count in that, and much less is run than to compare with long texts."""
    once, twice, thrice = (work(size * times, TOO_MANY) for times in (1, 2, 3))
    return thrice < TOO_MANY and thrice - twice <= twice - once
