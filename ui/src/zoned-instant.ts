/**
 * Converts a wall-clock time (`YYYY-MM-DDTHH:mm`) in a time zone to an instant. A time skipped by a
 * clock change becomes the next one that exists. Null: not such a time.
 */
export function zonedInstant(local: string, zone: string): Date | null {
  // Engines parse nonsense such as ":00Z" as a day in 2000, so only this form is accepted.
  const asUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(local) ? Date.parse(`${local}:00Z`) : NaN;
  if (Number.isNaN(asUtc)) return null;
  // Applied twice, because the offset at the guess may differ from the offset at the result.
  let at = asUtc;
  for (let i = 0; i < 2; i++) at = asUtc - offsetMs(new Date(at), zone);
  return new Date(at);
}
/** Converts an instant to the wall-clock time of a zone, for `<input type="datetime-local">`. */
export function toLocalInput(at: Date, zone: string): string {
  return new Date(at.getTime() + offsetMs(at, zone)).toISOString().slice(0, 16);
}
function offsetMs(at: Date, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(at);
  const of = (type: string): number => Number(parts.find((p) => p.type === type)?.value);
  return (
    Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second')) -
    Math.floor(at.getTime() / 1000) * 1000
  );
}
