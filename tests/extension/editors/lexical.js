import { createEmptyHistoryState, registerHistory } from "@lexical/history";
import { registerPlainText } from "@lexical/plain-text";
import { $createParagraphNode, $getRoot, createEditor } from "lexical";
import { start } from "./start.js";

start((place) => {
  const root = document.createElement("div");
  root.contentEditable = "true";
  place.append(root);
  const editor = createEditor({ namespace: "test", onError: (error) => { throw error; } });
  editor.setRootElement(root);
  registerPlainText(editor);
  registerHistory(editor, createEmptyHistoryState(), 300);
  editor.update(() => { $getRoot().append($createParagraphNode()); });
  return () => editor.getEditorState().read(() => $getRoot().getTextContent().replaceAll("\n\n", "\n"));
});
