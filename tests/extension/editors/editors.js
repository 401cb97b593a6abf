// Real editors of others, one a page, each with `window.model()`: the text as the editor itself has it.

import { registerPlainText } from "@lexical/plain-text";
import { createEmptyHistoryState, registerHistory } from "@lexical/history";
import { $createParagraphNode, $getRoot, createEditor } from "lexical";
import { baseKeymap } from "prosemirror-commands";
import { history as proseHistory, redo, undo } from "prosemirror-history";
import { keymap } from "prosemirror-keymap";
import { schema } from "prosemirror-schema-basic";
import { EditorState } from "prosemirror-state";
import { EditorView } from "prosemirror-view";
import Quill from "quill";
import { createElement, useState } from "react";
import { createRoot } from "react-dom/client";
import { createEditor as createSlate, Node } from "slate";
import { withHistory } from "slate-history";
import { Editable, Slate, withReact } from "slate-react";

const kind = new URLSearchParams(location.search).get("kind");
const place = document.getElementById("editor");

const EDITORS = {
  prosemirror() {
    const plugins = [proseHistory(), keymap({ "Mod-z": undo, "Mod-y": redo }), keymap(baseKeymap)];
    const view = new EditorView(place, { state: EditorState.create({ schema, plugins }) });
    return () => view.state.doc.textBetween(0, view.state.doc.content.size, "\n", "\n");
  },
  quill() {
    const quill = new Quill(place, { modules: { toolbar: false } });
    return () => quill.getText();
  },
  lexical() {
    const root = document.createElement("div");
    root.contentEditable = "true";
    place.append(root);
    const editor = createEditor({ namespace: "test", onError: (error) => { throw error; } });
    editor.setRootElement(root);
    registerPlainText(editor);
    registerHistory(editor, createEmptyHistoryState(), 300);
    editor.update(() => { $getRoot().append($createParagraphNode()); });
    return () => editor.getEditorState().read(() => $getRoot().getTextContent().replaceAll("\n\n", "\n"));
  },
  slate() {
    const editor = withHistory(withReact(createSlate()));
    const initialValue = [{ type: "paragraph", children: [{ text: "" }] }];
    createRoot(place).render(
      createElement(Slate, { editor, initialValue }, createElement(Editable, { id: "slate" })),
    );
    return () => editor.children.map((node) => Node.string(node)).join("\n");
  },
  textarea() {
    let current = "";
    function Area() {
      const [value, setValue] = useState("");
      current = value;
      return createElement("textarea", { value, rows: 4, onChange: (event) => setValue(event.target.value) });
    }
    createRoot(place).render(createElement(Area));
    return () => current;
  },
  contenteditable() {
    place.contentEditable = "true";
    return () => place.innerText;
  },
};

window.model = EDITORS[kind]();
window.editable = () => place.querySelector("textarea, [contenteditable=true]") ?? place;
window.ready = true;
