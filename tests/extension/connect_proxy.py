"""A proxy for a browser that cannot map names to a port: names of the tests lead to their sites."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from socketserver import StreamRequestHandler, ThreadingTCPServer

from tests.extension.sites import HOSTS, Sites
from tests.tools.forwarder import join


class ConnectProxy(ThreadingTCPServer):
    """Every other name is refused, and noted."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, sites: Sites) -> None:
        self.sites, self.refused = sites, list[str]()
        super().__init__(("127.0.0.1", 0), _Handler)

    @property
    def port(self) -> int:
        return self.server_address[1]


class _Handler(StreamRequestHandler):
    server: ConnectProxy

    def handle(self) -> None:
        asked = self.rfile.readline().decode("latin-1").split()
        if not asked:
            # Opened ahead of a request that never came: nobody was asked for.
            return
        method, target, *_ = asked
        while self.rfile.readline().strip():
            pass
        if method != "CONNECT" or target.split(":")[0] not in HOSTS:
            self.server.refused.append(target)
            self.wfile.write(b"HTTP/1.1 502 Bad Gateway\r\n\r\n")
            return
        self.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
        with socket.create_connection(("127.0.0.1", self.server.sites.port)) as other:
            join(self.connection, other)


@contextmanager
def serve_proxy(sites: Sites) -> Iterator[ConnectProxy]:
    proxy = ConnectProxy(sites)
    thread = threading.Thread(target=proxy.serve_forever, daemon=True)
    thread.start()
    try:
        yield proxy
    finally:
        proxy.shutdown()
        proxy.server_close()
