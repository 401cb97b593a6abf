/** Leaves out fields without a value. */
export function present<T extends object>(fields: T): Partial<T> {
  const entries = Object.entries(fields).filter(
    ([, value]) => value !== undefined && value !== null && value !== "",
  );
  return Object.fromEntries(entries) as Partial<T>;
}
