export { answers } from './routes.ts';
export { guardSignIn, provesOrigin } from './csrf.ts';
export { makeFirstOwnerLink, useFirstOwnerKey } from './first-owner.ts';
export { jobs } from './jobs.ts';
export { openSession } from './open-session.ts';
export { hashPassword } from './passwords.ts';
export {
  createPerson,
  giveSipCredentials,
  sendSignupCode,
  sipOf,
  useSignupCode,
} from './persons.ts';
export { briefOf, type PersonRow } from './present.ts';
export { plainMoment, fullName, whyNotPassword } from './rules.ts';
export { revoke } from './token-sessions.ts';
export { personByEmail, personById } from './store.ts';
