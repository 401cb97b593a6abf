"""How long a stretch of text is, in tokens, without counting it again each time."""

from bisect import bisect_left, bisect_right

import numpy as np

_QUARTERS = 4
_WIDE = 0x0E00


def estimate_tokens(text: str) -> int:
    """About four Latin letters, or one character of a script without spaces, are a token."""
    wide = 0 if text.isascii() else int(np.count_nonzero(_codes(text) >= _WIDE))
    return wide + -(-(len(text) - wide) // _QUARTERS)


class Gauge:
    """Measures stretches of one text in constant time: a running sum, made once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._sums = None if text.isascii() else _running_sums(text)

    def tokens(self, start: int, end: int) -> int:
        """The same as `estimate_tokens(text[start:end])`."""
        return -(-(self._quarters(end) - self._quarters(start)) // _QUARTERS)

    def reach(self, start: int, tokens: int) -> int:
        """The farthest end such that `text[start:end]` has at most so many tokens."""
        limit = self._quarters(start) + tokens * _QUARTERS
        if self._sums is None:
            return min(limit, len(self.text))
        return bisect_right(self._sums, limit) - 1

    def back(self, end: int, tokens: int) -> int:
        """The farthest start such that `text[start:end]` has at most so many tokens."""
        limit = self._quarters(end) - tokens * _QUARTERS
        if self._sums is None:
            return max(limit, 0)
        return bisect_left(self._sums, limit)

    def _quarters(self, position: int) -> int:
        return position if self._sums is None else self._sums[position]


def _running_sums(text: str) -> memoryview:
    """Quarters of a token before each character: a wide one weighs four, any other one."""
    codes = _codes(text)
    sums = np.zeros(len(codes) + 1, dtype=np.int32)
    np.cumsum(np.where(codes >= _WIDE, _QUARTERS, 1), out=sums[1:])
    return sums.data


def _codes(text: str) -> np.ndarray:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
