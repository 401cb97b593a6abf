"""When the access has ended or the address is wrong, saves wait in the queue and are sent later."""

from tests.conftest import Person, Server
from tests.extension import pages
from tests.extension.chrome import Chrome, click, evaluate, see
from tests.extension.sites import Sites
from tests.tools.waiting import until


def badge(chrome: Chrome) -> str:
    return evaluate(chrome.worker(), "chrome.action.getBadgeText({})")


def test_an_ended_access_asks_to_sign_in_and_keeps_saves(
    chrome: Chrome, owner: Person, server: Server, sites: Sites
) -> None:
    chrome.sign_in(server, owner)
    for grant in owner.http.get("/v3/grants").json()["grants"]:
        owner.http.delete(f"/v3/grants/{grant['id']}")
    options = chrome.own_page("options.html")
    assert chrome.send_message(options, type="check")["value"]["problem"]["code"] == "sign_in"
    options.open(options.url)
    see(options, "Your sign-in has ended.")
    chrome.close(options)
    url = sites.put("news.example/ended", pages.article("Endings"))
    page, _ = chrome.visit(url)
    popup = chrome.click_icon(url)
    see(popup, "Your sign-in has ended.")
    popup.wait("document.querySelector('#title')?.value")
    click(popup, "Save to Memory")
    see(popup, "Waiting: 1. Sent when you are connected again.")
    assert badge(chrome) == "!"
    chrome.close_popups()
    chrome.sign_in(server, owner)
    until(
        lambda: (
            "Endings"
            in [item["title"] for item in owner.http.get("/v3/documents").json()["documents"]]
        )
    )
    until(lambda: badge(chrome) == "")
    chrome.close(page)


def test_each_wrong_address_has_its_own_message(
    chrome: Chrome, owner: Person, server: Server, sites: Sites
) -> None:
    options = chrome.own_page("options.html")
    cases = {
        "http://127.0.0.1:9": "unreachable",
        "ftp://127.0.0.1": "bad_address",
        f"{server.url.rsplit(':', 1)[0]}:{sites.port}": "unreachable",
    }
    for address, code in cases.items():
        answer = chrome.send_message(options, type="sign-in", base=address)
        assert answer["problem"]["code"] == code, answer
        assert len(answer["problem"]["text"]) > 20
    wrong = chrome.send_message(options, type="sign-in", base=server.url, key="mc_wrong")
    assert wrong["problem"]["code"] == "bad_key"
    # None of the failed attempts ended the working sign-in.
    assert chrome.send_message(options, type="status")["value"]["signedIn"] is True
    chrome.close(options)
