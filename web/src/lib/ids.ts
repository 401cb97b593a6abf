const ID = /^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i;

/** Whether something can have this id at all; addresses are written by hand, too. */
export function isId(text: string): boolean {
  return ID.test(text);
}
