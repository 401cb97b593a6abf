"""Which days of a statement are due, however they are written; what only looks like one is not."""

from datetime import UTC, datetime

import pytest

from remem.core.language.times.heading import heading_day
from remem.core.language.times.spelling import correct
from remem.core.language.times.statements import times_in
from remem.core.memories.rules.dates import certain_times, due_of

# A Monday.
SAID = datetime(2026, 11, 16, 15, tzinfo=UTC)
DUE = [
    ("renew the museum pass befor 31 january", "2027-01-30"),
    ("Renew the museum pass before 31 January", "2027-01-30"),
    ("Boiler: next inspection 17 March 2027", "2027-03-17"),
    ("next inspection 17 March 2027", "2027-03-17"),
    ("The car insurance premium of 412 euros is due on 1 February", "2027-02-01"),
    ("premium 412 EUR, due on 1 February", "2027-02-01"),
    ("present Heron to the board on 3 December", "2026-12-03"),
    ("Present the Heron results on 3 December", "2026-12-03"),
    ("I present Heron to the steering group on 3 December", "2026-12-03"),
    ("Me: delete the flaky login test by Friday", "2026-11-20"),
    ("Next dentist check 12 May 2027", "2027-05-12"),
    ("MOT expires 4 April 2027", "2027-04-04"),
    ("Passport expires on 9 July 2027", "2027-07-09"),
    ("Library books due back 28 November", "2026-11-28"),
    ("Tax return: submit untill 31 January", "2027-01-31"),
    ("Submit the tax return until 31 January", "2027-01-31"),
    ("submit report till Fri", "2026-11-20"),
    ("Pay rent by 1 Dec", "2026-12-01"),
    ("pay the deposit latest 5 December", "2026-12-05"),
    ("pay the deposit at the latest on 5 December", "2026-12-05"),
    ("Next service: 30 June 2027", "2027-06-30"),
    ("Vet follow-up 3 February 2027", "2027-02-03"),
    ("Follow-up with the physio on 2 December", "2026-12-02"),
    ("Give the talk on 10 December", "2026-12-10"),
    ("Hand in the thesis draft on 15 December", "2026-12-15"),
    ("I have to present the budget on 3 December.", "2026-12-03"),
    ("We present Heron to the client on 3 December.", "2026-12-03"),
    ("Car service due 14 January 2027", "2027-01-14"),
    ("Membership renewal 1 March 2027", "2027-03-01"),
    ("The lease ends 30 June 2027; give notice by 31 March 2027", "2027-03-31"),
    ("Call Anna tommorow", "2026-11-17"),
    ("Call Anna tomorow morning", "2026-11-17"),
    ("Send the invoice by firday", "2026-11-20"),
    ("Return the router by 25 Novemeber", "2026-11-25"),
    ("The dentist moved again, to Tuesday 24 November at 14:15", "2026-11-24"),
    ("Dentist appointment Tuesday 24 November at 14:15", "2026-11-24"),
    ("next appointment at the dentist: 20 Nov 10:00", "2026-11-20"),
    ("I fly to Oslo on 18 December and back on 22 December.", "2026-12-18"),
    ("Invoice 2231 is payable by 30 November", "2026-11-30"),
    ("the second instalment falls due on 15 January", "2027-01-15"),
    ("Apply for the visa no later than 20 December", "2026-12-20"),
    ("Heron demo to the board: 3 December", "2026-12-03"),
    ("Renewal date 17 March 2027", "2027-03-17"),
    ("Deadline for the grant: 1 Feb", "2027-02-01"),
    ("Exam on 12 January", "2027-01-12"),
    ("Warranty runs out on 3 May 2027", "2027-05-03"),
    ("Review the contract in two weeks", "2026-11-30"),
    ("Pick up the parcel on Thursday", "2026-11-19"),
    ("remeber to renew the museum pass befor 31 january, costs 64 eur now", "2027-01-30"),
    (
        "Car: Skoda Octavia, plate 1-XKD-447, next inspection 17 March 2027, tyres are stored.",
        "2027-03-17",
    ),
    ("She wants me to present Heron at the Utrecht meetup on 3 December.", "2026-12-03"),
    ("The premium of 412 euros is due on 1 February.", "2027-02-01"),
    ("- Me: delete the flaky login test by Friday", "2026-11-20"),
    ("Next vaccination due June 2027.", "2027-06-30"),
    (
        "Flight to Oslo on 18 December 2026, leaves at 10:35, back on 22 December.",
        "2026-12-18",
    ),
    ("My passport expires on 8 February 2029, number is in the blue folder.", "2029-02-08"),
    ("Next eye test 4 May 2027", "2027-05-04"),
    ("House insurance: renew bfore 12 Jaunary", "2027-01-11"),
    ("I'm giving the keynote on 3 December", "2026-12-03"),
    ("We're meeting the architect on Thursday", "2026-11-19"),
    ("My driving test is on 8 January", "2027-01-08"),
    ("Smear test booked for 14 December", "2026-12-14"),
    ("Theory exam booked for 14 December at 9:30", "2026-12-14"),
    ("The plumber comes on Thursday", "2026-11-19"),
    ("The plumber is coming on Thursday at 9", "2026-11-19"),
    ("Tomasz and I present the roadmap on 3 December", "2026-12-03"),
    ("The vet pushed the appointment to 4 December", "2026-12-04"),
    ("The hairdresser rescheduled me to 28 November", "2026-11-28"),
    ("hand the keys back by 30 Novmber", "2026-11-30"),
    ("Please send me the slides by Thursday", "2026-11-19"),
    ("Bring the car in for new tyres on 1 December", "2026-12-01"),
    ("school fees payable 15 January 2027", "2027-01-15"),
    ("Booster jab: 12 January 2027", "2027-01-12"),
    ("Last day to enrol is 30 November", "2026-11-30"),
    ("Early bird ends 30 November, register before", "2026-11-30"),
    ("RSVP by 1 December", "2026-12-01"),
]
NOT_DUE = [
    "The last inspection was on 17 March 2025.",
    "Last inspection 17 March 2026",
    "Anna's birthday is on 3 December.",
    "My sister Mia turns 40 on 3 December",
    "Tom presents Heron on 3 December.",
    "She presents the results on 3 December.",
    'He said "I will pay by 1 February".',
    'The sign read "pay by 1 February 2027".',
    "There is no need to renew the pass before 31 January.",
    "You don't have to renew it by 31 January.",
    "The premium is not due on 1 February.",
    "I did not have to submit anything by Friday.",
    "I paid the premium on 1 February.",
    "We presented Heron on 3 December 2025.",
    "The inspection took place on 17 March.",
    "The bridge was opened on 3 December 2026.",
    "Christmas is on 25 December.",
    "The concert was moved to 3 December last year.",
    "The museum is closed on 3 December.",
    "Bob's passport expires on 9 July 2027.",
    "The shop opens on 3 December.",
    "The previous appointment was on 20 November 2025.",
    "The deadline of 1 February was cancelled.",
    "The dentist appointment on 20 November is cancelled.",
    "The meeting on 3 December was called off.",
    "I no longer need to pay by 1 December.",
    "Elections are held on 3 December.",
    "They have until Friday to answer.",
    "The report covers the time until 31 January 2027.",
    "The offer is valid until 31 January 2027.",
    "The present was delivered on 3 December 2025",
    "Heron was presented to the board on 3 December",
    "The law takes effect on 1 February 2027.",
    "Grandpa was born on 17 March 1927.",
    "Our wedding anniversary is on 3 December.",
    "I was due to present on 3 December, but Tom did it.",
    "If it rains we go on Friday.",
    "The boiler was serviced on 7 November 2026 by Van Hove, 145 euro.",
    "Sanne starts on 4 January 2027 as junior developer in our team.",
    "Go-live planned for 15 September 2026.",
    "Mum's birthday is 21 May, she turns 70 in 2027.",
    "My salary goes up by 4 % from 1 January 2027",
    "The film comes out on 3 December.",
    "Ania presents her thesis on 3 December.",
    "Lena's flight leaves on 3 December.",
    "Service on 7 November 2025 by Van Hove",
    "Reviewed the contract on 3 November",
    "Check-up went well on 3 November",
    "My appointment was on 20 November 2025",
    '"Return by 3 December" was printed on the book',
    "The contract mentions 1 February 2027.",
    "Don't pay the invoice before 1 December.",
    "The exam on 12 January was cancelled.",
    "The 12 January exam has been called off.",
    "Ben had to hand in his thesis by 1 December.",
    "It was due on 1 November.",
    "On 3 December 1998 the bridge opened.",
    "The tax year ends on 31 December.",
    "Tom's exam is on 12 January.",
    "Our neighbours are moving on 1 December.",
    "I used to have piano lessons on Friday.",
    "Paid the deposit on 5 November",
    "Call with Anna on 3 November went fine",
    "The train on Friday was late",
    "She should see a dentist before Christmas",
]


