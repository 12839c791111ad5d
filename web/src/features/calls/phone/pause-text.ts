import type { calls } from '#contract';
import { calendarDay, formatMoment, formatTime, t, userZone } from '#ui';

/** When a pause ends, as it stands after "until": "5:00 PM", "tomorrow 9:00 AM", "Dec 3, 9:00 AM". */
export function untilText(until: string, now = Date.now(), zone = userZone()): string {
  const isTomorrow = calendarDay(until, zone) === calendarDay(now + 86_400_000, zone);
  return isTomorrow
    ? t('tomorrow {time}', { time: formatTime(until, zone) })
    : formatMoment(until, now, zone);
}

/** Why someone isn't rung, in a few words: "Off until 9:00 AM", "Do not disturb". */
export function pauseText({ reason, until }: calls.Pause): string {
  if (reason === 'do_not_disturb')
    return until
      ? t('Do not disturb until {time}', { time: untilText(until) })
      : t('Do not disturb');
  return until ? t('Off until {time}', { time: untilText(until) }) : t('Not taking calls');
}
