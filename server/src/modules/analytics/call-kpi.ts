import { analytics as contract, type Answer, type Body } from '#contract';
import { changeOf } from '#contract/analytics/rules';
import type { PeriodFigures, SeriesPoint } from '#contract/analytics/schemas';
import type { TxCtx } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { uniqueCallers } from '../calls/index.ts';
import { isKnownZone } from '../companies/index.ts';
import { figuresOf, zero } from './figures.ts';
import type { Days as ZoneDays, Format, Sums } from './store-figures.ts';
import { periodOf } from './store-figures.ts';

const DAY = 86_400_000;
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
interface Days {
  start: string;
  end: string;
}
/** The same number of days, just before. */
export function daysBefore({ start, end }: Days): Days {
  const [from, to] = [Date.parse(start), Date.parse(end)];
  return { start: dayOf(from - (to - from) - DAY), end: dayOf(from - DAY) };
}
/** The day and time of day in a zone: `2026-11-21`, `09:15:04`. */
function localTime(at: Date, tz: string): { day: string; time: string } {
  // Sweden writes dates as ISO 8601 does.
  const [day = '', time = ''] = at.toLocaleString('sv-SE', { timeZone: tz }).split(' ');
  return { day, time };
}
const answerRate = ({ calls, blocked, answered }: Sums): number | null =>
  calls === blocked ? null : Math.round((1000 * answered) / (calls - blocked)) / 10;
const average = (sum: number, n: number) => (n ? Math.round(sum / n) : 0);
const presentFigures = (sums: Sums, uniques: number): PeriodFigures => ({
  total: sums.calls,
  answered: sums.answered,
  missed: sums.missed,
  voicemail: sums.voicemail,
  blocked: sums.blocked,
  unique_callers: uniques,
  first_time: sums.first_time,
  avg_duration: average(sums.answered_talk_seconds, sums.answered),
  total_minutes: Math.round(sums.talk_seconds / 60),
  avg_ring: average(sums.answered_ring_seconds, sums.answered),
  qualified: sums.qualified,
  leads: sums.leads,
  answer_rate: answerRate(sums) ?? 0,
  messages: sums.texts_in + sums.texts_out,
});

/**
 * Incoming calls of a period, set against another, with the current one day by day (one day: hour
 * by hour). With `sameTime` a period that still runs is set against one that ran for as long. Fails
 * with a field error for an unknown time zone.
 */
export async function callKpi(
  ctx: TxCtx,
  { currentRange, previousRange, tz, sameTime }: Body<typeof contract.callKpi>,
): Promise<Answer<typeof contract.callKpi>> {
  // Names only: the database reads the sign of an offset the other way round.
  if (!isKnownZone(tz)) invalid({ tz: 'Choose a time zone from the list.' });
  const isHourly = currentRange.start === currentRange.end;
  const now = localTime(ctx.now, tz);
  const buckets = bucketsOf(currentRange, isHourly, now);
  const until = sameTime && currentRange.end === now.day ? now.time : undefined;
  const read = async (days: ZoneDays, format: Format | null) => {
    const period = await periodOf(ctx.tx, days, format);
    const { all, series } = await figuresOf(ctx, period, { tz, format, only: ctx.numbers });
    const scope = { only: ctx.numbers, calls: all.calls };
    const uniques = await uniqueCallers(ctx.tx, ctx.companyId, period, scope);
    return { figures: presentFigures(all, uniques), series };
  };
  const byPoint = isHourly ? 'YYYY-MM-DD"T"HH24":00"' : 'YYYY-MM-DD';
  const current = await read({ ...currentRange, tz }, buckets.length ? byPoint : null);
  const before = { ...(previousRange ?? daysBefore(currentRange)), tz, until };
  const previous = await read(before, null);
  const series = buckets.map((at): SeriesPoint => {
    const sums = current.series.get(at);
    const { calls, missed, first_time, texts_in, texts_out } = sums ?? zero;
    const messages = texts_in + texts_out;
    return {
      at,
      total: calls,
      answer_rate: answerRate(sums ?? zero),
      missed,
      first_time,
      messages,
    };
  });
  const change = changeOf(current.figures, previous.figures);
  return { data: { current: current.figures, previous: previous.figures, change, series } };
}

/** Periods with more days have no series. */
const maxBuckets = 400;
/**
 * Every day of a range, or hour of its day, that has begun. An hour that a clock change leaves out
 * is 0.
 */
function bucketsOf(
  { start, end }: Days,
  isHourly: boolean,
  now: { day: string; time: string },
): string[] {
  const hour = (n: number) => `${start}T${String(n).padStart(2, '0')}:00`;
  const days = (Date.parse(end) - Date.parse(start)) / DAY + 1;
  const buckets = isHourly
    ? Array.from({ length: 24 }, (_, n) => hour(n))
    : Array.from({ length: days > maxBuckets ? 0 : days }, (_, n) =>
        dayOf(Date.parse(start) + n * DAY),
      );
  return buckets.filter((at) => at <= `${now.day}T${now.time}`);
}
