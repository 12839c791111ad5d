import { calendarDay, formatRelativeDay, formatTime, t, userZone } from '#ui';

/** Send times for scheduled messages, in the user's time zone. */

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

interface SchedulePreset {
  label: string;
  at: Date;
}
/** In an hour, this evening, tomorrow morning, next Monday; past times are left out. */
export function schedulePresets(now: Date, zone: string): SchedulePreset[] {
  const today = calendarDay(now, zone);
  const dayAfter = (n: number): string =>
    new Date(Date.parse(`${today}T12:00Z`) + n * 86_400_000).toISOString().slice(0, 10);
  const weekday = new Date(`${today}T12:00Z`).getUTCDay();
  const toMonday = (8 - weekday) % 7 || 7;
  const at = (day: string, time: string): Date => zonedInstant(`${day}T${time}`, zone)!;
  return [
    {
      label: t('In 1 hour'),
      at: new Date(Math.ceil((now.getTime() + 3_600_000) / 300_000) * 300_000),
    },
    { label: t('This evening'), at: at(today, '18:00') },
    { label: t('Tomorrow morning'), at: at(dayAfter(1), '09:00') },
    { label: t('Tomorrow afternoon'), at: at(dayAfter(1), '13:00') },
    ...(toMonday > 1 ? [{ label: t('Monday morning'), at: at(dayAfter(toMonday), '09:00') }] : []),
  ].filter((p) => p.at.getTime() > now.getTime() + 15 * 60_000);
}

/** For the middle of a sentence: `today, 6:00 PM`, `tomorrow, 9:00 AM`, `Nov 30, 9:00 AM`. */
export function formatWhen(at: Date | string, now: Date = new Date(), zone = userZone()): string {
  const ahead = Math.round(
    (Date.parse(calendarDay(at, zone)) - Date.parse(calendarDay(now, zone))) / 86_400_000,
  );
  const day =
    ahead === 0 ? t('today') : ahead === 1 ? t('tomorrow') : formatRelativeDay(at, now, zone);
  return t('{day}, {time}', { day, time: formatTime(at, zone) });
}
