import type { schedules } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { companyRow } from '../../companies/index.ts';
import { companyPlan, planOf, presentSchedule, defaultPlan, type Plan } from './present.ts';
import { memberExists, countNumbersUsing, scheduleOf } from './store.ts';

/** GET /companies/{companyId}/schedule: the company's hours, or with `user_id` one person's. */
export async function getSchedule(
  ctx: TxCtx,
  userId: number | null,
): Promise<{ data: schedules.Schedule }> {
  const { plan, company } = await plansFor(ctx, userId);
  return {
    data: presentSchedule(ctx.companyId, plan, company, {
      usedBy: plan.id === null ? 0 : await countNumbersUsing(ctx.tx, ctx.companyId, plan.id),
      today: ctx.now.toISOString().slice(0, 10),
    }),
  };
}

/**
 * The requested schedule (the user's, or the company's) and the company's, which it may refer to.
 * `not_found` for a user who is not a member.
 */
export async function plansFor(
  ctx: TxCtx,
  userId: number | null,
): Promise<{ plan: Plan; company: Plan }> {
  const { tx, companyId } = ctx;
  if (userId !== null && !(await memberExists(tx, companyId, userId))) notFound();
  const row = await scheduleOf(tx, companyId, null);
  const company = companyPlan(row, await companyRow(tx, companyId), ctx.now);
  if (userId === null) return { plan: company, company };
  const own = await scheduleOf(tx, companyId, userId);
  return { plan: own === undefined ? defaultPlan(userId, company.timezone) : planOf(own), company };
}
