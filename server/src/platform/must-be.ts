/**
 * The value, where the code around it guarantees one. Throws an error naming `what` if it is
 * missing: a programming error, so the request answers 500.
 */
export function mustBe<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`Missing: ${what}.`);
  return value;
}

/**
 * The first entry of a list that always has one: the row of a count or of an unconditional insert,
 * what was presented of one row. Throws if the list is empty.
 */
export function firstOf<T>(list: readonly T[]): T {
  if (list.length === 0) throw new Error('Missing: the first entry of a list that needs one.');
  return list[0] as T;
}
