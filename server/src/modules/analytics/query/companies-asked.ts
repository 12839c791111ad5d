import type { PermissionKey } from '#contract';
import { callAnalyticsLimits } from '#contract/analytics/call-analytics/rules';
import { accessTo, grantIn, numbersIn } from '../../../platform/access.ts';
import type { Ctx } from '../../../platform/context.ts';
import { invalid } from '../../../platform/errors.ts';
import type { Question } from './question.ts';

/** A company whose calls are counted, of these numbers (null: all). */
export interface CompanyAsked {
  id: number;
  only: readonly number[] | null;
}

/**
 * The companies of a question that the actor can count calls in: those it names, those of the
 * business units it names (which are looked at later: `Question.businessUnitIds`), or the request's
 * own. Fails with a field error for one that isn't theirs, and for too many.
 */
export function companiesAsked(
  ctx: Pick<Ctx, 'actor' | 'companyId' | 'numbers'>,
  { companyIds, businessUnitIds }: Pick<Question, 'companyIds' | 'businessUnitIds'>,
  permission: PermissionKey,
): CompanyAsked[] {
  const own = { id: ctx.companyId, only: ctx.numbers };
  if (!companyIds.length && !businessUnitIds.length) return [own];
  const ids = companyIds.length
    ? [...new Set(companyIds)]
    : [...new Set([ctx.companyId, ...ctx.actor.memberships.map((m) => m.companyId)])];
  const found = ids.flatMap((id): CompanyAsked[] => {
    if (id === own.id) return [own];
    const access = accessTo(ctx.actor, id);
    const grant = grantIn(access, permission);
    return access && grant !== 'none' ? [{ id, only: numbersIn(access, grant) }] : [];
  });
  if (companyIds.length && found.length < ids.length)
    invalid({ company_ids: 'Choose companies from the list.' });
  if (found.length > callAnalyticsLimits.companies)
    invalid({ company_ids: `Choose at most ${callAnalyticsLimits.companies} companies.` });
  return found;
}
