import { mfa as contract } from '#contract';
import { defineRoutes, withoutTransaction } from '../../../platform/routes.ts';
import { reactivateFactor, removeFactor, sendOwnCode, verifyFactor } from './change-factors.ts';
import { confirmIdentity } from './confirm-identity.ts';
import { getQr } from './get-qr.ts';
import { listFactors } from './list-factors.ts';
import { describeSignIn, signInWithCode } from './sign-in-with-code.ts';

export const routes = defineRoutes(contract, {
  listMfa: withoutTransaction((ctx) => listFactors(ctx)),
  mfaQr: withoutTransaction((ctx, { params }) => getQr(ctx, params.kind)),
  sendMfaCode: withoutTransaction((ctx, { params, body }) => sendOwnCode(ctx, params.kind, body)),
  verifyMfa: withoutTransaction((ctx, { params, body }) => verifyFactor(ctx, params.kind, body)),
  reactivateMfa: withoutTransaction((ctx, { params }) => reactivateFactor(ctx, params.kind)),
  removeMfa: withoutTransaction((ctx, { params, body }) => removeFactor(ctx, params.kind, body)),
  signInWithCode: withoutTransaction((ctx, { body }, http) => signInWithCode(ctx, body, http)),
  mfaToken: withoutTransaction((ctx, { body }) => describeSignIn(ctx, body)),
  confirmIdentity: withoutTransaction((ctx, { body }) => confirmIdentity(ctx, body)),
});
