import type { SignInOutcome } from '#contract/identity/external-sign-in/outcomes';

/** A person has this long at the provider, and as long again to finish here. */
export const VISIT_MINUTES = 10;

/** A page of this app to open afterwards; what could lead anywhere else becomes the start page. */
export function pageOfApp(next: string | null | undefined): string {
  if (!next || next.length > 1000 || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(next)) return '/';
  const base = 'https://app.invalid';
  return URL.canParse(next, base) && new URL(next, base).origin === base ? next : '/';
}

interface Visit {
  links: boolean;
  next: string;
}
/** The provider that was visited; of an organization's own its label goes along, which pages don't know. */
interface Visited {
  name: string;
  label: string;
  organizationId: number | null;
}

/** The page of the app that the browser returns to, with the outcome in its query. */
export function pageAfter(
  { name: provider, label, organizationId }: Visited,
  { links, next }: Visit,
  outcome: SignInOutcome,
): string {
  const from = { provider, ...(organizationId !== null && { name: label }) };
  const result = { external: outcome, ...from };
  if (links) return address('/settings/security', result);
  if (outcome === 'signed_in') return address('/login/external', { ...result, next });
  if (outcome !== 'link') return address('/login', { ...result, next });
  // Once they are in as before, they are asked whether to link it.
  const finish = address('/settings/security', { external: 'link', ...from });
  return address('/login', { ...result, next: finish });
}
const address = (path: string, query: Record<string, string>): string =>
  `${path}?${new URLSearchParams(query).toString()}`;

/** As visits and addresses of pages name the provider of an organization. */
export const ownName = (organizationId: number): string => `sso-${organizationId}`;

/** The organization that such a name is of; null: it is of none. */
export const organizationNamed = (name: string): number | null =>
  name.startsWith('sso-') ? Number(name.slice(4)) : null;
