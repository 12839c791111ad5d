import { schedules } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid, fail } from '../../../platform/errors.ts';
import { getSchedule, plansFor } from './get-schedule.ts';
import type { Plan } from './present.ts';
import { mergeHours, applyInput, overlapError } from './rules.ts';
import { lockSchedule, writeSchedule } from './store.ts';

/** PUT /companies/{companyId}/schedule: absent fields stay; presets change as in A7.3. */
export async function saveSchedule(
  ctx: TxCtx,
  userId: number | null,
  sent: schedules.ScheduleIn,
): Promise<{ data: schedules.Schedule }> {
  await lockSchedule(ctx.tx, ctx.companyId, userId);
  const { plan: before, company } = await plansFor(ctx, userId);
  const after = validatedPlan(before, company, sent);
  await writeSchedule(ctx.tx, ctx.companyId, userId, {
    timezone: after.timezone,
    preset: after.preset,
    blocks: JSON.stringify(after.blocks),
    custom_blocks: after.custom_blocks === null ? null : JSON.stringify(after.custom_blocks),
    exceptions: JSON.stringify(after.exceptions),
    hours: JSON.stringify(after.hours),
    voicemail: after.voicemail,
    updated_at: ctx.now,
  });
  await audit(
    ctx,
    'schedule.changed',
    userId === null ? `company:${ctx.companyId}` : `user:${userId}`,
    { before: auditView(before), after: auditView(after) },
  );
  await ctx.publish(schedules.scheduleChanged, { companyId: ctx.companyId, userId });
  return getSchedule(ctx, userId);
}

/** The schedule after the update; throws schedule.overlap or invalid. */
export function validatedPlan(before: Plan, company: Plan, sent: schedules.ScheduleIn): Plan {
  const overlap = overlapError(sent);
  if (overlap !== null) fail('schedule.overlap', { day: overlap.day }, { field: overlap.field });
  const { hours, changed, errors } = mergeHours(sent, company.hours);
  if (Object.keys(errors).length > 0) invalid(errors);
  if (changed && before.user_id !== null)
    invalid({
      user_id: 'Opening hours belong to the company. Enter blocks for this person instead.',
    });
  return applyInput(before, sent, company, before.user_id === null ? hours : {});
}

const auditView = ({ preset, timezone, blocks, exceptions, hours, voicemail }: Plan) => ({
  preset,
  timezone,
  blocks,
  exceptions,
  hours,
  voicemail,
});
