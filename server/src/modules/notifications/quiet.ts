import { DateTime } from 'luxon';
import {
  hears,
  isQuietAt,
  minutesOf,
  newsKinds,
  newsWays,
  usualWays,
  type NewsKind,
  type NewsWay,
} from '#contract/notification-rules';

/** Rules of how a person wants to hear. Pure. */
export interface Wishes {
  kinds: unknown;
  number_ids: readonly number[];
  quiet: boolean;
  quiet_from: string;
  quiet_to: string;
}

/** What was saved, filled up with what is usual. */
export function waysOf(kinds: unknown): Record<NewsKind, NewsWay> {
  const said = (typeof kinds === 'object' && kinds !== null ? kinds : {}) as Record<
    string,
    unknown
  >;
  return Object.fromEntries(
    newsKinds.map((kind) => [kind, newsWays.find((way) => way === said[kind]) ?? usualWays[kind]]),
  ) as Record<NewsKind, NewsWay>;
}
export const wants = (
  wishes: Wishes | undefined,
  kind: NewsKind,
  way: 'push' | 'email',
  numberId: number | null,
): boolean => hears(waysOf(wishes?.kinds)[kind], wishes?.number_ids ?? [], way, numberId);

/** When the quiet that holds now is over; null: it is not quiet. From = to means the whole day is not quiet. */
export function quietUntil(wishes: Wishes | undefined, zone: string, now: Date): Date | null {
  if (!wishes?.quiet) return null;
  const local = DateTime.fromJSDate(now, { zone });
  if (!isQuietAt(local.hour * 60 + local.minute, wishes.quiet_from, wishes.quiet_to)) return null;
  const to = minutesOf(wishes.quiet_to);
  const today = local.startOf('day').set({ hour: Math.floor(to / 60), minute: to % 60 });
  return (today > local ? today : today.plus({ days: 1 })).toJSDate();
}
