import { calendarDay, formatRelativeDay, formatTime, t, userZone } from '#ui';
import { zonedInstant } from '#ui/zoned-instant.ts';

export { toLocalInput, zonedInstant } from '#ui/zoned-instant.ts';

/** Send times for scheduled messages, in the user's time zone. */

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
