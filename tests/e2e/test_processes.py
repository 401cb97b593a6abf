"""Two servers and two workers on one database; one of each is killed under load."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.conftest import start_server, stop_server
from tests.e2e.test_kill import Saver, check, kill_alone
from tests.tools.preloaded import remem_process

SAVES = 24


def test_acknowledged_saves_survive_and_are_stored_once(data_dir: Path) -> None:
    shared = {"REMEM_DISTIL": "false"}
    servers = [start_server(data_dir, REMEM_WORKER="false", **shared) for _ in range(2)]
    settings = {"REMEM_DATA_DIR": str(data_dir), "REMEM_LOG_LEVEL": "error"}
    env = {**os.environ, **settings, **shared}
    workers = [remem_process("worker", env=env) for _ in range(2)]
    killed, surviving = (Saver(server) for server in servers)
    killed.kill_after = 10
    with ThreadPoolExecutor(4) as clients:
        futures = [clients.submit(killed.save, number) for number in range(SAVES)]
        futures += [clients.submit(surviving.save, number) for number in range(SAVES, 2 * SAVES)]
        assert killed.reached.wait(60)
        kill_alone(servers[0])
        workers[0].kill()
        for future in futures:
            future.result()
    try:
        assert len(surviving.acknowledged) == SAVES, "the other server answered every request"
        check(servers[1], killed.acknowledged | surviving.acknowledged)
    finally:
        stop_server(servers[1])
        for worker in workers:
            worker.terminate()
            worker.wait(timeout=60)
