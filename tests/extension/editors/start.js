// Real editors of others, one a page and one a file, each with `window.model()`: the text as the
// editor itself has it.

export function start(makeEditor) {
  const place = document.getElementById("editor");
  window.model = makeEditor(place);
  window.editable = () => place.querySelector("textarea, [contenteditable=true]") ?? place;
  window.ready = true;
}
