"""Speak a sentence into a WAV file with the espeak-ng that is installed as a wheel."""

import ctypes
import subprocess
import sys
import wave
from pathlib import Path

import espeakng_loader

# Values from espeak-ng's header speak_lib.h.
SYNCHRONOUS = 2
CHARACTER_POSITIONS = 1
UTF8 = 1
RATE = 1


def speak(text: str, path: Path, *, words_a_minute: int = 150, voice: str = "en-us") -> Path:
    """Write `text` as speech to `path`: 22,050 Hz, 16 bits, one channel.

    This runs in a separate process: the library is GPL, keeps global state, and is only used to
    make samples."""
    subprocess.run(
        [sys.executable, __file__, text, str(path), str(words_a_minute), voice], check=True
    )
    return path


def _speak(text: str, path: str, words_a_minute: int, voice: str) -> None:
    engine = ctypes.CDLL(espeakng_loader.get_library_path())
    folder = str(Path(espeakng_loader.get_data_path()).parent).encode()
    rate = engine.espeak_Initialize(SYNCHRONOUS, 500, folder, 0)
    sound = bytearray()

    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p)
    def collect(samples: "ctypes._Pointer[ctypes.c_short]", count: int, _: object) -> int:
        if samples:
            sound.extend(ctypes.string_at(samples, 2 * count))
        return 0

    engine.espeak_SetSynthCallback(collect)
    assert engine.espeak_SetVoiceByName(voice.encode()) == 0, f"espeak-ng has no voice {voice}"
    engine.espeak_SetParameter(RATE, words_a_minute, 0)
    data = text.encode()
    engine.espeak_Synth(data, len(data) + 1, 0, CHARACTER_POSITIONS, 0, UTF8, None, None)
    engine.espeak_Synchronize()
    with wave.open(path, "wb") as file:
        file.setparams((1, 2, rate, 0, "NONE", ""))
        file.writeframes(bytes(sound))


if __name__ == "__main__":
    _speak(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4])
