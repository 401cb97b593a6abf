"""Files in the shape that other products give them out in."""

import io
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
VAULT = HERE / "vault"


def sample(name: str) -> Path:
    return HERE / name


def zipped(files: dict[str, str | bytes]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return held.getvalue()


def vault() -> bytes:
    found = sorted(path for path in VAULT.rglob("*") if path.is_file())
    return zipped({path.relative_to(HERE).as_posix(): path.read_bytes() for path in found})
