import { analytics as contract, type Answer, type Body } from '#contract';
import { changeOf } from '#contract/analytics/rules';
import type { PeriodFigures, SeriesPoint } from '#contract/analytics/schemas';
import type { TxCtx } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { callFigures, type CallFigures } from '../calls/index.ts';
import { isKnownZone } from '../companies/index.ts';
import { countTextsBetween } from '../conversations/index.ts';

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
const answerRate = ({ total, blocked, answered }: CallFigures): number | null =>
  total === blocked ? null : Math.round((1000 * answered) / (total - blocked)) / 10;

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
  const format = isHourly ? 'YYYY-MM-DD"T"HH24":00"' : 'YYYY-MM-DD';
  const figuresOf = async (range: Days & { until?: string | undefined }) => {
    const days = { ...range, tz };
    const calls = await callFigures(ctx.tx, ctx.companyId, days, format, ctx.numbers);
    const texts = await countTextsBetween(ctx.tx, ctx.companyId, days, format, ctx.numbers);
    const figures: PeriodFigures = {
      ...calls.all,
      answer_rate: answerRate(calls.all) ?? 0,
      messages: [...texts.values()].reduce((sum, n) => sum + n, 0),
    };
    return { figures, calls: calls.series, texts };
  };
  const now = localTime(ctx.now, tz);
  const until = sameTime && currentRange.end === now.day ? now.time : undefined;
  const current = await figuresOf(currentRange);
  const previous = await figuresOf({ ...(previousRange ?? daysBefore(currentRange)), until });
  const series = bucketsOf(currentRange, isHourly, now).map((at): SeriesPoint => {
    const calls = current.calls.get(at);
    return {
      at,
      total: calls?.total ?? 0,
      answer_rate: calls ? answerRate(calls) : null,
      missed: calls?.missed ?? 0,
      first_time: calls?.first_time ?? 0,
      messages: current.texts.get(at) ?? 0,
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
