import { normalizePhone } from '../phone.ts';

/** Objects that can have custom fields (A §3), with their ID in the API. */
export const entityTypes = [
  { id: 1, key: 'number', label: 'Number' },
  { id: 2, key: 'company', label: 'Company' },
  { id: 3, key: 'tracking-pool', label: 'Tracking pool' },
  { id: 4, key: 'organization', label: 'Organization' },
  { id: 5, key: 'user', label: 'User' },
  { id: 6, key: 'call', label: 'Call' },
  { id: 7, key: 'contact', label: 'Contact' },
] as const;

export type EntityTypeId = (typeof entityTypes)[number]['id'];

export const entityOf = {
  number: 1,
  company: 2,
  trackingPool: 3,
  organization: 4,
  user: 5,
  call: 6,
  contact: 7,
} as const satisfies Record<string, EntityTypeId>;

/** `6`, `call` or `Call` → 6. Null: not an entity type. */
export const entityTypeNamed = (said: string | number): EntityTypeId | null =>
  entityTypes.find(
    (e) =>
      String(e.id) === String(said) ||
      e.key === String(said).toLowerCase() ||
      e.label.replace(/ /g, '').toLowerCase() === String(said).replace(/[ _-]/g, '').toLowerCase(),
  )?.id ?? null;

export const fieldTypes = [
  'boolean',
  'date',
  'enum',
  'number',
  'phone',
  'stringText',
  'stringKeyword',
] as const;

export type FieldType = (typeof fieldTypes)[number];

/** Longest text by type. */
const textLimit = { stringText: 10_000, stringKeyword: 255 } as const;

/** Types whose values a field can require to be unique. */
export const canBeUnique: readonly FieldType[] = ['number', 'date', 'phone', 'stringKeyword'];

export interface FieldChoice {
  id: number;
  value: string;
  sort_order: number;
  description: string;
}

/** The parts of a field definition that parsing a value needs. */
interface Typed {
  type: FieldType;
  choices: readonly FieldChoice[];
}

export type FieldValueType = string | number | boolean;

/**
 * Whether a value is empty or only spaces: it clears a field, and is dropped as a filter (A §5). A
 * list of blank entries is blank.
 */
export function isBlank(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === 'string') return value.trim() === '';
  if (Array.isArray(value)) return value.every(isBlank);
  if (typeof value === 'object') return Object.values(value).every(isBlank);
  return false;
}

const isDay = (text: string): boolean => {
  const m = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!m || m[1] === '0000') return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === text;
};

/**
 * A decimal of at most 15 digits, which a double holds exactly; accepts `1,250.50`. Null when it is
 * not a number.
 */
function readNumber(value: unknown): number | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const text =
    typeof value === 'string'
      ? value
          .trim()
          .replace(/^([+-]?\d{1,3}(?:,\d{3})+)(?=\.|$)/, (whole) => whole.replace(/,/g, ''))
      : String(value);
  if (!/^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(text)) return null;
  if (text.replace(/\D/g, '').replace(/^0+/, '').length > 15) return null;
  const read = Number(text);
  return Object.is(read, -0) ? 0 : read;
}

const yes = ['true', '1', 'yes', 'y', 'on'];

const no = ['false', '0', 'no', 'n', 'off'];

type Read = { value: FieldValueType } | { error: string };

/**
 * Parses a value that is not blank by its field's type (A23); otherwise the sentence with the
 * problem. A choice is given by ID or by label.
 */
export function readValue(field: Typed, value: unknown): Read {
  switch (field.type) {
    case 'boolean': {
      if (typeof value === 'boolean') return { value };
      const word = String(value).trim().toLowerCase();
      return yes.includes(word)
        ? { value: true }
        : no.includes(word)
          ? { value: false }
          : { error: 'Choose yes or no.' };
    }
    case 'date': {
      const day = typeof value === 'string' ? value.trim() : '';
      return isDay(day) ? { value: day } : { error: 'Enter a date as YYYY-MM-DD.' };
    }
    case 'enum': {
      const text =
        typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
      const choice =
        field.choices.find((c) => String(c.id) === text) ??
        field.choices.find((c) => c.value.toLowerCase() === text.toLowerCase());
      return choice ? { value: choice.id } : { error: 'Choose an option from the list.' };
    }
    case 'number': {
      const number = readNumber(value);
      return number === null
        ? { error: 'Enter a number with at most 15 digits.' }
        : { value: number };
    }
    case 'phone': {
      const phone =
        typeof value === 'string' || typeof value === 'number'
          ? normalizePhone(String(value))
          : null;
      return phone ? { value: phone } : { error: 'Enter a phone number.' };
    }
    default: {
      if (typeof value !== 'string' && typeof value !== 'number') return { error: 'Enter text.' };
      const text = String(value).trim();
      const limit = textLimit[field.type];
      return text.length > limit
        ? { error: `At most ${limit.toLocaleString('en-US')} characters.` }
        : text.includes('\u0000')
          ? { error: 'Enter text.' }
          : { value: text };
    }
  }
}

