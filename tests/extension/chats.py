"""Stand-ins for the chat sites, with their host names, their editors and the markup around them.
They test our code, not today's sites."""

from dataclasses import dataclass

from tests.extension.editor_page import STRICT
from tests.extension.sites import Sites

# A sent message becomes a turn of the conversation, as on the sites. Only a click of the person
# sends it.
_PAGE = """<!doctype html><html lang="en"><head><title>A chat about teeth</title></head>
<body style="margin: 0; min-height: 100vh"><main id="turns">
<article data-testid="conversation-turn-1" data-turn="assistant"><h5 class="sr-only">It said:</h5>
<div data-message-author-role="assistant"><p>Good morning, what would you like to know about your
appointments and everything that is planned for the coming week?</p></div></article></main>
<div style="position: fixed; bottom: 40px; left: 40px; width: 500px">{composer}
<button id="send" type="button">Send</button></div>
<script src="/{kind}.js"></script><script src="/chat.js"></script></body></html>"""
SCRIPT = """window.sent = 0;
addEventListener('submit', event => { event.preventDefault(); sent += 1; });
editable().addEventListener('keydown', event => { if (event.key === 'Enter') sent += 1; });
document.getElementById('send').addEventListener('click', () => {
  sent += 1;
  const turn = document.createElement('article');
  turn.dataset.testid = 'conversation-turn-2'; turn.dataset.turn = 'user';
  const role = document.createElement('div'); role.dataset.messageAuthorRole = 'user';
  const text = document.createElement('div'); text.className = 'whitespace-pre-wrap';
  text.textContent = model(); role.append(text); turn.append(role);
  document.getElementById('turns').append(turn);
});"""
_EDITOR = '<div id="editor" style="min-height: 60px; border: 1px solid"></div>'


@dataclass(frozen=True)
class Chat:
    name: str
    host: str
    kind: str
    composer: str

    @property
    def url(self) -> str:
        return f"https://{self.host}/c/1?kind={self.kind}"


CHATS = (
    Chat("ChatGPT", "chatgpt.com", "prosemirror", f'<div id="prompt-textarea">{_EDITOR}</div>'),
    Chat("Claude", "claude.ai", "prosemirror", f"<fieldset>{_EDITOR}</fieldset>"),
    Chat("Gemini", "gemini.google.com", "quill", f"<rich-textarea>{_EDITOR}</rich-textarea>"),
    Chat("Perplexity", "www.perplexity.ai", "lexical", f'<div id="ask-input">{_EDITOR}</div>'),
    Chat("Grok", "grok.com", "textarea", f"<form>{_EDITOR}</form>"),
)


def serve_chats(sites: Sites, scripts: dict[str, bytes]) -> None:
    for chat in CHATS:
        page = _PAGE.format(composer=chat.composer, kind=chat.kind)
        sites.put(f"{chat.host}/c/1", page, headers=STRICT)
        script = scripts[chat.kind]
        sites.put(f"{chat.host}/{chat.kind}.js", script, content_type="text/javascript")
        sites.put(f"{chat.host}/chat.js", SCRIPT, content_type="text/javascript")
