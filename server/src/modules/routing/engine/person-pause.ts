/** Whether a person takes calls at a time, whatever their devices do. Pure. */
import { DateTime } from 'luxon';
import { isOpen, opensAt } from './hours.ts';
import type { Person } from './types.ts';

/** Why a person isn't rung. `until`: epoch ms; null = until they turn it off, or no time is known. */
export interface PersonPause {
  reason: 'do_not_disturb' | 'outside_hours';
  until: number | null;
  /** Completes the person's name: "Ann: Closed at Mon 8:00 PM Eastern Time." */
  because: string;
}

/**
 * What keeps a person from being rung; null = nothing. Do not disturb comes first, as they turned
 * it on themselves.
 * @param at epoch ms
 */
export function pauseOf(
  { doNotDisturb, hours }: Pick<Person, 'doNotDisturb' | 'hours'>,
  at: number,
): PersonPause | null {
  if (doNotDisturb && (doNotDisturb.until === null || at < doNotDisturb.until))
    return {
      reason: 'do_not_disturb',
      until: doNotDisturb.until,
      because: `Do not disturb is on${untilText(doNotDisturb.until, hours?.timezone)}.`,
    };
  if (!hours) return null;
  const answer = isOpen(hours, at);
  return answer.open
    ? null
    : { reason: 'outside_hours', until: opensAt(hours, at), because: answer.because };
}

/** " until Mon 9:00 AM" where the person's time zone is known; else nothing. */
function untilText(until: number | null, zone: string | undefined): string {
  if (until === null || zone === undefined) return '';
  const local = DateTime.fromMillis(until, { zone }).setLocale('en-US');
  return ` until ${local.toFormat('ccc h:mm a')}`;
}
