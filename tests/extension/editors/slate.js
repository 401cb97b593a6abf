import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { createEditor, Node } from "slate";
import { withHistory } from "slate-history";
import { Editable, Slate, withReact } from "slate-react";
import { start } from "./start.js";

start((place) => {
  const editor = withHistory(withReact(createEditor()));
  const initialValue = [{ type: "paragraph", children: [{ text: "" }] }];
  createRoot(place).render(
    createElement(Slate, { editor, initialValue }, createElement(Editable, { id: "slate" })),
  );
  return () => editor.children.map((node) => Node.string(node)).join("\n");
});
