"""Restore the browser and the account after each test, whether it passed or failed."""

import json

from tests.conftest import Person, Server
from tests.extension.chrome import Chrome, evaluate
from tests.extension.editor_page import FACT
from tests.extension.fox import Fox

# Runs on a file of the extension, like its pages: restores queue, sites, permissions, settings and
# the sign-in.
_RESTORE = """async (base, key) => {
    const api = globalThis.browser ?? globalThis.chrome;
    const ask = async (request) => (await api.runtime.sendMessage(request)).value;
    const { queue, sites, automatic, lastProject, ...was } = await ask({type: 'status'});
    for (const { id } of queue) await ask({type: 'queue', action: 'drop', id});
    if (sites.length) await ask({type: 'sites', origins: []});
    if (automatic) await ask({type: 'automatic', on: false});
    const { origins = [] } = await api.permissions.getAll();
    const given = origins.filter(origin => !/^http:..(127.0.0.1|localhost)\\//.test(origin));
    if (given.length) await api.permissions.remove({origins: given});
    if (lastProject) {
        const { settings } = await api.storage.local.get('settings');
        await api.storage.local.set({settings: {...settings, lastProject: undefined}});
    }
    if (was.base === base && !(await ask({type: 'check'})).problem) return '';
    await ask({type: 'sign-in', base, key});
    return (await ask({type: 'check'})).problem?.text ?? '' }"""


def restore_chrome(chrome: Chrome, server: Server) -> None:
    chrome.close_popups()
    script = f"({_RESTORE})({json.dumps(server.url)}, {json.dumps(chrome.person.key)})"
    assert evaluate(chrome.home, script) == ""
    chrome.close_tabs()
    forget_saved(chrome.person)


def restore_fox(fox: Fox, server: Server, person: Person) -> None:
    fox.close_popup()
    fox.close_tabs()
    fox.firefox.open(f"{fox.origin}/icon/16.png")
    script = f"return await ({_RESTORE})(args[0], args[1])"
    assert fox.firefox.run(script, server.url, person.key) == ""
    forget_saved(person)


def forget_saved(person: Person) -> None:
    """Delete everything but the one fact that tests search for, which must be the first result."""
    projects = person.http.get("/v3/projects").json()["projects"]
    for project in projects:
        if not project["is_default"]:
            person.http.delete(f"/v3/projects/{project['id']}").raise_for_status()
    documents = person.http.get("/v3/documents", params={"limit": 100}).json()["documents"]
    if ids := [document["id"] for document in documents]:
        body = {"ids": ids, "action": "delete"}
        person.http.post("/v3/documents/bulk", json=body).raise_for_status()
    for memory in person.http.get("/api/memories").json()["memories"]:
        if memory["content"] != FACT:
            person.http.delete(f"/api/memories/{memory['id']}")
