import { ownAccount as contract } from '#contract';
import { defineRoutes, withoutTransaction } from '../../../platform/routes.ts';
import { eraseOwnAccount, previewOwnErasure } from './erase-own-account.ts';

export const routes = defineRoutes(contract, {
  previewOwnErasure: withoutTransaction((ctx, { params }) => previewOwnErasure(ctx, params.userId)),
  eraseOwnAccount: withoutTransaction((ctx, { params, body }) =>
    eraseOwnAccount(ctx, params.userId, body.email),
  ),
});
