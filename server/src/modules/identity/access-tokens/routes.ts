import { accessTokens as contract } from '#contract';
import { defineRoutes, withoutTransaction } from '../../../platform/routes.ts';
import {
  createPersonalAccessToken,
  deletePersonalAccessToken,
  listPersonalAccessTokens,
} from './access-tokens.ts';

export const routes = defineRoutes(contract, {
  listPersonalAccessTokens: withoutTransaction((ctx) => listPersonalAccessTokens(ctx)),
  createPersonalAccessToken: (ctx, { body }) => createPersonalAccessToken(ctx, body),
  deletePersonalAccessToken: (ctx, { params }) => deletePersonalAccessToken(ctx, params.id),
});
