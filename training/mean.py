"""The mean of exported weights, which performs better than each of them.

.venv/bin/python training/mean.py OUT FOLDER=1 OTHER=2    needs onnx and onnxruntime
"""

import sys
from pathlib import Path

from export import write_models
from start import mean_weights


def main() -> None:
    out, *parts = sys.argv[1:]
    named = [part.rpartition("=") for part in parts]
    mean = mean_weights([(Path(folder), float(share)) for folder, _, share in named])
    write_models(mean, Path(out))


if __name__ == "__main__":
    main()
