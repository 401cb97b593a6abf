# ruff: noqa: E501
"""Sentences labelled by hand with the entities they mention."""

from typing import NamedTuple


class Sentence(NamedTuple):
    text: str
    things: frozenset[tuple[str, str]]


_TYPES = {
    "P": "person", "O": "organization", "L": "place", "T": "technology", "S": "system",
    "F": "file", "A": "api", "E": "event", "C": "concept",
}  # fmt: skip


def _sentences(text: str) -> list[Sentence]:
    sentences = []
    for line in filter(None, (line.strip() for line in text.splitlines())):
        sentence, _, mentions = line.partition(" | ")
        pairs = [
            mention.strip().split(":", 1) for mention in mentions.split(";") if mention.strip()
        ]
        things = frozenset((_TYPES[kind], name) for kind, name in pairs)
        sentences.append(Sentence(sentence.strip().replace("\\n", "\n"), things))
    return sentences


# sentence | letter of the type:name; …
SENTENCES = _sentences(r"""
Dr. Ada Lovelace wrote the first program with Charles Babbage. | P:Ada Lovelace; P:Charles Babbage
The team uses Postgres 18 and Redis on Kubernetes. | T:PostgreSQL; T:Redis; T:Kubernetes
On Monday we met Grace Hopper in Oslo. | P:Grace Hopper; L:Oslo
User prefers dark mode in VS Code. | T:VS Code
Deploys go to api.example.org, see https://docs.example.org/setup for details. | S:api.example.org; S:docs.example.org
The function parse_invoice() in src/billing/invoice.py fails on empty rows. | A:parse_invoice; F:src/billing/invoice.py
Call Ada tomorrow about the Kestrel launch. | P:Ada; C:Kestrel
Marisol lives in Porto and works for Zephyr Analytics. | P:Marisol; L:Porto; O:Zephyr Analytics
# Meeting Notes For The Platform Team |
How We Built The Payment Pipeline |
Der Hund und die Katze sind im Haus von Peter. | P:Peter
PyCon starts in May; the Berlin Buzzwords Conference is in June. | E:PyCon; E:Berlin Buzzwords Conference
My wife Zainab is allergic to peanuts. | P:Zainab
We moved to Ljungby last Friday. | L:Ljungby
Node.js and Next.js are used, and C++ is not. | T:Node.js; T:Next.js; T:C++
Go to the store before nine. |
We rewrote the scheduler in Go. | T:Go
POST /v1/documents answers 202 from billing-service. | A:/v1/documents; S:billing-service
Tom's dentist is Dr. Smith. | P:Tom; P:Smith
The University of Oslo showed paintings by Vincent van Gogh. | O:University of Oslo; P:Vincent van Gogh
The cat dozes on the sofa all afternoon. |
Income tax returns are due at the end of May. |
I speak English and a little German. |
Payroll closes on Friday. |
Everyone likes the new coffee machine. |
She moved from Boston to San Francisco in 2021. | L:Boston; L:San Francisco
Emma Stone is a citizen of Canada. | P:Emma Stone; L:Canada
The backup runs at 03:00 UTC every Sunday. |
Set REMEM_DATABASE_URL before the worker starts. | A:REMEM_DATABASE_URL
Our CEO met Tim Cook at Apple in California. | P:Tim Cook; O:Apple; L:California
We host the frontend on Vercel and the API on Fly.io. | T:Vercel; T:Fly.io
The Golden Gate Bridge was closed on Tuesday. | L:Golden Gate Bridge
Lunch with Sarah and her brother Oskar on 3 March. | P:Sarah; P:Oskar
Please review PR 42 before the release. |
UserRepository calls UserService through the order_queue table. | A:UserRepository; S:UserService; A:order_queue
The config lives in ~/.config/remem/settings.toml on my laptop. | F:~/.config/remem/settings.toml
We decided to use TypeScript instead of JavaScript. | T:TypeScript; T:JavaScript
Acme Corp signed the contract with Siemens in Munich. | O:Acme Corp; O:Siemens; L:Munich
Q3 revenue grew by 12 percent. |
He studied at Stanford University and works at NASA. | O:Stanford; O:NASA
Remember to renew the passport in January. |
The project is called Bluebird internally. | C:Bluebird
Priya said that Redis is down again. | P:Priya; T:Redis
Mr. O'Brien asked for the invoice. | P:O'Brien
Rust is fast, but we write Python. | T:Python
Our flight to Lisbon leaves at 07:40. | L:Lisbon
The Eurovision Festival takes place in Malmö this year. | E:Eurovision Festival; L:Malmö
I prefer tea in the morning and coffee at noon. |
Johann Sebastian Bach was born in Eisenach. | P:Johann Sebastian Bach; L:Eisenach
Error 500 in checkout.py after the upgrade to Django 5.2. | F:checkout.py; T:Django
The Payments Gateway times out when Kafka lags. | S:Payments Gateway; T:Kafka
Anna and Bert celebrate Christmas in Vienna. | P:Anna; P:Bert; E:Christmas; L:Vienna
Write to ada@example.org about the lease. |
Yesterday the heating broke, so Lena called the landlord. | P:Lena
The new logo was designed in Figma by Studio Nord. | T:Figma; C:Studio Nord
Use tabs, not spaces, and keep lines under 100 characters. |
The Bank of England raised rates again. | O:Bank of England
Passwords are hashed with argon2. |
Mount Everest is higher than any peak in Europe. | L:Mount Everest; L:Europe
John F. Kennedy visited Berlin in June 1963. | P:John F. Kennedy; L:Berlin
The kids start school in September. |
When Kenji travels to Kyoto, he stays near Nijo Castle. | P:Kenji; L:Kyoto; L:Nijo Castle
""")

# Held out: written after the rules and not used to tune them.
UNSEEN = _sentences(r"""
Beatrix asked whether MongoDB could replace MySQL. | P:Beatrix; T:MongoDB; T:MySQL
The Vega rover landed near Lake Baikal. | C:Vega; L:Lake Baikal
Jonas plays cello in the Helsinki Orchestra. | P:Jonas; O:Helsinki Orchestra
My sister Amara studies medicine in Nairobi. | P:Amara; L:Nairobi
Invoices are stored in data/invoices/2026.csv on the NAS. | F:data/invoices/2026.csv
Keep the blue notebook in the top drawer. |
We met with Hans Müller from Bosch on Thursday. | P:Hans Müller; O:Bosch
The Orion team prefers small pull requests. | C:Orion
GET /api/users/{id} returns 404 for deleted users. | A:/api/users/{id}
Vitamin D is low, the doctor said. |
Project Nightingale starts in October. | C:Project Nightingale
Hiroshi and Mei live in Osaka. | P:Hiroshi; P:Mei; L:Osaka
My favourite book is Middlemarch by George Eliot. | C:Middlemarch; P:George Eliot
The dentist moved my appointment to Friday at nine. |
Terraform state is kept in S3. | T:Terraform; T:S3
Ask Professor Okafor about the grant. | P:Okafor
Nothing works on Windows except PowerShell. | T:Windows; T:PowerShell
Our landlord, Mrs. Fernandez, lives upstairs. | P:Fernandez
I was born in Cork and grew up in Ireland. | L:Cork; L:Ireland
Chapter Two is the best part. |
Spotify plays jazz when I cook. | O:Spotify
Deadline for the EU grant: 30 June 2027. | O:European Union
The Zurich office closes at noon. | L:Zurich
Alice sold her Toyota to Bob. | P:Alice; O:Toyota; P:Bob
""")
