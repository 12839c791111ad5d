/** The fields of a query or a form. Without a prototype, so that no name means more than what was sent. */
export type FormFields = Record<string, unknown>;
export const emptyFields = (): FormFields => Object.create(null) as FormFields;

/**
 * Put one field, as the specification's shared request layer writes it, among the others: `key[]`
 * repeats (also after a plain `key`), anything else stands once and the last one counts. Never throws.
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

/** The query of an address: arrays `key[]=`, objects as JSON text, nulls absent. Runs in the router, so it never throws. */
export function parseQuery(text: string): FormFields {
  const fields = emptyFields();
  for (const [name, value] of new URLSearchParams(text))
    addField(fields, name, parseJsonField(value));
  return fields;
}

/** Names that the language itself looks up on objects: data that bears one makes them throw when they become text or are copied. */
const reservedNames = ['toString', 'valueOf', '__proto__'];
const maxDepth = 40;

/**
 * What makes parsed JSON unfit to be worked with, as a sentence: a member named like what the language
 * calls on every object, or nesting beyond 40 levels. Null when it is fit.
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

/** Text as PostgreSQL can keep it: without NUL, and with a replacement character for half of a surrogate pair. */
export const toStorableText = (text: string): string =>
  text
    .replaceAll('\0', '')
    .replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD');

/** JSON that a carrier sent, every text in it storable. Throws when it is no JSON. */
export const parseWebhookJson = (bytes: Buffer): unknown =>
  JSON.parse(bytes.toString('utf8'), (_, value: unknown) =>
    typeof value === 'string' ? toStorableText(value) : value,
  );

/** A positive whole number, or its digits, as an id; anything else 0. Never throws, whatever was sent. */
export function parseId(value: unknown): number {
  const id = typeof value === 'number' ? value : typeof value === 'string' ? Number(value) : 0;
  return Number.isSafeInteger(id) && id > 0 ? id : 0;
}

/** A form field or query value that is JSON text of an object or array becomes that; anything else stays text. */
export function parseJsonField(value: string): unknown {
  const first = value.trimStart()[0];
  if (first !== '{' && first !== '[') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** A member of what may be an object; undefined if it is none. */
export const field = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
