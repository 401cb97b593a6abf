import { baseKeymap } from "prosemirror-commands";
import { history as proseHistory, redo, undo } from "prosemirror-history";
import { keymap } from "prosemirror-keymap";
import { schema } from "prosemirror-schema-basic";
import { EditorState } from "prosemirror-state";
import { EditorView } from "prosemirror-view";
import { start } from "./start.js";

start((place) => {
  const plugins = [proseHistory(), keymap({ "Mod-z": undo, "Mod-y": redo }), keymap(baseKeymap)];
  const view = new EditorView(place, { state: EditorState.create({ schema, plugins }) });
  return () => view.state.doc.textBetween(0, view.state.doc.content.size, "\n", "\n");
});
