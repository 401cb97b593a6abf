/** Converts an offset of the server, in characters, to one in UTF-16 code units. */
export function unitsBefore(text: string, characters: number): number {
  let units = 0;
  for (let n = 0; n < characters && units < text.length; n += 1)
    units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
  return units;
}
