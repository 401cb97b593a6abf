"""Files in the export formats of other products."""

import io
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
VAULT = HERE / "vault"


def sample(name: str) -> Path:
    return HERE / name


def zipped(files: dict[str, str | bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def vault() -> bytes:
    paths = sorted(path for path in VAULT.rglob("*") if path.is_file())
    return zipped({path.relative_to(HERE).as_posix(): path.read_bytes() for path in paths})
