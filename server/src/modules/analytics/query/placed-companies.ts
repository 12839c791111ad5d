import type { TxCtx } from '../../../platform/context.ts';
import type { CompanyAsked } from './companies-asked.ts';
import type { Question } from './question.ts';
import { placesOf } from './store-names.ts';

// The system role: organizations are above companies. Only companies that the actor can count calls
// in are looked at (`companiesAsked`).

/** A company that is counted, and the organization it is in. */
export interface CompanyPlaced extends CompanyAsked {
  organizationId: number | null;
  name: string;
}

/**
 * The companies that a question counts, by name: of those that were asked for, those that are there
 * and, where it names organizations, in one of these. An organization's figures leave out companies
 * that are deactivated or suspended.
 */
export async function placedCompanies(
  { db }: Pick<TxCtx, 'db'>,
  { businessUnitIds }: Pick<Question, 'businessUnitIds'>,
  companies: readonly CompanyAsked[],
): Promise<CompanyPlaced[]> {
  const asked = new Map(companies.map((company) => [company.id, company]));
  return (await placesOf(db.unscoped, [...asked.keys()])).flatMap(
    ({ id, name, organizationId, isClosed }) => {
      const company = asked.get(id);
      const isMeant =
        businessUnitIds.length === 0 ||
        (!isClosed && organizationId !== null && businessUnitIds.includes(organizationId));
      return company && isMeant ? [{ ...company, name, organizationId }] : [];
    },
  );
}

/**
 * The companies of organizations whose figures are in an answer, and whether they are those of some
 * numbers only; null: of the given company.
 */
export const namedCompanies = (
  { businessUnitIds }: Pick<Question, 'businessUnitIds'>,
  companies: readonly CompanyPlaced[],
): { id: number; name: string; is_limited: boolean }[] | null =>
  businessUnitIds.length
    ? companies.map(({ id, name, only }) => ({ id, name, is_limited: only !== null }))
    : null;
