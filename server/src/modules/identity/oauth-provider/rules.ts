import { accessTokens, type identity } from '#contract';
import type { Access } from '../../../platform/access.ts';
/** A3: access tokens live 60 minutes. */
export const ACCESS_SECONDS = 3600;
/** A3: refresh tokens live 30 days, and each works once. */
export const REFRESH_DAYS = 30;
/** After this long a person is asked again, however often the program renewed its token. */
export const GRANT_DAYS = 400;
/** Programs a company can register. */
export const MOST_CLIENTS = 50;

/** The setting of companies whose people connect approved programs only. */
const approvedOnly = 'approved_applications_only';

/** Whether a program is the company's own, or part of the product. Null: it registered itself. */
const isApproved = (
  program: { is_shared: boolean; company_id: number | null } | null | undefined,
  companyId: number,
): boolean => Boolean(program && (program.is_shared || program.company_id === companyId));

/** Whether a program may be connected in a company: one of another company never. */
export const isAllowed = (
  { companyId, switches }: Access,
  program: { is_shared: boolean; company_id: number | null } | null | undefined,
): boolean => isApproved(program, companyId) || (!program && switches[approvedOnly] !== true);

/** Those of the scopes that a key of this person could have in the company, too. */
export const scopesWithin = (
  { roles }: Access,
  asked: readonly identity.Scope[],
): identity.Scope[] =>
  asked.filter((scope) => roles.some((role) => accessTokens.scopesForRole(role).includes(scope)));
