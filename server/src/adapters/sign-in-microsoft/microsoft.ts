import type { IdentityProvider } from '../../gateways/sign-in.ts';
import type { SignInApp } from '../openid/credentials.ts';
import type { IdentityClaims } from '../openid/claims.ts';
import { openIdProvider, type OpenIdVendor } from '../openid/openid-provider.ts';

export interface MicrosoftApp extends SignInApp {
  /** `common`, `organizations`, `consumers`, or the ID of one directory. */
  tenant: string;
}

const host = 'https://login.microsoftonline.com';
/** The directory of all personal accounts. Microsoft has verified their addresses. */
const consumers = '9188040d-6c67-4c5b-b112-36a304b66dad';

/**
 * Microsoft accounts. Two of its ways are its own:
 * - Metadata of `common` and `organizations` name the issuer `…/{tenantid}/v2.0`. The library puts in
 *   the token's own `tid`, which any directory can fill, so who may come is decided here.
 * - Whoever administers a directory can write any `email` into it. It proves nothing unless
 *   `xms_edov` says that the directory owns the domain, or the directory is the operator's own.
 *
 * Unverified: built from its public reference, not tried with a live account.
 * @param fetch tests only
 */
export const microsoftIdentities = (
  { tenant, ...app }: MicrosoftApp,
  fetch?: NonNullable<OpenIdVendor['fetch']>,
): IdentityProvider =>
  openIdProvider({
    name: 'microsoft',
    label: 'Microsoft',
    issuer: `${host}/${tenant}/v2.0`,
    ...app,
    authorizationParameters: { prompt: 'select_account' },
    isPublic: true,
    refusal: (claims) => refusal(tenant, claims),
    hasVerifiedEmail: ({ tid, xms_edov: ownsDomain }) =>
      tid === consumers || ownsDomain === true || tid === tenant,
    ...(fetch && { fetch }),
  });

function refusal(tenant: string, { iss, tid }: IdentityClaims): string | null {
  if (!tid || iss !== `${host}/${tid}/v2.0`) return `issuer ${iss} is not of directory ${tid}`;
  if (tenant === 'common') return null;
  const isPersonal = tid === consumers;
  const isAllowed =
    tenant === 'organizations' ? !isPersonal : tenant === 'consumers' ? isPersonal : tid === tenant;
  return isAllowed ? null : `directory ${tid} is not of ${tenant}`;
}
