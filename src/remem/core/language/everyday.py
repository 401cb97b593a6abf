"""How common a word is in everyday English: what a small store cannot tell by itself."""

from functools import cache
from importlib.resources import files


def everyday_share(term: str) -> float:
    """The share of passages of about sixty words that have it, counted over five kinds of text;
    0 for what is in less than one of a hundred."""
    return _shares().get(term, 0.0)


@cache
def _shares() -> dict[str, float]:
    """Each line has a percentage and the stems it is of."""
    lines = files("remem.core.language").joinpath("data/en/everyday.txt").read_text().splitlines()
    found = (line.split() for line in lines)
    return {term: int(percent) / 100 for percent, *terms in found for term in terms}
