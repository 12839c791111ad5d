type Fields = Record<string, unknown>;
/** JSON’s, not a file or a date. */
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

const nameOf = (row: unknown, i: number): unknown =>
  isObject(row) && row['id'] !== undefined ? row['id'] : `row ${i}`;

/**
 * The later answer, with whatever is equal in the earlier one replaced by that, so that only what changed is drawn
 * again. Rows are matched by their ID and not by their place: a new one moves all others.
 * @returns the earlier one itself when both are equal
 */
export function keepUnchanged(before: unknown, after: unknown): unknown {
  if (Object.is(before, after)) return before;
  if (Array.isArray(before) && Array.isArray(after)) {
    const earlier = new Map(before.map((row: unknown, i) => [nameOf(row, i), row]));
    const kept = after.map((row: unknown, i) => keepUnchanged(earlier.get(nameOf(row, i)), row));
    const isSame = kept.length === before.length && kept.every((row, i) => row === before[i]);
    return isSame ? before : kept;
  }
  if (isObject(before) && isObject(after)) {
    const names = Object.keys(after);
    const kept = Object.fromEntries(
      names.map((name) => [name, keepUnchanged(before[name], after[name])]),
    );
    const isSame =
      names.length === Object.keys(before).length &&
      names.every((name) => name in before && kept[name] === before[name]);
    return isSame ? before : kept;
  }
  return after;
}
