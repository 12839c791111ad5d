export { isBeamToken, readBeamToken } from './beam-token.ts';
export { requireSameSite, hasValidCsrfToken } from './csrf.ts';
export { confirmEmailChange, startEmailChange } from './change-email.ts';
export { changePassword } from './change-password.ts';
export { endPersonAccess } from './end-access.ts';
export { createFirstOwnerLink, consumeFirstOwnerKey } from './first-owner.ts';
export { createSetupLink } from './first-staff.ts';
export { createPasswordLink } from './password-link.ts';
export { deleteKeysOfCompany } from './access-tokens/store.ts';
export { oauthProviderRoutes } from './oauth-provider/mount.ts';
export { networkOf } from './network.ts';
export { checkPassword } from './password-attempts.ts';
export { openSession } from './open-session.ts';
export { completeSignIn } from './complete-sign-in.ts';
export { requireRecentConfirmation } from './mfa/confirm-identity.ts';
export { textingPlan } from './mfa/rules.ts';
export { resetFactors } from './mfa/reset-factors.ts';
export { browserOf, clearBrowserCookie } from './external-sign-in/browser-cookie.ts';
export { linkNewIdentity, takeNewIdentity } from './external-sign-in/new-identity.ts';
export { returnThrough, type Proven } from './external-sign-in/return-from-provider.ts';
export { takeProven } from './external-sign-in/store.ts';
export {
  markOwnIdentityUsed,
  ownIdentityOf,
  putOwnIdentity,
  type OwnIdentityRow,
} from './external-sign-in/store-own.ts';
export { ownName } from './external-sign-in/rules.ts';
export { redirectTo, type Way } from './external-sign-in/visit-provider.ts';
export { hashPassword, verifyPassword } from './passwords.ts';
export {
  createPerson,
  createSipCredentials,
  sendSignupCode,
  sipCredentialsOf,
  consumeSignupCode,
} from './persons.ts';
export { presentPerson, type PersonRow } from './present.ts';
export { formatUtcDateTime, fullName, passwordProblem } from './rules.ts';
export { requirePassword } from './require-password.ts';
export { patchPerson, setEmail } from './store-profile.ts';
export { ssoOrganizationOf } from './store-families.ts';
export { revokeSessions, revokeSessionsIn, revokeSessionsOf } from './token-sessions.ts';
export { deleteFailures as forgetFailures, ownRow, personByEmail, personById } from './store.ts';
