"""When the access has ended or the address is wrong: what was saved waits, and is sent later."""

from tests.conftest import Person, Server
from tests.extension import pages
from tests.extension.chrome import Chrome, click, evaluate, see
from tests.extension.sites import Sites
from tests.tools.waiting import until


def badge(chrome: Chrome) -> str:
    return evaluate(chrome.worker(), "chrome.action.getBadgeText({})")


def test_an_ended_access_says_sign_in_and_keeps_what_was_saved(
    chrome: Chrome, owner: Person, server: Server, sites: Sites
) -> None:
    chrome.sign_in(server, owner)
    for grant in owner.http.get("/v3/grants").json()["grants"]:
        owner.http.delete(f"/v3/grants/{grant['id']}")
    noticed = chrome.own_page("options.html")
    assert chrome.tell(noticed, type="check")["value"]["problem"]["code"] == "sign_in"
    noticed.open(noticed.url)
    see(noticed, "Your sign-in has ended.")
    chrome.close(noticed)
    url = sites.put("news.example/ended", pages.article("Endings"))
    page, _ = chrome.visit(url)
    popup = chrome.click_icon(url)
    see(popup, "Your sign-in has ended.")
    popup.wait("document.querySelector('#title')?.value")
    click(popup, "Save to Memory")
    see(popup, "1 waiting. It is sent when you are connected.")
    assert badge(chrome) == "!"
    chrome.close_popups()
    chrome.sign_in(server, owner)
    until(
        lambda: (
            "Endings"
            in [one["title"] for one in owner.http.get("/v3/documents").json()["documents"]]
        )
    )
    until(lambda: badge(chrome) == "")
    chrome.close(page)


def test_each_wrong_address_has_its_sentence(
    chrome: Chrome, owner: Person, server: Server, sites: Sites
) -> None:
    own = chrome.own_page("options.html")
    cases = {
        "http://127.0.0.1:9": "unreachable",
        "ftp://127.0.0.1": "bad_address",
        f"{server.url.rsplit(':', 1)[0]}:{sites.port}": "unreachable",
    }
    for address, code in cases.items():
        answer = chrome.tell(own, type="sign-in", base=address)
        assert answer["problem"]["code"] == code, answer
        assert len(answer["problem"]["text"]) > 20
    wrong = chrome.tell(own, type="sign-in", base=server.url, key="mc_wrong")
    assert wrong["problem"]["code"] == "bad_key"
    # None of them ended what works.
    assert chrome.tell(own, type="status")["value"]["signedIn"] is True
    chrome.close(own)
