"""Asks a Whisper model what is said in a window, and doubts what it answers."""

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ctranslate2 import StorageView
from ctranslate2.models import Whisper
from tokenizers import Tokenizer

from remem.adapters.asr.mel import log_mel
from remem.adapters.asr.pauses import Window
from remem.adapters.asr.sound import RATE
from remem.core.extraction_ports import Spoken

TICK_S = 0.02
BEAMS = 5
# Whisper's own limits: text that packs better than this goes round in circles, and what is less
# likely than this counts only if the model hears speech at all.
MAX_PACKING = 2.4
MIN_LOG_CHANCE = -1.0
MAX_NO_SPEECH = 0.6


@dataclass(frozen=True, slots=True)
class Piece:
    """What stands between two time stamps, in seconds from the start of its window; without
    the second one the window broke it off."""

    start_s: float
    end_s: float | None
    tokens: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Guess:
    """What the model takes a window to say, and how sure it is."""

    tokens: Sequence[int]
    text: str
    log_chance: float
    no_speech: float

    @property
    def circles(self) -> bool:
        packed = zlib.compress(self.text.encode())
        return len(self.text.encode()) > MAX_PACKING * len(packed)

    @property
    def silent(self) -> bool:
        return self.no_speech > MAX_NO_SPEECH and self.log_chance < MIN_LOG_CHANCE


class Scribe:
    """A loaded model with its alphabet."""

    def __init__(self, model: Whisper, tokenizer: Tokenizer) -> None:
        self._model = model
        self._tokenizer = tokenizer
        before_stamps = tokenizer.token_to_id("<|notimestamps|>")
        if before_stamps is None:
            raise ValueError("this alphabet is not Whisper's")
        self._first_stamp = before_stamps + 1

    def write_down(self, window: Window) -> Iterator[Spoken]:
        """What is said in a window, sentence by sentence; nothing where it is made up."""
        left: Window | None = window
        while left is not None:
            length_s = len(left.samples) / RATE
            tokens = self._believed(left)
            pieces = _pieces(tokens, self._first_stamp)
            heard_s = _heard_s(pieces, tokens, self._first_stamp, length_s)
            for piece in pieces:
                if piece.start_s < heard_s:
                    yield from self._spoken(piece, left.start_s, length_s)
            left = left.after(heard_s)

    def _spoken(self, piece: Piece, offset_s: float, length_s: float) -> Iterator[Spoken]:
        text = self._tokenizer.decode(list(piece.tokens)).strip()
        end_s = min(length_s, piece.end_s or length_s)
        if any(letter.isalnum() for letter in text):
            start_s = min(piece.start_s, end_s)
            yield Spoken(round(offset_s + start_s, 2), round(offset_s + end_s, 2), text)

    def _believed(self, window: Window) -> Sequence[int]:
        mel = log_mel(window.samples, self._model.n_mels)
        heard = self._model.encode(StorageView.from_array(mel[None]))
        prompt = self._prompt(heard)
        guess = self._guess(heard, prompt)
        if guess.circles:
            guess = self._guess(heard, prompt, no_repeat_ngram_size=3, repetition_penalty=1.2)
        return () if guess.circles or guess.silent else guess.tokens

    def _prompt(self, heard: StorageView) -> list[str]:
        """A model of one language is given none; one of many is given the one that it hears."""
        if not self._model.is_multilingual:
            return ["<|startoftranscript|>"]
        language = self._model.detect_language(heard)[0][0][0]
        return ["<|startoftranscript|>", language, "<|transcribe|>"]

    def _guess(self, heard: StorageView, prompt: list[str], **options: Any) -> Guess:
        [found] = self._model.generate(
            heard,
            [prompt],
            beam_size=BEAMS,
            return_scores=True,
            return_no_speech_prob=True,
            **options,
        )
        tokens = found.sequences_ids[0]
        # The score is a mean over the tokens; the end of the text counts as one more.
        log_chance = found.scores[0] * len(tokens) / (len(tokens) + 1)
        text = self._tokenizer.decode(tokens).strip()
        return Guess(tokens, text, log_chance, found.no_speech_prob)


def _pieces(tokens: Sequence[int], first_stamp: int) -> list[Piece]:
    pieces: list[Piece] = []
    start_s, text = 0.0, []
    for token in tokens:
        if token < first_stamp:
            text.append(token)
            continue
        at_s = (token - first_stamp) * TICK_S
        if text:
            pieces.append(Piece(start_s, at_s, tuple(text)))
        start_s, text = at_s, []
    if text:
        pieces.append(Piece(start_s, None, tuple(text)))
    return pieces


def _heard_s(
    pieces: Sequence[Piece], tokens: Sequence[int], first_stamp: int, length_s: float
) -> float:
    """How much of the window is dealt with. What was broken off, or begun and not written, is
    heard again from its start, unless that would be the whole window once more."""
    begun = len(tokens) > 1 and tokens[-1] >= first_stamp and tokens[-2] >= first_stamp
    if begun and pieces:
        return min(length_s, (tokens[-1] - first_stamp) * TICK_S) or length_s
    if pieces and pieces[-1].end_s is None:
        return pieces[-1].start_s or length_s
    return length_s
