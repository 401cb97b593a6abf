"""No library that we load sends telemetry."""

import subprocess
import sys


def test_telemetry_of_the_model_runtime_is_disabled_before_it_loads() -> None:
    """The runtime reads the environment through the C library, so it must be set in every process,
    whichever module loads the runtime first."""
    code = (
        "import ctypes, remem; get = ctypes.CDLL(None).getenv; get.restype = ctypes.c_char_p;"
        " import sys; assert 'onnxruntime' not in sys.modules;"
        " print(get(b'ORT_DISABLE_TELEMETRY').decode())"
    )
    process = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={}
    )
    assert process.stdout.strip() == "1"
