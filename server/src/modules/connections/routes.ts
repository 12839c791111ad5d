import { connections as contract } from '#contract';
import { defineRoutes, withoutTransaction } from '../../platform/routes.ts';
import { redirectToProvider } from './redirect-to-provider.ts';
import { returnFromProvider } from './return-from-provider.ts';

export const routes = defineRoutes(contract, {
  redirectToOAuthProvider: (ctx, { params }) => redirectToProvider(ctx, params.provider),
  finishOAuthConnection: withoutTransaction(async (ctx, { params }, { request, reply }) => {
    const { searchParams } = new URL(request.raw.url ?? '', ctx.settings.publicUrl);
    await reply.redirect(await returnFromProvider(ctx, params.provider, searchParams), 302);
  }),
});
