import { identity as contract } from '#contract';
import { answering, outside } from '../../platform/answer.ts';
import { csrfCookie } from './csrf.ts';
import { login } from './login.ts';
import { whatsNewRead } from './persons.ts';
import { forgotPassword, resetPassword } from './reset-password.ts';
import {
  clearTokenSessions,
  createTokenSession,
  listTokenSessions,
  logout,
} from './token-sessions.ts';

export const answers = answering(contract, {
  csrfCookie: outside((ctx, _, http) => csrfCookie(ctx, http)),
  login: outside((ctx, { body }, http) => login(ctx, body, http)),
  createTokenSession: outside((ctx, { body }, http) => createTokenSession(ctx, body, http)),
  listTokenSessions: outside((ctx) => listTokenSessions(ctx)),
  clearTokenSessions: outside((ctx) => clearTokenSessions(ctx)),
  logout: outside((ctx, _, http) => logout(ctx, http)),
  whatsNewRead: outside((ctx) => whatsNewRead(ctx)),
  forgotPassword: outside((ctx, { body }) => forgotPassword(ctx, body)),
  resetPassword: outside((ctx, { body }) => resetPassword(ctx, body)),
});
