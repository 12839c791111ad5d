import { identity as contract } from '#contract';
import { defineRoutes, mergeRoutes, withoutTransaction } from '../../platform/routes.ts';
import { getBeamToken } from './beam-token.ts';
import { setCsrfCookie } from './csrf.ts';
import { setUpInstallation } from './first-staff.ts';
import { login } from './login.ts';
import { markWhatsNewRead } from './persons.ts';
import { forgotPassword, resetPassword } from './reset-password.ts';
import {
  endOtherSessions,
  endTokenSession,
  createTokenSession,
  listTokenSessions,
  logout,
} from './token-sessions.ts';
import { routes as mfaRoutes } from './mfa/routes.ts';
import { routes as passkeyRoutes } from './passkeys/routes.ts';
import { routes as externalSignInRoutes } from './external-sign-in/routes.ts';
import { routes as oauthProviderRoutes } from './oauth-provider/routes.ts';
import { routes as accessTokenRoutes } from './access-tokens/routes.ts';

export const routes = mergeRoutes(
  mfaRoutes,
  passkeyRoutes,
  externalSignInRoutes,
  oauthProviderRoutes,
  accessTokenRoutes,
  defineRoutes(contract, {
    csrfCookie: withoutTransaction((ctx, _, http) => setCsrfCookie(ctx, http)),
    login: withoutTransaction((ctx, { body }, http) => login(ctx, body, http)),
    setUpInstallation: withoutTransaction((ctx, { body }, http) =>
      setUpInstallation(ctx, body, http),
    ),
    createTokenSession: withoutTransaction((ctx, { body }, http) =>
      createTokenSession(ctx, body, http),
    ),
    listTokenSessions: withoutTransaction((ctx) => listTokenSessions(ctx)),
    endTokenSession: withoutTransaction((ctx, { params }) => endTokenSession(ctx, params.id)),
    clearTokenSessions: withoutTransaction((ctx) => endOtherSessions(ctx)),
    logout: withoutTransaction((ctx, _, http) => logout(ctx, http)),
    whatsNewRead: withoutTransaction((ctx) => markWhatsNewRead(ctx)),
    getBeamToken: withoutTransaction((ctx, { query }) => getBeamToken(ctx, query)),
    forgotPassword: withoutTransaction((ctx, { body }) => forgotPassword(ctx, body)),
    resetPassword: withoutTransaction((ctx, { body }) => resetPassword(ctx, body)),
  }),
);
