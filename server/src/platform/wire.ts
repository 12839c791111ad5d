import type { z } from 'zod';

/** Reading what arrives as the specification's shared request layer writes it: arrays `key[]=`, objects as JSON text, nulls absent. */
export function readQuery(text: string): Record<string, unknown> {
  const out: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [rawKey, value] of new URLSearchParams(text)) {
    const array = /^(.+?)\[\d*\]$/.exec(rawKey);
    const key = array?.[1] ?? rawKey;
    if (key === '__proto__') continue;
    const read = fromJson(value);
    if (array) ((out[key] ??= []) as unknown[]).push(read);
    else out[key] = read;
  }
  return out;
}

/** A form field or query value that is JSON text of an object or array becomes that; anything else stays text. */
export function fromJson(value: string): unknown {
  const first = value.trimStart()[0];
  if (first !== '{' && first !== '[') return value;
  try { return JSON.parse(value); } catch { return value; }
}

interface Def { type: string; in?: z.ZodType; shape?: Record<string, unknown>; innerType?: z.ZodType }
/** The keys a schema knows, or null when it takes anything. */
export function knownKeys(schema: z.ZodType): ReadonlySet<string> | null {
  const def = (schema as unknown as { def: Def }).def;
  if (def.type === 'object') return new Set(Object.keys(def.shape ?? {}));
  if (def.type === 'pipe' && def.in) return knownKeys(def.in);
  if ((def.type === 'optional' || def.type === 'default' || def.type === 'prefault') && def.innerType) return knownKeys(def.innerType);
  return null;
}

/** Zod's issues as A1's `errors`: field path → sentences. */
export function fieldErrors(error: z.ZodError): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  for (const issue of error.issues) (errors[issue.path.join('.') || 'body'] ??= []).push(sentence(issue.message));
  return errors;
}
const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);
