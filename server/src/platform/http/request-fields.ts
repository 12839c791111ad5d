/**
 * The fields of a query or a form. Without a prototype, so that no field name has a special
 * meaning.
 */
export type FormFields = Record<string, unknown>;
/** An empty set of fields. */
export const emptyFields = (): FormFields => Object.create(null) as FormFields;

/**
 * Adds one field as the specification's shared request layer encodes it: `key[]` repeats (also
 * after a plain `key`), any other key is single and its last value counts. Never throws.
 */
export function addField(fields: FormFields, name: string, value: unknown): void {
  const list = /^(.+?)\[\d*\]$/.exec(name);
  const key = list?.[1] ?? name;
  if (key === '__proto__') return;
  if (!list) {
    fields[key] = value;
    return;
  }
  const before = fields[key];
  if (Array.isArray(before)) before.push(value);
  else fields[key] = before === undefined ? [value] : [before, value];
}

/**
 * Parses a query string: arrays as `key[]=`, objects as JSON text, nulls omitted. It runs in the
 * router, so it never throws.
 */
export function parseQuery(text: string): FormFields {
  const fields = emptyFields();
  for (const [name, value] of new URLSearchParams(text))
    addField(fields, name, parseJsonField(value));
  return fields;
}

/**
 * Names that JavaScript calls on objects: data with such a member throws when it is stringified or
 * copied.
 */
const reservedNames = ['toString', 'valueOf', '__proto__'];
const maxDepth = 40;

/**
 * Why parsed JSON is unsafe to work with, as a sentence: a member named like a method that
 * JavaScript calls on every object, or nesting beyond 40 levels. Null when it is safe.
 */
export function unsafeJsonReason(value: unknown): string | null {
  let level: unknown[] = [value];
  for (let depth = 0; level.length; depth++) {
    if (depth > maxDepth) return 'This is nested too deeply.';
    const next: unknown[] = [];
    for (const one of level) {
      if (typeof one !== 'object' || one === null) continue;
      const bad = reservedNames.find((name) => Object.hasOwn(one, name));
      if (bad) return `A field can’t be named ${bad}.`;
      for (const inner of Object.values(one))
        if (typeof inner === 'object' && inner !== null) next.push(inner);
    }
    level = next;
  }
  return null;
}

/**
 * Text as PostgreSQL can store it: without NUL, and with a replacement character for half a
 * surrogate pair.
 */
export const toStorableText = (text: string): string =>
  text
    .replaceAll('\0', '')
    .replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD');

/** Parses a carrier's JSON so that all its text can be stored. Throws when it is not JSON. */
export const parseWebhookJson = (bytes: Buffer): unknown =>
  JSON.parse(bytes.toString('utf8'), (_, value: unknown) =>
    typeof value === 'string' ? toStorableText(value) : value,
  );

/** A positive integer, or its digits, as an id; 0 for anything else. Never throws. */
export function parseId(value: unknown): number {
  const id = typeof value === 'number' ? value : typeof value === 'string' ? Number(value) : 0;
  return Number.isSafeInteger(id) && id > 0 ? id : 0;
}

/**
 * Parses a form field or query value that is JSON text of an object or array; any other text is
 * returned unchanged.
 */
export function parseJsonField(value: string): unknown {
  const first = value.trimStart()[0];
  if (first !== '{' && first !== '[') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** A member of a value that may be an object; undefined if it is not. */
export const field = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
