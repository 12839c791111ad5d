import { DateTime } from 'luxon';
import type { Answer, Body, schedules } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { isOpen } from '../engine/hours.ts';
import { plansFor } from './get-schedule.ts';
import { hoursOfPlan } from './rules.ts';
import { validatedPlan } from './save-schedule.ts';

/** POST /companies/{companyId}/schedule/preview: what the engine decides for unsaved hours. */
export async function previewSchedule(
  ctx: TxCtx,
  { at, on, ...sent }: Body<typeof schedules.previewSchedule>,
): Promise<Answer<typeof schedules.previewSchedule>> {
  const { plan, company } = await plansFor(ctx, sent.user_id ?? null);
  const after = validatedPlan(plan, company, sent);
  const hours = hoursOfPlan(after, after.user_id === null ? after : company);
  const wall = on === undefined ? null : DateTime.fromISO(on, { zone: hours.timezone });
  const moment = wall?.isValid ? wall.toJSDate() : at === undefined ? ctx.now : new Date(at);
  return { data: { at: moment.toISOString(), ...isOpen(hours, moment.getTime()) } };
}
