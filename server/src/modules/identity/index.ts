export { answers } from './routes.ts';
export { provesOrigin } from './csrf.ts';
export { openSession, SESSION_COOKIE } from './open-session.ts';
export { createPerson, giveSipCredentials, sendSignupCode, sipOf, useSignupCode } from './persons.ts';
export { briefOf, type PersonRow } from './present.ts';
export { plainMoment, fullName, whyNotPassword } from './rules.ts';
export { revoke } from './token-sessions.ts';
export { personByEmail, personById } from './store.ts';
