import {
  daysOfChoices,
  startChoices,
  type ReportChoices,
} from '#contract/analytics/call-analytics/report-choices';
import { callAnalyticsLimits } from '#contract/analytics/call-analytics/rules';
import { mailedPath } from '#contract/analytics/favorites/rules';
import { accessTo, grantIn, numbersIn, type Access, type Actor } from '../../../platform/access.ts';
import type { Db } from '../../../platform/db.ts';
import { personNow } from '../../companies/index.ts';
import { daysIn } from '../query/question.ts';

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
