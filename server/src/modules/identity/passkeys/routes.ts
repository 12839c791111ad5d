import { passkeys as contract } from '#contract';
import { defineRoutes, withoutTransaction } from '../../../platform/routes.ts';
import {
  createPasskey,
  listPasskeys,
  passkeyCreationOptions,
  removePasskey,
  renamePasskey,
} from './manage-passkeys.ts';
import { passkeySignInOptions, signInWithPasskey } from './sign-in-with-passkey.ts';

export const routes = defineRoutes(contract, {
  listPasskeys: withoutTransaction((ctx) => listPasskeys(ctx)),
  passkeyCreationOptions: withoutTransaction((ctx) => passkeyCreationOptions(ctx)),
  createPasskey: withoutTransaction((ctx, { body }) => createPasskey(ctx, body)),
  renamePasskey: withoutTransaction((ctx, { params, body }) => renamePasskey(ctx, params.id, body)),
  removePasskey: withoutTransaction((ctx, { params }) => removePasskey(ctx, params.id)),
  passkeySignInOptions: withoutTransaction((ctx, { body }) => passkeySignInOptions(ctx, body)),
  signInWithPasskey: withoutTransaction((ctx, { body }, http) =>
    signInWithPasskey(ctx, body, http),
  ),
});
