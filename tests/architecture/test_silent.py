"""Nothing that we load reports home."""

import subprocess
import sys


def test_the_model_runtime_is_told_to_be_silent_before_it_loads() -> None:
    """It asks the C library, in every process of ours, whichever module loads it first."""
    asked = (
        "import ctypes, remem; get = ctypes.CDLL(None).getenv; get.restype = ctypes.c_char_p;"
        " import sys; assert 'onnxruntime' not in sys.modules;"
        " print(get(b'ORT_DISABLE_TELEMETRY').decode())"
    )
    done = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, text=True, check=True, env={}
    )
    assert done.stdout.strip() == "1"
