import { sso as contract } from '#contract';
import { defineRoutes, withoutTransaction } from '../../../platform/routes.ts';
import { makeScimToken, revokeScimToken } from '../scim/token.ts';
import { getSso, removeSso, saveSso, testSso } from './connection.ts';
import { saveSsoAccess } from './access.ts';
import { addSsoDomain, checkSsoDomain, removeSsoDomain } from './domains.ts';
import { requireSso } from './require-sso.ts';
import { findSso, redirectToSso, returnFromSso, signInBySso } from './sign-in.ts';

export const routes = defineRoutes(contract, {
  getSso: withoutTransaction((ctx) => getSso(ctx)),
  saveSso: withoutTransaction((ctx, { body }) => saveSso(ctx, body)),
  testSso: withoutTransaction((ctx, { body }) => testSso(ctx, body)),
  removeSso: withoutTransaction((ctx) => removeSso(ctx)),
  addSsoDomain: withoutTransaction((ctx, { body }) => addSsoDomain(ctx, body)),
  checkSsoDomain: withoutTransaction((ctx, { params }) => checkSsoDomain(ctx, params.domain)),
  removeSsoDomain: withoutTransaction((ctx, { params }) => removeSsoDomain(ctx, params.domain)),
  saveSsoAccess: withoutTransaction((ctx, { body }) => saveSsoAccess(ctx, body)),
  requireSso: withoutTransaction((ctx, { body }) => requireSso(ctx, body)),
  makeScimToken: withoutTransaction((ctx) => makeScimToken(ctx)),
  revokeScimToken: withoutTransaction((ctx) => revokeScimToken(ctx)),
  findSso: withoutTransaction((ctx, { body }) => findSso(ctx, body)),
  redirectToSso: withoutTransaction(async (ctx, { params, query }, http) => {
    await http.reply.redirect(await redirectToSso(ctx, http, params.id, query), 302);
  }),
  returnFromSso: withoutTransaction(async (ctx, { params }, http) => {
    const { searchParams } = new URL(http.request.raw.url ?? '', ctx.settings.publicUrl);
    await http.reply.redirect(await returnFromSso(ctx, http, params.id, searchParams), 302);
  }),
  signInBySso: withoutTransaction((ctx, { body }, http) => signInBySso(ctx, body, http)),
});
