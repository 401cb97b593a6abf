"""The fetcher of user URLs: what it fetches, what it refuses, and which addresses it connects to.

Tests connect only to loopback: a recorder replaces the network backend."""

import asyncio
import gzip
import ipaddress
import socket
import ssl
import sys
import time
import tracemalloc
import zlib
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import httpcore2
import pytest
from cryptography import x509
from hypothesis import given
from hypothesis import strategies as st

from remem.adapters.fetch.addresses import is_public
from remem.adapters.fetch.guarded import MAX_REDIRECTS, GuardedFetcher
from remem.core.errors import FetchFailed, Invalid, Unreadable
from tests.tools.certificates import self_signed
from tests.tools.site import Page, Site, drip, hang_up, in_turn, page, redirect, serving

pytestmark = pytest.mark.anyio

PUBLIC = "93.184.216.34"
OTHER_PUBLIC = "2606:2800:220:1::1"
METADATA = "169.254.169.254"
# Loading all certificate authorities is slow: once is enough.
TLS = ssl.create_default_context()


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


# --- only loopback may be connected to ---

connections: list[str] = []


def record_connection(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "socket.connect" and isinstance(arguments[1], tuple):
        connections.append(str(arguments[1][0]))


sys.addaudithook(record_connection)


@pytest.fixture(autouse=True)
def only_loopback() -> Iterator[None]:
    connections.clear()
    yield
    assert all(ipaddress.ip_address(address).is_loopback for address in connections), connections


class Recorder(httpcore2.AsyncNetworkBackend):
    """Records the requested addresses; then fails, or connects every call to one local port."""

    def __init__(self, local_port: int | None = None) -> None:
        self.calls: list[tuple[str, int]] = []
        self.broken: set[str] = set()
        self._local_port = local_port

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        self.calls.append((host, port))
        if self._local_port is None or host in self.broken:
            raise httpcore2.ConnectError("recorded, not dialled")
        return await httpcore2.AnyIOBackend().connect_tcp("127.0.0.1", self._local_port)


class FakeDns:
    """A name server in memory. Of a list of lists, each is one answer; the last one is repeated."""

    def __init__(self, **answers: Sequence[Any]) -> None:
        self.answers = {
            name.replace("_", "."): list(addresses) for name, addresses in answers.items()
        }
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> list[str]:
        self.asked.append(host)
        addresses = self.answers[host]
        if addresses and isinstance(addresses[0], list):
            return addresses.pop(0) if len(addresses) > 1 else addresses[0]
        return addresses


@pytest.fixture
def site() -> Iterator[Site]:
    with serving(Site()) as site:
        yield site


Make = Callable[..., GuardedFetcher]


@pytest.fixture
async def make() -> AsyncIterator[Make]:
    fetchers: list[GuardedFetcher] = []

    def make_fetcher(**options: Any) -> GuardedFetcher:
        fetchers.append(GuardedFetcher(**{"waits_s": (0.0, 0.0, 0.0), "tls": TLS, **options}))
        return fetchers[-1]

    yield make_fetcher
    for fetcher in fetchers:
        await fetcher.close()


@pytest.fixture
def local_fetcher(make: Make) -> GuardedFetcher:
    """A fetcher with a setting that allows this machine."""
    return make(allow_private=("127.0.0.0/8",))


# --- what is fetched ---


async def test_a_page_comes_with_its_bytes_type_and_name(
    site: Site, local_fetcher: GuardedFetcher
) -> None:
    body = "Сорок две книги".encode("windows-1251")
    site.pages["/a/books.html"] = page(body, Content_Type="text/html; charset=windows-1251")
    fetched = await local_fetcher.fetch(f"  {site.url}/a/books.html?all=1#top ")
    assert fetched.data == body
    assert fetched.media_type == "text/html; charset=windows-1251"
    assert fetched.name == "books.html"
    assert fetched.url == f"{site.url}/a/books.html?all=1"
    assert connections == ["127.0.0.1"]


async def test_requests_identify_remem_and_send_no_cookies_or_credentials(
    site: Site, local_fetcher: GuardedFetcher, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login somebody password secret")
    monkeypatch.setenv("NETRC", str(netrc))
    site.pages["/"] = page(Set_Cookie="visit=1")
    await local_fetcher.fetch(site.url)
    await local_fetcher.fetch(site.url)
    for headers in (request.headers for request in site.requests):
        assert headers["User-Agent"].startswith("remem/")
        assert "(+self-hosted; personal memory)" in headers["User-Agent"]
        assert headers["Host"] == f"127.0.0.1:{site.port}"
        assert not {"Cookie", "Authorization", "Referer"} & set(headers)


async def test_a_compressed_page_is_decompressed(site: Site, local_fetcher: GuardedFetcher) -> None:
    members = gzip.compress(b"first, ") + gzip.compress(b"second")
    site.pages["/"] = page(members, Content_Encoding="gzip")
    assert (await local_fetcher.fetch(site.url)).data == b"first, second"
    assert site.requests[0].headers["Accept-Encoding"] == "gzip"


async def test_a_compressed_file_stays_compressed(
    site: Site, local_fetcher: GuardedFetcher
) -> None:
    compressed = gzip.compress(b"kept")
    site.pages["/a.gz"] = page(compressed, Content_Type="application/gzip")
    assert (await local_fetcher.fetch(f"{site.url}/a.gz")).data == compressed


async def test_an_empty_page_is_empty(site: Site, local_fetcher: GuardedFetcher) -> None:
    site.pages["/"] = page(b"")
    fetched = await local_fetcher.fetch(site.url)
    assert (fetched.data, fetched.media_type, fetched.name) == (b"", None, None)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_redirects_are_followed(
    site: Site, local_fetcher: GuardedFetcher, status: int
) -> None:
    site.pages["/old"] = redirect("new", status)
    site.pages["/new"] = redirect(f"{site.url}/last#here", status)
    site.pages["/last"] = page(b"found")
    fetched = await local_fetcher.fetch(f"{site.url}/old")
    assert (fetched.data, fetched.url) == (b"found", f"{site.url}/last")


async def test_redirects_are_limited(site: Site, local_fetcher: GuardedFetcher) -> None:
    site.pages["/"] = redirect("/")
    with pytest.raises(Unreadable, match="more than 5 times"):
        await local_fetcher.fetch(site.url)
    assert len(site.requests) == MAX_REDIRECTS + 1


@pytest.mark.parametrize(
    ("path", "disposition", "name"),
    [
        ("/a/b.pdf", "", "b.pdf"),
        ("/a/r%C3%A9sum%C3%A9.pdf", "", "résumé.pdf"),
        ("/a/", "", None),
        ("/get", 'attachment; filename="year end.xlsx"', "year end.xlsx"),
        ("/get", "attachment; filename*=UTF-8''na%C3%AFve%20plan.txt", "naïve plan.txt"),
        ("/get", 'attachment; filename="../../etc/passwd"', "passwd"),
        ("/get", 'attachment; filename="C:\\\\temp\\\\x.doc"', "x.doc"),
        ("/x%2F..%2F..%2Fpasswd", "", "passwd"),
        ("/get", "attachment; filename*=no-such-charset''x", "x"),
        ("/get", 'inline; filename=".."', "get"),
        ("/" + "a" * 300, "", "a" * 200),
    ],
)
async def test_the_file_name_is_safe(
    site: Site, local_fetcher: GuardedFetcher, path: str, disposition: str, name: str | None
) -> None:
    site.pages[path] = page(**({"Content_Disposition": disposition} if disposition else {}))
    assert (await local_fetcher.fetch(site.url + path)).name == name


# --- refused before any request ---


INVALID_URLS = r"""
    example.org //example.org /etc/passwd http:// http:///x http:x file:///etc/passwd data:,x
    ftp://example.org/ gopher://example.org/ javascript:alert(1) unix:///run/x.sock ws://b.org
    http://name@example.org/ http://name:secret@example.org/ http://:secret@example.org/
    http://example.org:0/ http://example.org:65536/ http://example.org:x/ http://[::1
    http://example.org\@127.0.0.1/ http://example..org/ http://.example.org/
    http://%31%32%37.0.0.1/ http://example.org%00.evil.org/ http://[fe80::1%25eth0]/
    http://[::1%lo]/ http://[127.0.0.1]/
"""


@pytest.mark.parametrize(
    "url",
    [
        *INVALID_URLS.split(),
        *("", "http://exa mple.org/", "http://a\r\nHost: b/", f"http://{'long.' * 60}org/"),
    ],
)
async def test_an_invalid_url_is_refused(make: Make, url: str) -> None:
    names, recorder = FakeDns(), Recorder()
    with pytest.raises(Invalid) as caught:
        await make(resolve=names, dial=recorder).fetch(url)
    assert caught.value.field == "url"
    assert (names.asked, recorder.calls) == ([], [])


PRIVATE_ADDRESSES = """
    127.0.0.1 127.1.2.3 0.0.0.0 0.1.2.3 10.0.0.1 172.16.0.1 172.31.255.254 192.168.1.1 100.64.0.1
    100.127.255.254 169.254.169.254 100.100.100.200 168.63.129.16 192.0.0.192 192.0.2.1 192.88.99.1
    198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255
    :: ::1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:93.184.216.34 ::127.0.0.1 64:ff9b::7f00:1
    64:ff9b:1::a00:1 2002:7f00:1:: 2002:a9fe:a9fe::1 2001:0:4136:e378:8000:63bf:80ff:fffe fe80::1
    fec0::1 fc00::1 fd00:ec2::254 ff02::1 ff0e::1 100::1 2001:db8::1 2001:2::1 3fff::1 5f00::1
""".split()


@pytest.mark.parametrize("number", PRIVATE_ADDRESSES)
async def test_a_private_address_is_refused(make: Make, number: str) -> None:
    recorder = Recorder()
    host = f"[{number}]" if ":" in number else number
    with pytest.raises(Invalid, match="not on the public internet"):
        await make(dial=recorder).fetch(f"http://{host}:8080/latest/meta-data/")
    assert recorder.calls == []


@pytest.mark.parametrize(
    "host",
    """
    2130706433 0x7f000001 0X7F000001 017700000001 0177.0.0.1 127.1 0 0x7f.1 0x7f.0x0.0x0.0x1
    127.0.0.1. 127.0.1 127.0.0.1.1 00000127.0.0.1 0x 1.2.3.0x 2852039166 0xa9fea9fe 134744072
    256.0.0.1 1.2.3.4.5 0x7f000001. 169.254.43518 ①②⑦.⓪.⓪.① 127。0。0。1 １２７.0.0.1
    """.split(),
)
async def test_a_disguised_address_is_refused(make: Make, host: str) -> None:
    names, recorder = FakeDns(), Recorder()
    with pytest.raises(Invalid):
        await make(resolve=names, dial=recorder).fetch(f"http://{host}/")
    assert (names.asked, recorder.calls) == ([], [])


@given(st.ip_addresses(v=4))
def test_an_address_embedded_in_another_is_never_public(inner: ipaddress.IPv4Address) -> None:
    number = int(inner)
    for prefix, shift in (("::", 0), ("::ffff:0:0", 0), ("64:ff9b::", 0), ("2002::", 80)):
        outer = ipaddress.IPv6Address(int(ipaddress.IPv6Address(prefix)) | number << shift)
        assert not is_public(outer)


@given(st.one_of(st.ip_addresses(v=4), st.ip_addresses(v=6)))
def test_no_special_address_is_public(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    special = (
        *(address.is_private, address.is_loopback, address.is_link_local),
        *(address.is_multicast, address.is_reserved, address.is_unspecified),
    )
    assert not (is_public(address) and any(special))


@pytest.mark.parametrize("number", [PUBLIC, "8.8.8.8", "1.1.1.1", OTHER_PUBLIC, "2a00:1450::1"])
def test_public_addresses_are_public(number: str) -> None:
    assert is_public(ipaddress.ip_address(number))


# --- names and their addresses ---


@pytest.mark.parametrize("number", [*PRIVATE_ADDRESSES, "fe80::1%eth0", "not-an-address"])
async def test_a_name_with_a_private_address_is_refused(make: Make, number: str) -> None:
    recorder = Recorder()
    with pytest.raises(Invalid, match="not on the public internet") as caught:
        await make(resolve=FakeDns(inside_example=[number]), dial=recorder).fetch(
            "http://inside.example/"
        )
    assert recorder.calls == []
    assert number not in str(caught.value)


@pytest.mark.parametrize(
    "answers", [[PUBLIC, "10.0.0.1"], ["::1", PUBLIC], [PUBLIC] * 9 + ["0.0.0.0"]]
)
async def test_a_name_with_any_private_address_is_refused(make: Make, answers: list[str]) -> None:
    recorder = Recorder()
    with pytest.raises(Invalid):
        await make(resolve=FakeDns(mixed_example=answers), dial=recorder).fetch(
            "https://mixed.example/"
        )
    assert recorder.calls == []


async def test_the_checked_address_is_the_one_connected_to(make: Make, site: Site) -> None:
    site.pages["/"] = page(b"public")
    names, recorder = FakeDns(example_org=[OTHER_PUBLIC, PUBLIC]), Recorder(site.port)
    recorder.broken.add(OTHER_PUBLIC)
    fetched = await make(resolve=names, dial=recorder).fetch("http://Example.org.:8080/")
    assert (fetched.data, fetched.url) == (b"public", "http://example.org:8080/")
    assert names.asked == ["example.org"]
    assert recorder.calls == [(OTHER_PUBLIC, 8080), (PUBLIC, 8080)]
    assert site.requests[0].headers["Host"] == "example.org:8080"


async def test_dns_rebinding_is_refused(make: Make, site: Site) -> None:
    """DNS rebinding: public when it is checked, private at the next lookup."""
    site.pages["/"] = page(b"public")
    names = FakeDns(rebind_example=[[PUBLIC], ["127.0.0.1"]])
    recorder = Recorder(site.port)
    fetcher = make(resolve=names, dial=recorder)
    await fetcher.fetch("http://rebind.example/")
    assert (names.asked, recorder.calls) == (["rebind.example"], [(PUBLIC, 80)])
    with pytest.raises(Invalid):
        await fetcher.fetch("http://rebind.example/")
    assert recorder.calls == [(PUBLIC, 80)]


async def test_dns_rebinding_between_tries_is_refused(make: Make) -> None:
    recorder = Recorder()
    names = FakeDns(rebind_example=[[PUBLIC], [METADATA]])
    with pytest.raises(Invalid):
        await make(resolve=names, dial=recorder).fetch("http://rebind.example/")
    assert recorder.calls == [(PUBLIC, 80)]


async def test_dns_rebinding_at_a_redirect_is_refused(make: Make, site: Site) -> None:
    site.pages["/"] = redirect("http://rebind.example/again")
    recorder = Recorder(site.port)
    names = FakeDns(rebind_example=[[PUBLIC], [METADATA]])
    with pytest.raises(FetchFailed, match="redirects to where we do not go"):
        await make(resolve=names, dial=recorder).fetch("http://rebind.example/")
    assert recorder.calls == [(PUBLIC, 80)]


@pytest.mark.parametrize(
    "location",
    """
    http://127.0.0.1/ http://[::ffff:127.0.0.1]/ //169.254.169.254/latest/meta-data http://[::1
    http://inside.example/ http://2130706433/ file:///etc/passwd http://u:p@example.org/
    http://0x7f.1/ https://metadata.google.internal/
    """.split(),
)
async def test_a_redirect_to_a_private_address_is_refused(
    make: Make, site: Site, location: str
) -> None:
    site.pages["/"] = redirect(location)
    names = FakeDns(
        example_org=[PUBLIC], inside_example=["10.1.2.3"], metadata_google_internal=[METADATA]
    )
    recorder = Recorder(site.port)
    with pytest.raises(FetchFailed, match="redirects to where we do not go"):
        await make(resolve=names, dial=recorder).fetch("http://example.org/")
    assert recorder.calls == [(PUBLIC, 80)]


async def test_a_name_without_address_is_not_found(make: Make) -> None:
    async def resolve_nothing(host: str, port: int) -> list[str]:
        return []

    with pytest.raises(FetchFailed, match=r"nowhere\.example was not found"):
        await make(resolve=resolve_nothing, dial=Recorder()).fetch("http://nowhere.example/")


async def test_a_failure_of_the_system_resolver_is_reported(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    with pytest.raises(FetchFailed, match="was not found"):
        await make(dial=Recorder()).fetch("http://example.org/")


async def test_localhost_is_refused(make: Make, site: Site) -> None:
    """With the resolver of the system, which knows this name without a lookup."""
    recorder = Recorder()
    with pytest.raises(Invalid):
        await make(dial=recorder).fetch(f"http://localhost:{site.port}/")
    assert recorder.calls == []
    assert site.requests == []


# --- private hosts that the operator allows ---


@pytest.mark.parametrize("allowed", ["Localhost", "localhost.", "127.0.0.1", "127.0.0.0/8"])
async def test_a_private_host_can_be_allowed(make: Make, site: Site, allowed: str) -> None:
    site.pages["/"] = page(b"inside")
    names = FakeDns(localhost=["127.0.0.1"])
    fetcher = make(allow_private=(allowed,), resolve=names)
    assert (await fetcher.fetch(f"http://localhost:{site.port}/")).data == b"inside"


async def test_an_allowed_host_allows_no_other(make: Make) -> None:
    recorder = Recorder()
    names = FakeDns(wiki_example=["10.0.0.5"], other_example=["10.0.0.5"], sub_wiki_example=["::1"])
    fetcher = make(allow_private=("wiki.example", "192.168.7.0/24"), resolve=names, dial=recorder)
    for host in ("other.example", "sub.wiki.example", "192.168.8.1", "10.0.0.5", "[::1]"):
        with pytest.raises(Invalid):
            await fetcher.fetch(f"http://{host}/")
    assert recorder.calls == []
    with pytest.raises(FetchFailed):
        await fetcher.fetch("http://wiki.example/")
    assert set(recorder.calls) == {("10.0.0.5", 80)}


# --- limits ---


async def test_a_page_with_a_too_large_content_length_is_refused(site: Site, make: Make) -> None:
    site.pages["/"] = page(b"x", Content_Length="20000001")
    with pytest.raises(Unreadable, match="larger than 20 MB"):
        await make(allow_private=("127.0.0.1",)).fetch(site.url)


async def test_a_page_as_large_as_the_limit_is_accepted(site: Site, make: Make) -> None:
    site.pages["/"] = page(b"x" * 1_000)
    site.pages["/more"] = page(b"x" * 1_001)
    fetcher = make(allow_private=("127.0.0.1",), max_bytes=1_000)
    assert len((await fetcher.fetch(site.url)).data) == 1_000
    with pytest.raises(Unreadable):
        await fetcher.fetch(f"{site.url}/more")


# The header of a gzip file may contain an endless name, which unpacks to nothing.
ENDLESS_GZIP_NAME = b"\x1f\x8b\x08\x08\0\0\0\0\0\xff"


@pytest.mark.parametrize("first", [b"", ENDLESS_GZIP_NAME], ids=["plain", "packed"])
async def test_an_endless_page_is_refused(site: Site, make: Make, first: bytes) -> None:
    sent = 0

    def endless(request: BaseHTTPRequestHandler) -> None:
        nonlocal sent
        request.send_response(200)
        request.send_header("Transfer-Encoding", "chunked")
        request.send_header("Content-Encoding", "gzip" if first else "identity")
        request.end_headers()
        request.wfile.write(b"%x\r\n%b\r\n" % (len(first), first) if first else b"")
        while not site.closing.is_set():
            request.wfile.write(b"8000\r\n" + b"x" * 0x8000 + b"\r\n")
            sent += 0x8000

    site.pages["/"] = endless
    with pytest.raises(Unreadable, match="larger than 1 MB"):
        await make(allow_private=("127.0.0.1",), max_bytes=1_000_000).fetch(site.url)
    assert sent < 20_000_000


@pytest.mark.parametrize("first", [b"", b"HTTP/1.1 200 OK\r\nX-", b"HTTP/1.1 200 OK\r\n\r\nhalf"])
async def test_a_page_that_takes_too_long_times_out(site: Site, make: Make, first: bytes) -> None:
    site.pages["/"] = drip(site, first)
    started = time.monotonic()
    with pytest.raises(FetchFailed, match=r"within 0\.3 s"):
        await make(allow_private=("127.0.0.1",), timeout_s=0.3).fetch(site.url)
    assert time.monotonic() - started < 60


async def test_redirects_and_retries_share_one_timeout(site: Site, make: Make) -> None:
    site.pages["/"] = page(b"", 503)
    fetcher = make(allow_private=("127.0.0.1",), timeout_s=0.3, waits_s=(600.0,))
    with pytest.raises(FetchFailed, match=r"within 0\.3 s"):
        await fetcher.fetch(site.url)


async def test_a_gzip_bomb_is_refused(site: Site, local_fetcher: GuardedFetcher) -> None:
    packer = zlib.compressobj(9, wbits=31)
    bomb = b"".join(packer.compress(bytes(1_000_000)) for _ in range(100)) + packer.flush()
    assert len(bomb) < 120_000
    site.pages["/"] = page(bomb, Content_Encoding="gzip")
    tracemalloc.start()
    with pytest.raises(Unreadable, match="larger than 20 MB"):
        await local_fetcher.fetch(site.url)
    assert tracemalloc.get_traced_memory()[1] < 80_000_000
    tracemalloc.stop()


@pytest.mark.parametrize(
    ("body", "packing"),
    [
        (b"not packed at all", "gzip"),
        (gzip.compress(b"fine") + b"but then this", "gzip"),
        (gzip.compress(b"") * 2_000, "gzip"),
        (b"x", "br"),
        (gzip.compress(gzip.compress(b"twice")), "gzip, gzip"),
    ],
    ids="plain trailing members brotli twice".split(),
)
async def test_a_page_that_cannot_be_decompressed_is_refused(
    site: Site, local_fetcher: GuardedFetcher, body: bytes, packing: str
) -> None:
    site.pages["/"] = page(body, Content_Encoding=packing)
    with pytest.raises(Unreadable, match="packed"):
        await local_fetcher.fetch(site.url)
    assert len(site.requests) == 1


# --- failures and retries ---


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 418, 451, 204, 300, 304])
async def test_an_unusable_status_is_not_retried(
    site: Site, local_fetcher: GuardedFetcher, status: int
) -> None:
    site.pages["/"] = page(b"", status)
    with pytest.raises(Unreadable, match=str(status)):
        await local_fetcher.fetch(site.url)
    assert len(site.requests) == 1


@pytest.mark.parametrize("failure", [page(b"", 500), page(b"", 503), page(b"", 429), hang_up])
async def test_a_temporary_failure_is_retried(
    site: Site, local_fetcher: GuardedFetcher, failure: Page
) -> None:
    site.pages["/"] = in_turn(failure, failure, failure, page(b"at last"))
    assert (await local_fetcher.fetch(site.url)).data == b"at last"
    assert len(site.requests) == 4


@pytest.mark.parametrize(
    "failure",
    [
        page(b"", 502),
        page(b"", 408),
        hang_up,
        page(b"half", Content_Length="10"),
        page(gzip.compress(b"half of it" * 9)[:-9], Content_Encoding="gzip"),
        lambda request: request.wfile.write(b"SSH-2.0-OpenSSH\r\n\r\n"),
    ],
)
async def test_a_lasting_failure_is_reported(
    site: Site, local_fetcher: GuardedFetcher, failure: Page
) -> None:
    site.pages["/"] = failure
    with pytest.raises(FetchFailed, match="save it again later"):
        await local_fetcher.fetch(site.url)
    assert len(site.requests) == 4


async def test_waits_between_retries(
    site: Site, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits_s: list[float] = []
    sleep = asyncio.sleep

    async def record(seconds: float) -> None:
        waits_s.append(seconds)
        await sleep(0)

    monkeypatch.setattr("remem.adapters.fetch.guarded.asyncio.sleep", record)
    site.pages["/"] = page(b"", 500)
    with pytest.raises(FetchFailed, match="status 500"):
        await GuardedFetcher(allow_private=("127.0.0.1",)).fetch(site.url)
    assert [seconds for seconds in waits_s if seconds] == [1.0, 2.0]
    assert len(site.requests) == 4


async def test_a_refused_connection_is_reported(local_fetcher: GuardedFetcher) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        with pytest.raises(FetchFailed, match="refused the connection"):
            await local_fetcher.fetch(f"http://127.0.0.1:{free.getsockname()[1]}/")


async def test_every_failure_has_its_own_code_and_advice(
    site: Site, make: Make, local_fetcher: GuardedFetcher
) -> None:
    """People read the sentence, programs the code; both are unique for each reason."""
    for path, status in (("/gone", 404), ("/shut", 403), ("/down", 503), ("/odd", 418)):
        site.pages[path] = page(b"", status)
    site.pages["/loop"] = redirect("/loop")
    site.pages["/inside"] = redirect("http://10.0.0.1/")
    site.pages["/large"] = page(Content_Length="30000000")
    site.pages["/cut"] = hang_up
    site.pages["/slow"] = drip(site, b"HTTP/1.1 200 OK\r\n\r\n")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        refused_url = f"http://127.0.0.1:{free.getsockname()[1]}/"
        quick = make(allow_private=("127.0.0.1",), timeout_s=0.3)
        without_dns = make(resolve=FakeDns(nowhere_example=[]))
        paths = ("gone", "shut", "down", "odd", "loop", "inside", "large", "cut")
        requests = [
            *((local_fetcher, f"{site.url}/{path}") for path in paths),
            *(
                (quick, f"{site.url}/slow"),
                (local_fetcher, refused_url),
                (without_dns, "http://nowhere.example/"),
            ),
            (local_fetcher, f"https://127.0.0.1:{site.port}/"),
        ]
        failures = [await failure_of(fetcher, url) for fetcher, url in requests]
    assert [failure.code for failure in failures] == [
        *("page_gone", "page_forbidden", "page_down", "no_page", "too_many_redirects"),
        *("private_address", "page_too_large", "broken_answer"),
        *("fetch_timeout", "connection_refused", "name_not_found", "tls_failed"),
    ]
    assert len({failure.message for failure in failures}) == len(failures)
    advice = ("save", "check", "open", "allow")
    assert all(any(word in failure.message for word in advice) for failure in failures)


async def failure_of(fetcher: GuardedFetcher, url: str) -> Unreadable:
    with pytest.raises(Unreadable) as caught:
        await fetcher.fetch(url)
    return caught.value


# --- TLS ---


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    generated = self_signed("example.org", [x509.DNSName("example.org")])
    path = tmp_path_factory.mktemp("tls") / "site.pem"
    path.write_bytes(generated.private_key + generated.certificate)
    return path


@pytest.fixture
def sni_names() -> list[str | None]:
    return []


@pytest.fixture
def secure_site(certificate: Path, sni_names: list[str | None]) -> Iterator[Site]:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate)
    tls.sni_callback = lambda _, name, __: sni_names.append(name)
    site = Site()
    site.pages["/"] = page(b"secure")
    with serving(site, tls):
        yield site


async def test_tls_uses_the_name_while_the_checked_address_is_connected_to(
    make: Make, secure_site: Site, certificate: Path, sni_names: list[str | None]
) -> None:
    names, recorder = FakeDns(example_org=[PUBLIC]), Recorder(secure_site.port)
    trusting = ssl.create_default_context(cafile=str(certificate))
    fetcher = make(resolve=names, dial=recorder, tls=trusting)
    assert (await fetcher.fetch("https://example.org/")).data == b"secure"
    assert recorder.calls == [(PUBLIC, 443)]
    assert sni_names == ["example.org"]
    assert secure_site.requests[0].headers["Host"] == "example.org"


async def test_an_untrusted_or_wrong_certificate_is_refused(
    make: Make, secure_site: Site, certificate: Path
) -> None:
    names = FakeDns(example_org=[PUBLIC], example_com=[PUBLIC])
    trusting = ssl.create_default_context(cafile=str(certificate))
    for host, tls in (("example.com", trusting), ("example.org", None)):
        fetcher = make(resolve=names, dial=Recorder(secure_site.port), tls=tls)
        with pytest.raises(Unreadable, match="no valid certificate"):
            await fetcher.fetch(f"https://{host}/")
    assert secure_site.requests == []
