import { DateTime } from 'luxon';
import { isQuietAt, minutesOf } from '#contract/notifications/rules';

/** When quiet hours that hold now end; null: none hold. The times are those of the zone. */
export function quietUntil(
  quiet: { from: string; to: string } | null,
  now: Date,
  timezone: string,
): Date | null {
  if (!quiet) return null;
  const local = DateTime.fromJSDate(now, { zone: timezone });
  if (!isQuietAt(local.hour * 60 + local.minute, quiet.from, quiet.to)) return null;
  const to = minutesOf(quiet.to);
  const today = local.startOf('day').set({ hour: Math.floor(to / 60), minute: to % 60 });
  return (today > local ? today : today.plus({ days: 1 })).toJSDate();
}
