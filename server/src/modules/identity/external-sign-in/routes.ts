import { externalSignIn as contract } from '#contract';
import { defineRoutes, withoutTransaction } from '../../../platform/routes.ts';
import { signInExternally } from './finish-sign-in.ts';
import { linkSignIn, listSignInMethods, unlinkSignIn } from './link-sign-in.ts';
import { getProvenIdentity } from './new-identity.ts';
import { returnFromProvider } from './return-from-provider.ts';
import {
  listSignInProviders,
  redirectToSignInProvider,
  startLinkingSignIn,
} from './visit-provider.ts';

export const routes = defineRoutes(contract, {
  listSignInProviders: withoutTransaction((ctx) => listSignInProviders(ctx)),
  redirectToSignInProvider: withoutTransaction(async (ctx, { params, query }, http) => {
    const to = await redirectToSignInProvider(ctx, http, params.provider, query);
    await http.reply.redirect(to, 302);
  }),
  returnFromSignInProvider: withoutTransaction(async (ctx, { params }, http) => {
    const { searchParams } = new URL(http.request.raw.url ?? '', ctx.settings.publicUrl);
    const to = await returnFromProvider(ctx, http, params.provider, searchParams);
    await http.reply.redirect(to, 302);
  }),
  getProvenIdentity: withoutTransaction((ctx, _, http) => getProvenIdentity(ctx, http)),
  signInExternally: withoutTransaction((ctx, { body }, http) => signInExternally(ctx, body, http)),
  listSignInMethods: withoutTransaction((ctx) => listSignInMethods(ctx)),
  startLinkingSignIn: withoutTransaction((ctx, { params }, http) =>
    startLinkingSignIn(ctx, http, params.provider),
  ),
  linkSignIn: withoutTransaction((ctx, _, http) => linkSignIn(ctx, http)),
  unlinkSignIn: withoutTransaction((ctx, { params }) => unlinkSignIn(ctx, params.provider)),
});
