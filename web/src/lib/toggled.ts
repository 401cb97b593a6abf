/** The list with the value added, or without it when it was there. */
export function toggled<T>(all: T[], value: T): T[] {
  return all.includes(value) ? all.filter((other) => other !== value) : [...all, value];
}
