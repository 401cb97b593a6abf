"""What reaches a person every day: the month, the morning page, calendars to subscribe to."""

from datetime import UTC, datetime, timedelta

import httpx2

from tests.conftest import READABLE_HOST, Person
from tests.tools.push_server import push_server
from tests.tools.waiting import until
from tests.web.app import CONTRAST, App

DENTIST = "Dentist, second floor."


def due_today(person: Person) -> None:
    noon = datetime.now(UTC).replace(hour=12, minute=0, second=0, microsecond=0)
    person.post("/api/memories", {"content": DENTIST, "dueAt": noon.isoformat()})
    far = (noon + timedelta(days=400)).isoformat()
    person.post("/api/memories", {"content": "Renew the passport.", "dueAt": far})


def check_on_every_screen(app: App) -> None:
    app.check_accessible()
    app.set_dark(True)
    app.check_accessible(CONTRAST)
    app.set_dark(False)


def test_a_month_shows_what_is_due_and_a_day_in_full(app: App, signed_in: Person) -> None:
    due_today(signed_in)
    app.go("/timeline?view=month")
    today = "document.querySelector('td button[aria-label*=\"1 due\"]')"
    app.wait(f"{today}?.innerText.includes('{DENTIST}')")
    assert app.evaluate("document.querySelectorAll('tbody td').length") in (28, 35, 42)
    check_on_every_screen(app)
    app.resize(390, 844)
    assert app.evaluate("document.documentElement.scrollWidth") <= 390
    app.page.run(f"{today}.click()")
    app.wait(f"document.querySelector('section li')?.innerText.includes('{DENTIST}')")
    app.resize(1280, 860)
    app.click("Next month")
    app.wait(f"!{today}")
    app.click("This month")
    app.wait(today)


def test_the_morning_page(app: App, signed_in: Person) -> None:
    app.go("/today")
    app.see("A quiet day")
    due_today(signed_in)
    signed_in.post("/v3/memory", {"content": "# Timetable\n\nThe ferry leaves at nine."})
    app.go("/today")
    app.see(DENTIST)
    app.see("Saved since yesterday")
    assert "Renew the passport." not in app.page.text
    check_on_every_screen(app)
    app.click(f"Done: {DENTIST}")
    app.wait("!document.querySelector('main section[aria-label^=\"Due today\"]')")


def test_a_calendar_is_made_read_and_revoked(app: App, signed_in: Person) -> None:
    due_today(signed_in)
    app.go("/settings/reminders")
    app.click("Make an address")
    app.see("/calendar/")
    url = app.evaluate("document.querySelector('main pre').innerText")
    assert DENTIST.replace(",", "\\,") in httpx2.get(url).text
    check_on_every_screen(app)
    app.click("Revoke remem")
    app.click("Revoke", "dialog button")
    app.see("No calendar program reads from here.")
    until(lambda: httpx2.get(url).status_code == 404)


def test_the_morning_page_is_sent_tried_and_switched_off(app: App, signed_in: Person) -> None:
    due_today(signed_in)
    with push_server(READABLE_HOST) as push:
        app.go("/settings/reminders")
        app.see("It is sent nowhere.")
        app.click("Send it to me")
        app.see("Who knows its name can read it.")
        app.check_accessible()
        app.fill("Topic", f"{push.url}/my-mornings")
        app.click("Switch on", "dialog button")
        app.see("07:00 · ")
        app.click("Send a test")
        app.see("Test: Sent")
        [message] = push.published
        assert DENTIST in message["message"]
        check_on_every_screen(app)
        app.click("Close", "dialog button")
        push.statuses = [503]
        app.click("Send a test")
        app.see("Test: Not sent yet")
        app.see(f"{READABLE_HOST} refused it (status 503: not now).")
        app.see("next try")
    app.resize(390, 844)
    assert app.evaluate("document.documentElement.scrollWidth") <= 390
    app.resize(1280, 860)
    app.click("Close", "dialog button")
    [delivery] = signed_in.http.get("/v3/deliveries").json()["deliveries"]
    app.click(f"Send to {delivery['address']}", "input")
    until(lambda: not signed_in.http.get("/v3/deliveries").json()["deliveries"][0]["is_on"])
    app.click(f"Delete {delivery['address']}")
    app.click("Delete", "dialog button")
    app.see("It is sent nowhere.")
