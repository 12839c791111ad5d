import { analytics as contract, type Answer, type Body } from '#contract';
import { changeOf } from '#contract/analytics/rules';
import type { PeriodFigures, SeriesPoint } from '#contract/analytics/schemas';
import type { TxCtx } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { isKnownZone } from '../companies/index.ts';
import { countHours, type HoursCounted } from './query/count-hours.ts';
import { noSums } from './query/count-calls.ts';
import { figuresOf } from './query/present.ts';
import { daysBefore, localTime, pointsWithin, type Range } from './query/question.ts';

/** Figures of the engine by the names that home has for them. */
function presentFigures({ sums, texts }: HoursCounted): PeriodFigures {
  const { calls, unique: _u, answer_rate, duration, value: _, ...same } = figuresOf(sums);
  return {
    ...same,
    total: calls,
    unique_callers: sums.unique,
    answer_rate: answer_rate ?? 0,
    total_minutes: Math.round(duration / 60),
    messages: texts,
  };
}

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
  const buckets = pointsWithin(currentRange, isHourly).filter(
    (at) => at <= `${now.day}T${now.time}`,
  );
  const group = buckets.length === 0 ? 'none' : isHourly ? 'hour' : 'day';
  const current = await countHours(ctx, { range: currentRange, tz, group }, ctx.numbers);
  const until = sameTime && currentRange.end === now.day ? now.time : undefined;
  const range: Range = { ...(previousRange ?? daysBefore(currentRange)), until };
  const previous = await countHours(ctx, { range, tz, group: 'none' }, ctx.numbers);
  const series = buckets.map((at): SeriesPoint => {
    const point = current.points.get(at) ?? { sums: noSums(), texts: 0 };
    const { calls, answer_rate, missed, first_time } = figuresOf(point.sums);
    return { at, total: calls, answer_rate, missed, first_time, messages: point.texts };
  });
  const [figures, before] = [presentFigures(current.total), presentFigures(previous.total)];
  return {
    data: { current: figures, previous: before, change: changeOf(figures, before), series },
  };
}
