"""How many tokens are left for the context of an agent."""

from remem.core.chunking.token_counter import estimate_tokens


class Budget:
    def __init__(self, tokens: int) -> None:
        self.tokens = max(0, tokens)

    def take(self, text: str) -> bool:
        """Count a text, if it fits."""
        needed = estimate_tokens(text)
        if needed > self.tokens:
            return False
        self.tokens -= needed
        return True

    def chars_of(self, text: str) -> int:
        """About how many characters of this text fit."""
        needed = estimate_tokens(text)
        return len(text) if needed <= self.tokens else len(text) * self.tokens // needed
