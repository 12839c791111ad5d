const names = new Map<string, string>();

/**
 * A time zone as people call it: `Eastern Time`. Zones without such a name, and unknown ones, keep
 * their own: `UTC`.
 */
export function zoneName(zone: string): string {
  const known = names.get(zone);
  if (known !== undefined) return known;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longGeneric' });
  } catch {
    return zone; // Not cached: there are endless unknown names.
  }
  const name = format.formatToParts(new Date()).find((p) => p.type === 'timeZoneName')?.value;
  const shown = name === undefined || name.startsWith('GMT') ? zone.replaceAll('_', ' ') : name;
  names.set(zone, shown);
  return shown;
}
