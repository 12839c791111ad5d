import type { TxCtx } from '../../../platform/context.ts';
import { uniqueCallers } from '../../calls/index.ts';
import { figuresOf as figuresOfHours } from '../figures.ts';
import { periodOf, type Format, type Sums as HourSums } from '../store-figures.ts';
import { noSums } from './count-calls.ts';
import type { Question } from './question.ts';
import type { Sums } from './store-figures-of-calls.ts';

/** What the counted hours say of a point: sums of calls without their value, and texts. */
export interface HoursCounted {
  sums: Sums;
  texts: number;
}

const formats: Partial<Record<Question['group'], Format>> = {
  day: 'YYYY-MM-DD',
  hour: 'YYYY-MM-DD"T"HH24":00"',
};

/**
 * The figures of `countCalls` for incoming calls without filters, from hours that were counted as
 * calls came and changed: for home, which asks all the time and of millions of calls. Also counts
 * texts. Callers are those of the whole; hours are those of each day. `only`: these numbers; null:
 * all.
 */
export async function countHours(
  ctx: TxCtx,
  { range, tz, group }: Pick<Question, 'range' | 'tz' | 'group'>,
  only: readonly number[] | null,
): Promise<{ total: HoursCounted; points: Map<string, HoursCounted> }> {
  const format = formats[group] ?? null;
  const period = await periodOf(ctx.tx, { ...range, tz }, format);
  const { all, series } = await figuresOfHours(ctx, period, { tz, format, only });
  const unique = await uniqueCallers(ctx.tx, ctx.companyId, period, { only, calls: all.calls });
  return {
    total: counted(all, unique),
    points: new Map([...series].map(([at, sums]) => [at, counted(sums, 0)])),
  };
}

const counted = (hours: HourSums, unique: number): HoursCounted => ({
  sums: {
    ...noSums(),
    calls: hours.calls,
    answered: hours.answered,
    missed: hours.missed,
    voicemail: hours.voicemail,
    blocked: hours.blocked,
    first_time: hours.first_time,
    talk: hours.talk_seconds,
    answered_talk: hours.answered_talk_seconds,
    answered_ring: hours.answered_ring_seconds,
    qualified: hours.qualified,
    leads: hours.leads,
    unique,
  },
  texts: hours.texts_in + hours.texts_out,
});
