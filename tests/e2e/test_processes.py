"""Two servers and two workers on one database, of which one each is killed under load."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.conftest import start_server, stop_server
from tests.e2e.test_kill import Saving, check, kill_alone
from tests.tools.preloaded import remem_process

SAVES = 24


def test_what_the_others_acknowledge_is_there_once_and_found(data_dir: Path) -> None:
    alike = {"REMEM_DISTIL": "false"}
    servers = [start_server(data_dir, REMEM_WORKER="false", **alike) for _ in range(2)]
    own = {"REMEM_DATA_DIR": str(data_dir), "REMEM_LOG_LEVEL": "error"}
    env = {**os.environ, **own, **alike}
    workers = [remem_process("worker", env=env) for _ in range(2)]
    doomed, lasting = (Saving(server) for server in servers)
    doomed.kill_after = 10
    with ThreadPoolExecutor(4) as clients:
        work = [clients.submit(doomed.save, number) for number in range(SAVES)]
        work += [clients.submit(lasting.save, number) for number in range(SAVES, 2 * SAVES)]
        assert doomed.enough.wait(60)
        kill_alone(servers[0])
        workers[0].kill()
        for one in work:
            one.result()
    try:
        assert len(lasting.acknowledged) == SAVES, "the other server answered every request"
        check(servers[1], doomed.acknowledged | lasting.acknowledged)
    finally:
        stop_server(servers[1])
        for worker in workers:
            worker.terminate()
            worker.wait(timeout=60)
