export { routes } from './routes.ts';
export { requireSameSite, hasValidCsrfToken } from './csrf.ts';
export { createFirstOwnerLink, consumeFirstOwnerKey } from './first-owner.ts';
export { jobs } from './jobs.ts';
export { openSession } from './open-session.ts';
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
export { revokeSessions } from './token-sessions.ts';
export { owns, personByEmail, personById } from './store.ts';
