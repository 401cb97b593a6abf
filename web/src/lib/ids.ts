const ID = /^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i;

/** Whether the text has the form of an id; it may come from a URL that was typed by hand. */
export function isId(text: string): boolean {
  return ID.test(text);
}
