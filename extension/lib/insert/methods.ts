/** The methods to insert text into an editor of a page. None works in all editors. */

import { runCommand } from "../dom";
import { isField } from "./composer";

export type Method = "execCommand" | "beforeinput" | "paste" | "setter";

export const METHODS: Record<Method, (editor: HTMLElement, text: string) => void> = {
  execCommand(_editor, text) {
    runCommand(document, "insertText", text);
  },
  beforeinput(editor, text) {
    const options = { bubbles: true, cancelable: true, composed: true };
    editor.dispatchEvent(
      new InputEvent("beforeinput", { ...options, inputType: "insertText", data: text }),
    );
  },
  paste(editor, text) {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    const options = { bubbles: true, cancelable: true, composed: true };
    editor.dispatchEvent(new ClipboardEvent("paste", { ...options, clipboardData }));
  },
  setter(editor, text) {
    if (!isField(editor)) return;
    const value = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(editor), "value");
    value?.set?.call(editor, editor.value + text);
    editor.dispatchEvent(
      new InputEvent("input", { bubbles: true, inputType: "insertText", data: text }),
    );
  },
};

/** The order in which to try. Lexical and Slate handle `beforeinput` themselves and break if the DOM is edited directly. */
export function methodOrder(editor: HTMLElement): Method[] {
  if (isField(editor)) return ["execCommand", "setter"];
  if (editor.closest("[data-lexical-editor], [data-slate-editor]")) return ["beforeinput", "paste"];
  return ["execCommand", "beforeinput", "paste"];
}
