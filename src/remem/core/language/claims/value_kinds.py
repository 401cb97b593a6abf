"""Which kind of thing a value is, where everybody knows it: such values are alternatives."""

from collections.abc import Sequence

from remem.core.language.words import Word, stem

_MEMBERS = {
    "colour": "red green blue yellow orange purple violet pink brown black white grey gray teal"
    " turquoise beige navy gold silver magenta cyan maroon indigo",
    "indentation": "tab tabs space spaces",
    "mode": "dark light",
    "hot drink": "tea coffee cocoa espresso latte cappuccino",
    "time of day": "morning mornings afternoon afternoons evening evenings night nights",
    "season": "spring summer autumn fall winter",
    "seat": "window aisle",
    "database": "postgresql postgres mysql mariadb sqlite oracle mongodb cassandra dynamodb"
    " cockroachdb couchdb firestore neo4j",
    "language for programs": "python javascript typescript java kotlin scala rust go golang ruby"
    " php perl swift elixir erlang haskell clojure c c++ c# dart lua julia zig",
    "package manager": "npm yarn pnpm bun pip poetry pipenv uv conda",
    "bundler": "webpack vite rollup parcel esbuild turbopack",
    "test runner": "pytest unittest jest vitest mocha jasmine ava nose",
    "web library": "react vue angular svelte solid preact ember",
    "web server framework": "django flask express rails spring laravel koa hono nestjs",
    "editor": "vim neovim emacs vscode sublime atom intellij pycharm zed nano",
    "operating system": "linux macos windows ubuntu debian fedora arch android ios",
    "cloud": "aws azure gcp heroku vercel netlify fly.io render digitalocean hetzner",
    "orchestrator": "kubernetes swarm nomad ecs",
    "version control": "git mercurial subversion svn",
    "continuous integration": "jenkins circleci travis gitlab buildkite teamcity",
    "browser": "chrome firefox safari edge brave opera",
    "spelling": "british american",
    "shell": "bash zsh fish powershell",
    "spoken language": "english german french spanish italian portuguese dutch swedish norwegian"
    " danish finnish polish russian ukrainian turkish arabic hebrew hindi chinese mandarin japanese"
    " korean greek latin",
    "diet": "vegetarian vegan pescatarian omnivore carnivore",
    "marriage": "single married divorced engaged widowed separated",
    "progress": "planned started done finished blocked merged shipped cancelled canceled paused"
    " pending approved rejected released deprecated draft",
    "openness": "open closed",
    "switch": "enabled disabled",
    "profession": "teacher doctor nurse lawyer engineer developer programmer designer accountant"
    " chef cook baker plumber electrician carpenter pilot architect journalist writer actor"
    " musician scientist researcher professor manager consultant farmer soldier librarian dentist"
    " pharmacist mechanic firefighter painter photographer translator economist politician"
    " firefighter policeman waiter barista cashier analyst biologist chemist physicist",
    "city pace": "city countryside suburb suburbs village",
    "spice": "sweet savoury salty spicy",
    "pet": "cats dogs",
    "train or plane": "train plane bus car bike bicycle ferry",
    "place of work": "remote remotely office hybrid",
}
_KINDS: dict[str, set[str]] = {}
for _kind, _words in _MEMBERS.items():
    for _each in _words.split():
        _KINDS.setdefault(stem(_each), set()).add(_kind)
COUNTRIES = frozenset(
    """afghanistan albania algeria andorra angola argentina armenia australia austria
    azerbaijan bahamas bahrain bangladesh barbados belarus belgium belize benin bhutan
    bolivia bosnia botswana brazil brunei bulgaria burkina burundi cambodia cameroon canada
    chad chile china colombia comoros congo croatia cuba cyprus czechia denmark djibouti
    dominica ecuador egypt england eritrea estonia eswatini ethiopia fiji finland france
    gabon gambia georgia germany ghana greece grenada guatemala guinea guyana haiti honduras
    hungary iceland india indonesia iran iraq ireland israel italy jamaica japan jordan
    kazakhstan kenya kiribati korea kosovo kuwait kyrgyzstan laos latvia lebanon lesotho
    liberia libya liechtenstein lithuania luxembourg madagascar malawi malaysia maldives
    mali malta mauritania mauritius mexico moldova monaco mongolia montenegro morocco
    mozambique myanmar namibia nauru nepal netherlands nicaragua niger nigeria norway oman
    pakistan palau palestine panama paraguay peru philippines poland portugal qatar romania
    russia rwanda samoa scotland senegal serbia seychelles singapore slovakia slovenia
    somalia spain sudan suriname sweden switzerland syria taiwan tajikistan tanzania
    thailand togo tonga tunisia turkey turkmenistan tuvalu uganda ukraine uruguay usa uk us
    uzbekistan vanuatu venezuela vietnam wales yemen zambia zimbabwe europe africa asia
    america oceania antarctica""".split()
)
_FILLERS = frozenset("the a an of and republic kingdom united states new south north".split())


def kinds_of(words: Sequence[Word]) -> frozenset[str]:
    """The kinds its last telling word may be of: spring is a season, and more."""
    return frozenset(next((_KINDS[w.stem] for w in reversed(words) if w.stem in _KINDS), ()))


def is_country(words: Sequence[Word]) -> bool:
    telling = [word.low for word in words if word.low not in _FILLERS]
    return bool(words) and all(low in COUNTRIES for low in telling)
