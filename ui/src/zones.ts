import { t } from './i18n.ts';

/**
 * Time zones as options (A29): US zones first, then by offset, labeled `(UTC−05:00) Eastern Time –
 * New York` with today's offset.
 */
const first: [zone: string, name: string][] = [
  ['America/New_York', 'Eastern Time – New York'],
  ['America/Chicago', 'Central Time – Chicago'],
  ['America/Denver', 'Mountain Time – Denver'],
  ['America/Phoenix', 'Arizona – Phoenix'],
  ['America/Los_Angeles', 'Pacific Time – Los Angeles'],
  ['America/Anchorage', 'Alaska – Anchorage'],
  ['Pacific/Honolulu', 'Hawaii – Honolulu'],
  ['America/Halifax', 'Atlantic Time – Halifax'],
];

/** Today's offset from UTC in minutes; positive is east. */
function offsetOf(zone: string, at = new Date()): number {
  const name =
    new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
      .formatToParts(at)
      .find((p) => p.type === 'timeZoneName')?.value ?? 'GMT';
  const [, sign, h, m] = /GMT([+-])(\d{2}):?(\d{2})?/.exec(name) ?? [];
  return sign ? (sign === '-' ? -1 : 1) * (Number(h) * 60 + Number(m ?? 0)) : 0;
}
const formatOffset = (minutes: number): string =>
  `UTC${minutes < 0 ? '−' : '+'}${String(Math.floor(Math.abs(minutes) / 60)).padStart(2, '0')}:${String(Math.abs(minutes) % 60).padStart(2, '0')}`;

let cachedOptions: { value: string; label: string }[] | null = null;
/** The options, computed once per page load. */
export function zoneOptions(): { value: string; label: string }[] {
  if (cachedOptions) return cachedOptions;
  const own = new Set(first.map(([zone]) => zone));
  const others = Intl.supportedValuesOf('timeZone')
    .filter((zone) => !own.has(zone))
    .map((zone) => ({ zone, offset: offsetOf(zone) }))
    .sort((a, b) => a.offset - b.offset || a.zone.localeCompare(b.zone));
  return (cachedOptions = [
    ...first.map(([value, name]) => ({
      value,
      label: `(${formatOffset(offsetOf(value))}) ${t(name)}`,
    })),
    { value: 'UTC', label: '(UTC+00:00) UTC' },
    ...others
      .filter(({ zone }) => zone !== 'UTC')
      .map(({ zone, offset }) => ({
        value: zone,
        label: `(${formatOffset(offset)}) ${zone.replace(/_/g, ' ').replace('/', ' – ')}`,
      })),
  ]);
}
