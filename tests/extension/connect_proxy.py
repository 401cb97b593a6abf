"""A proxy for a browser that cannot map host names to a port: it connects the hosts of the tests to
their sites."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from socketserver import StreamRequestHandler, ThreadingTCPServer

from tests.extension.sites import HOSTS, Sites
from tests.tools.forwarder import join


class ConnectProxy(ThreadingTCPServer):
    """Refuses every other host and records it."""

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
        request_line = self.rfile.readline().decode("latin-1").split()
        if not request_line:
            # A connection that the browser opened in advance and never used.
            return
        method, target, *_ = request_line
        while self.rfile.readline().strip():
            pass
        if method != "CONNECT" or target.split(":")[0] not in HOSTS:
            self.server.refused.append(target)
            self.wfile.write(b"HTTP/1.1 502 Bad Gateway\r\n\r\n")
            return
        self.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
        with socket.create_connection(("127.0.0.1", self.server.sites.port)) as site:
            join(self.connection, site)


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
