"""Messages for why a feed could not be read. Pure."""

from remem.core.errors import RememError

_LATER = "it is tried again at the next collection"
_CHECK = "check the address, and subscribe to the right one"
_PROBLEMS = {
    "name_not_found": f"The name of its server was not found; {_CHECK}.",
    "connection_refused": f"Its server refused the connection; {_LATER}.",
    "connect_timeout": f"Its server did not accept a connection in time; {_LATER}.",
    "unreachable": f"Its server could not be reached; {_LATER}.",
    "connection_lost": f"Its server closed the connection too early; {_LATER}.",
    "broken_answer": f"Its server gave a broken answer; {_LATER}.",
    "fetch_timeout": f"Its server did not answer in full in time; {_LATER}.",
    "page_down": f"Its server cannot answer now; {_LATER}.",
    "tls_certificate": f"Its server has no valid certificate; {_CHECK}.",
    "tls_failed": "Its server does not speak TLS as it should; check the address.",
    "page_removed": f"There is no feed at this address any more; {_CHECK}.",
    "page_gone": f"There is no feed at this address any more; {_CHECK}.",
    "page_forbidden": "Its server does not show it to everyone; only public feeds are read.",
    "no_page": f"Its server gave no feed; {_CHECK}.",
    "too_many_redirects": f"The address redirects too often; {_CHECK}.",
    "page_too_large": "The feed is too large to be read; subscribe to a smaller one.",
}


def feed_problem(error: RememError) -> str:
    return _PROBLEMS.get(error.code, error.message)