def due(text: str, said_at: datetime = SAID) -> datetime | None:
    return due_of(text, certain_times(text, said_at), said_at)


@pytest.mark.parametrize(("text", "day"), DUE)
def test_what_is_to_be_done_has_its_day(text: str, day: str) -> None:
    found = due(text)
    assert found and found.date().isoformat() == day


@pytest.mark.parametrize("text", NOT_DUE)
def test_what_only_looks_like_it_has_none(text: str) -> None:
    assert due(text) is None


@pytest.mark.parametrize(
    "text",
    ["Blood test 22 Sept: vitamin D low", "Dentist appointment 3 October: two fillings",
     "Check-up 3 October: all fine"],
)  # fmt: skip
def test_a_note_of_what_was_lately_is_not_due_next_year(text: str) -> None:
    assert due(text) is None


def test_a_slip_is_read_and_the_text_stays_as_it_is_written() -> None:
    text = "Pay befor 31 janaury, then rest"
    [time] = times_in(text, SAID)
    assert (text[time.start : time.end], time.words) == ("befor 31 janaury", "31 janaury")
    assert correct("Frida and Augusto met Marc before noon").text.endswith("before noon")


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Heron retro, 6 Oct 2026\n\n- Me: delete the test by Friday", "2026-10-06"),
        ("# Minutes of 6 October 2026\nCall Tom by Friday", "2026-10-06"),
        ("1:1 with Priya 9 Nov 2026. She wants me to call Tom by Friday.", "2026-11-09"),
        ("Standup 2026-10-06\nCall Tom by Friday", "2026-10-06"),
        ("Meeting notes (6 October 2026)\nCall Tom by Friday", "2026-10-06"),
        ("Trip to Oslo, 18 December 2026\nBook it by Friday", None),
        ("I paid the rent on 6 October 2026. Call Tom by Friday.", None),
        ("The lease is from 1 May 2026. Call Tom by Friday.", None),
        ("Call Tom by Friday.", None),
    ],
)
def test_a_note_is_of_the_day_in_its_heading(text: str, day: str | None) -> None:
    found = heading_day(text, SAID)
    assert (found and found.date().isoformat()) == day
