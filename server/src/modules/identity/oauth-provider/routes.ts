import { oauthProvider as contract } from '#contract';
import { defineRoutes, withoutTransaction } from '../../../platform/routes.ts';
import {
  listAuthorizations,
  listCompanyAuthorizations,
  revokeAuthorization,
  revokeCompanyAuthorization,
} from './authorizations.ts';
import { createOAuthClient, deleteOAuthClient, listOAuthClients } from './clients.ts';
import { decideConsent, getConsentContext } from './consent.ts';

export const routes = defineRoutes(contract, {
  getConsentContext: withoutTransaction((ctx, _, http) => getConsentContext(ctx, http)),
  decideConsent: withoutTransaction((ctx, { body }, http) => decideConsent(ctx, body, http)),
  listAuthorizations: withoutTransaction((ctx) => listAuthorizations(ctx)),
  revokeAuthorization: withoutTransaction((ctx, { params }) => revokeAuthorization(ctx, params.id)),
  listCompanyAuthorizations: withoutTransaction((ctx) => listCompanyAuthorizations(ctx)),
  revokeCompanyAuthorization: withoutTransaction((ctx, { params }) =>
    revokeCompanyAuthorization(ctx, params.authorizationId),
  ),
  listOAuthClients: withoutTransaction((ctx) => listOAuthClients(ctx)),
  createOAuthClient: withoutTransaction((ctx, { body }) => createOAuthClient(ctx, body)),
  deleteOAuthClient: withoutTransaction((ctx, { params }) => deleteOAuthClient(ctx, params.id)),
});
