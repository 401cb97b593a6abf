"""Cut text at its own joints: headings, paragraphs, sentences, words, in that order."""

from semantic_text_splitter import MarkdownSplitter

from remem.core.chunking.model import OVERLAP_TOKENS, TARGET_TOKENS, Piece

_CHARS_A_TOKEN = 4


def split(text: str) -> list[Piece]:
    if estimate_tokens(text) <= TARGET_TOKENS:
        return [Piece(text, 0, len(text))]
    splitter = MarkdownSplitter.from_callback(estimate_tokens, TARGET_TOKENS, OVERLAP_TOKENS)
    return [
        Piece(content, start, start + len(content))
        for start, content in splitter.chunk_indices(text)
    ]


def estimate_tokens(text: str) -> int:
    """About four Latin letters, or one character of a script without spaces, are a token."""
    wide = 0 if text.isascii() else sum(char >= "\u0e00" for char in text)
    return wide + -(-(len(text) - wide) // _CHARS_A_TOKEN)
