"""Estimate the tokens of any part of a text without counting again each time."""

from bisect import bisect_left, bisect_right

import numpy as np

_QUARTERS = 4
_WIDE = 0x0E00


def estimate_tokens(text: str) -> int:
    """Estimate tokens: about four Latin letters, or one character of a script without spaces,
    each."""
    wide = 0 if text.isascii() else int(np.count_nonzero(_codes(text) >= _WIDE))
    return wide + -(-(len(text) - wide) // _QUARTERS)


class TokenCounter:
    """Count the tokens of parts of one text in constant time, with a running sum computed once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._sums = None if text.isascii() else _running_sums(text)

    def tokens(self, start: int, end: int) -> int:
        """The same as `estimate_tokens(text[start:end])`."""
        return -(-(self._quarters(end) - self._quarters(start)) // _QUARTERS)

    def end_within(self, start: int, tokens: int) -> int:
        """The largest end for which `text[start:end]` has at most `tokens` tokens."""
        limit = self._quarters(start) + tokens * _QUARTERS
        if self._sums is None:
            return min(limit, len(self.text))
        return bisect_right(self._sums, limit) - 1

    def start_within(self, end: int, tokens: int) -> int:
        """The smallest start for which `text[start:end]` has at most `tokens` tokens."""
        limit = self._quarters(end) - tokens * _QUARTERS
        if self._sums is None:
            return max(limit, 0)
        return bisect_left(self._sums, limit)

    def _quarters(self, position: int) -> int:
        return position if self._sums is None else self._sums[position]


def _running_sums(text: str) -> memoryview:
    """Quarter tokens before each character: a wide character counts four, others one."""
    codes = _codes(text)
    sums = np.zeros(len(codes) + 1, dtype=np.int32)
    np.cumsum(np.where(codes >= _WIDE, _QUARTERS, 1), out=sums[1:])
    return sums.data


def _codes(text: str) -> np.ndarray:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
