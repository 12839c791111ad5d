/** The list of calls of a row, where one shows just those and the same days; null: none does. */
export function callsAddress(group: string, key: string, period: string): string | null {
  if (key === '(none)' || period === 'year' || period === 'custom') return null;
  if (group === 'outcome') {
    const outcome = ['answered', 'missed', 'voicemail', 'blocked'].indexOf(key) + 1;
    return outcome > 0
      ? `/activity/calls?outcome=${outcome}&direction=inbound&period=${period}`
      : null;
  }
  if (group !== 'number' && group !== 'source') return null;
  return `/activity/calls?${group}=${encodeURIComponent(key)}&direction=inbound&period=${period}`;
}
