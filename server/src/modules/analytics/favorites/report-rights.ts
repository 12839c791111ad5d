import {
  daysOfChoices,
  questionOfChoices,
  startChoices,
  type ReportChoices,
} from '#contract/analytics/call-analytics/report-choices';
import { callAnalyticsLimits } from '#contract/analytics/call-analytics/rules';
import { mailedPath } from '#contract/analytics/favorites/rules';
import { accessTo, grantIn, numbersIn, type Access, type Actor } from '../../../platform/access.ts';
import type { TxCtx } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db.ts';
import { ApiError } from '../../../platform/errors.ts';
import { personNow } from '../../companies/index.ts';
import { companiesAsked } from '../query/companies-asked.ts';
import { placedCompanies, type CompanyPlaced } from '../query/placed-companies.ts';
import { daysIn, type Question } from '../query/question.ts';

/**
 * What a favorite's report is asked by, without what is as usual. Null: it opens another screen, or
 * its text can't be read.
 */
export function choicesOf(value: string): Partial<ReportChoices> | null {
  try {
    const { path, filters } = JSON.parse(value) as { path: string; filters?: object };
    if (path !== mailedPath) return null;
    const known = Object.entries(filters ?? {}).filter(([key]) => key in startChoices);
    return Object.fromEntries(known.map(([key, one]) => [key, String(one)]));
  } catch {
    return null;
  }
}

/** Whether the chosen days are more than calls are counted for at once. */
export const coversTooMuch = (choices: Partial<ReportChoices>): boolean =>
  daysIn(daysOfChoices({ ...startChoices, ...choices }, ANY_DAY).range) > callAnalyticsLimits.days;
/** Only chosen days are too many, and they don't depend on today. */
const ANY_DAY = '2026-01-01';

interface ReportRights {
  actor: Actor;
  access: Access;
  /** The numbers whose calls they count; null: all. */
  only: readonly number[] | null;
}

/**
 * In whose name a report leaves the company, with what they may see at this moment. Null: they are
 * gone, or may no longer see reports or export.
 */
export async function reportRights(
  db: Db,
  { companyId, userId }: { companyId: number; userId: number },
): Promise<ReportRights | null> {
  const actor = await personNow(db, userId);
  const access = actor && accessTo(actor, companyId);
  const grant = grantIn(access, 'analytics.view');
  if (!actor || !access || grant === 'none') return null;
  if (grantIn(access, 'exports.make') === 'none') return null;
  return { actor, access, only: numbersIn(access, grant) };
}

/**
 * The companies of a question whose calls may leave in the actor's name. Of an organization those in
 * which they may also export; none: it isn't theirs. Fails with a field error for a company that
 * isn't.
 */
export async function companiesThatLeave(
  ctx: Pick<TxCtx, 'db' | 'actor' | 'companyId' | 'numbers'>,
  question: Pick<Question, 'companyIds' | 'businessUnitIds'>,
): Promise<CompanyPlaced[]> {
  const asked = companiesAsked(ctx, question, 'analytics.view');
  const leaving = asked.filter(
    ({ id }) => grantIn(accessTo(ctx.actor, id), 'exports.make') !== 'none',
  );
  return placedCompanies(ctx, question, leaving);
}

/**
 * Whether a report has companies whose calls may leave in someone's name: those of an organization
 * can be gone. Fails only where asking does.
 */
export async function hasCompanies(
  db: Db,
  companyId: number,
  { actor, only }: ReportRights,
  choices: Partial<ReportChoices>,
): Promise<boolean> {
  const asked = questionOfChoices({ ...startChoices, ...choices });
  const { business_unit_ids: businessUnitIds = [], company_ids: companyIds = [] } = asked;
  try {
    const acting = { db, actor, companyId, numbers: only };
    return (await companiesThatLeave(acting, { businessUnitIds, companyIds })).length > 0;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid') return false;
    throw error;
  }
}
