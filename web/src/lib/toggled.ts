/** The list with the value added, or removed if it was in it. */
export function toggled<T>(all: T[], value: T): T[] {
  return all.includes(value) ? all.filter((other) => other !== value) : [...all, value];
}