/** A value as text, for exports, histories and merge tags. */
export function describeValue(field: Typed, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (field.type === 'boolean') return value ? 'Yes' : 'No';
  if (field.type === 'enum') return field.choices.find((c) => c.id === Number(value))?.value ?? '';
  return String(value);
}

/**
 * Filter syntax by type, as text so that it fits into a URL: number and date `10`, `10..20`,
 * `10..`, `..20`; enum `3,5` (IDs or labels); boolean `true`; text: words contained in the value;
 * keyword and phone: the beginning of the value. `is:set` and `is:empty` for every type. Objects
 * `{min,max}` and `{from,to}` and lists mean the same.
 */
export type FieldFilter =
  | { is: 'set' | 'empty' }
  | { among: FieldValueType[] }
  | { from: FieldValueType | null; to: FieldValueType | null }
  | { holds: string }
  | { begins: string };

type ReadFilter = { filter: FieldFilter } | { error: string } | null;

/** Parses a filter; null when it is blank and therefore dropped (A §5). */
export function readFilter(field: Typed, filter: unknown): ReadFilter {
  if (isBlank(filter)) return null;
  if (typeof filter === 'string' && /^is:(set|empty)$/.test(filter.trim()))
    return { filter: { is: filter.trim().slice(3) as 'set' | 'empty' } };
  const one = (value: unknown): Read => readValue(field, value);
  switch (field.type) {
    case 'number':
    case 'date': {
      const { from, to } = bounds(filter);
      const lower = isBlank(from) ? null : one(from);
      const upper = isBlank(to) ? null : one(to);
      if (lower && 'error' in lower) return lower;
      if (upper && 'error' in upper) return upper;
      return { filter: { from: lower?.value ?? null, to: upper?.value ?? null } };
    }
    case 'boolean':
    case 'enum': {
      const many = (
        Array.isArray(filter)
          ? filter
          : field.type === 'enum' &&
              typeof filter === 'string' &&
              !field.choices.some((c) => c.value.toLowerCase() === filter.trim().toLowerCase())
            ? filter.split(',')
            : [filter]
      ).filter((v) => !isBlank(v));
      const read = many.map(one);
      const wrong = read.find((r) => 'error' in r);
      return wrong && 'error' in wrong
        ? wrong
        : { filter: { among: read.flatMap((r) => ('value' in r ? [r.value] : [])) } };
    }
    case 'phone': {
      const text = String(filter).trim();
      const whole = normalizePhone(text);
      const digits = text.replace(/\D/g, '');
      return whole
        ? { filter: { among: [whole] } }
        : digits
          ? { filter: { holds: digits } }
          : { error: 'Enter digits of a phone number.' };
    }
    case 'stringKeyword':
      return { filter: { begins: String(filter).trim().slice(0, textLimit.stringKeyword) } };
    default:
      return { filter: { holds: String(filter).trim().slice(0, 255) } };
  }
}

function bounds(filter: unknown): { from: unknown; to: unknown } {
  if (typeof filter === 'object' && filter !== null && !Array.isArray(filter)) {
    const o = filter as Record<string, unknown>;
    return { from: o['min'] ?? o['from'] ?? null, to: o['max'] ?? o['to'] ?? null };
  }
  const range = typeof filter === 'string' ? /^(.*?)\.\.(.*)$/.exec(filter.trim()) : null;
  return range ? { from: range[1], to: range[2] } : { from: filter, to: filter };
}

/** A field's key from its name: `Deal value (USD)` → `deal_value_usd`. */
export const keyOfName = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, 60)
    .replace(/_+$/, '') || 'field';

export const tagColors = [
  'teal',
  'blue',
  'grape',
  'orange',
  'green',
  'pink',
  'cyan',
  'indigo',
  'red',
  'yellow',
  'gray',
] as const;
