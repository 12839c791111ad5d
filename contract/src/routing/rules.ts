import { keypadDigits, normalizePhone } from '../phone.ts';

/** Smallest and largest value of a route's numbers, for schemas and inputs. Times are in seconds. */
export const routeBounds = {
  weight: [1, 100],
  timeout: [5, 120],
  confirm_key_wait: [1, 60],
  extension: [0, 99_999],
} as const;

/**
 * The next extension: the highest in use plus 1. When that is above 25 and fewer than 25 exist, the
 * lowest unused of 0–24. With none in use, 0.
 */
export function nextFreeExtension(inUse: readonly number[]): number {
  if (inUse.length === 0) return 0;
  const next = Math.max(...inUse) + 1;
  if (next <= 25 || inUse.length >= 25) return next;
  const used = new Set(inUse);
  for (let n = 0; n < 25; n += 1) if (!used.has(n)) return n;
  return next;
}

/**
 * A typed destination: letters become keypad digits, then E.164. SIP addresses are unchanged; null:
 * not a number.
 */
export function destinationNumber(typed: string): string | null {
  const text = typed.trim();
  if (/^sips?:/i.test(text)) return /^sips?:[^\s@]+@[^\s@]+$/i.test(text) ? text : null;
  return normalizePhone(keypadDigits(text));
}

/**
 * Flags that clients keep on routes and destinations: dropped when sent, and not reported as
 * unknown fields (B §3).
 */
export const screenFlags: readonly string[] = ['isValid', 'usingIntNumber', 'updated_at'];

function withoutFlags(entry: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(entry).filter(([key]) => !screenFlags.includes(key)));
}

const isEntry = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Cleans extension entries for sending: a null extension becomes 1, destinations with an empty
 * number (and no user or contact instead) are dropped, screen flags are removed, numbers are
 * reformatted; everything else, including geo and tags, is unchanged. Text that is not a number
 * stays as typed, so that its field can show the error.
 */
export function cleanExtensionEntries(entries: unknown): unknown {
  if (!Array.isArray(entries)) return entries;
  return entries.map((entry: unknown) => {
    if (!isEntry(entry)) return entry;
    const clean = withoutFlags(entry);
    if ('extension' in clean) clean['extension'] ??= 1;
    const { forwards } = clean;
    if (Array.isArray(forwards)) {
      clean['forwards'] = forwards
        .filter(
          (forward: unknown) =>
            !isEntry(forward) ||
            !isEmpty(forward['number']) ||
            !isEmpty(forward['user_id']) ||
            !isEmpty(forward['team_id']) ||
            !isEmpty(forward['contact_id']),
        )
        .map((forward: unknown) =>
          isEntry(forward) ? reformatted(withoutFlags(forward)) : forward,
        );
    }
    return clean;
  });
}

const isEmpty = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

function reformatted(forward: Record<string, unknown>): Record<string, unknown> {
  const { number } = forward;
  return typeof number === 'string' && number.trim() !== ''
    ? { ...forward, number: destinationNumber(number) ?? number }
    : forward;
}

/** `13:15` → `1:15 PM`. Shown as 12-hour, sent as 24-hour. */
export function displayedTime(sent: string): string {
  const [hour = 0, minute = 0] = sent.split(':').map(Number);
  return `${hour % 12 === 0 ? 12 : hour % 12}:${String(minute).padStart(2, '0')} ${hour % 24 < 12 ? 'AM' : 'PM'}`;
}

/** Parses `1:15 PM`, `1:15pm`, `12am` to `13:15`; null when it is not a time. */
export function parseTime(shown: string): string | null {
  const read = /^\s*(\d{1,2})(?::(\d{2}))?\s*([ap])\.?m\.?\s*$/i.exec(shown);
  if (read === null) return null;
  const hour = Number(read[1]);
  const minute = Number(read[2] ?? 0);
  if (hour < 1 || hour > 12 || minute > 59) return null;
  const late = read[3]?.toLowerCase() === 'p';
  return `${String((hour % 12) + (late ? 12 : 0)).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

/**
 * Choices of opening and closing times: All Day, every 15 minutes from 12:00am to 11:45pm, Closed.
 * `value` null: closed.
 */
export const timeSlots: readonly { value: string | null; label: string }[] = [
  { value: '00:00–24:00', label: 'All Day' },
  ...Array.from({ length: 96 }, (_, i) => {
    const value = `${String(Math.floor(i / 4)).padStart(2, '0')}:${String((i % 4) * 15).padStart(2, '0')}`;
    return { value, label: displayedTime(value).replace(' ', '').toLowerCase() };
  }),
  { value: null, label: 'Closed' },
];

/** Labels of the schedule presets (B §4). */
export const schedulePresets = [
  { id: 1, label: '24/7' },
  { id: 2, label: 'Mon-Fri (9-5)' },
  { id: 3, label: 'Sat-Sun (9-5)' },
  { id: 4, label: 'Custom' },
  { id: 5, label: 'Direct Voicemail' },
  { id: 6, label: 'Business Hours' },
] as const;

/** Direct Voicemail when the flag is set; otherwise the preset's label, or empty if unknown (B §4). */
export function scheduleLabel(preset: number | null | undefined, voicemail: boolean): string {
  if (voicemail) return 'Direct Voicemail';
  return schedulePresets.find((one) => one.id === preset)?.label ?? '';
}

/** Keys that a confirm key can be (B §3). */
export const confirmKeys = [
  ...Array.from({ length: 10 }, (_, i) => ({ value: String(i), label: String(i) })),
  { value: '65535', label: 'star (*)' },
  { value: '65534', label: 'pound (#)' },
] as const;

/** Default settings of a forwarding route, as given in B §3. */
export const routeDefaults = {
  extension: 1,
  label: '',
  stagger: false,
  caller_id_pass_thru: true,
  type: 'standard',
  confirm_key: false,
  confirm_key_wait: 10,
  timeout: 20,
  onhold_music_id: null,
  geo_by_state_enabled: false,
  geo_by_state_static_fallback: true,
  confirm_whisper: '',
  voicemail_enabled: false,
  round_robin: 'none',
} as const;

export const routeTypes = [
  'standard',
  'simultaneous',
  'sequential',
  'geo',
  'voicemail',
  'in-app-calling',
] as const;
