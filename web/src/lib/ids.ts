const ID = /^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i;

/** Whether the text has the form of an id; it may come from a URL that was typed by hand. */
export function isId(text: string): boolean {
  return ID.test(text);
}

/** A new id. `crypto.randomUUID` exists only where the page is served by HTTPS or from this machine. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
