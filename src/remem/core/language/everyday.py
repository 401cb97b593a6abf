"""How common a word is in everyday English; a small store cannot measure it itself."""

from functools import cache
from importlib.resources import files


def everyday_share(term: str) -> float:
    """The share of passages of about sixty words that contain the term, counted over five kinds of
    text; 0 for a term in less than one passage in a hundred."""
    return _shares().get(term, 0.0)


@cache
def _shares() -> dict[str, float]:
    """Read the file; each line is a percentage and the stems that have it."""
    lines = files("remem.core.language").joinpath("data/en/everyday.txt").read_text().splitlines()
    rows = (line.split() for line in lines)
    return {term: int(percent) / 100 for percent, *terms in rows for term in terms}
