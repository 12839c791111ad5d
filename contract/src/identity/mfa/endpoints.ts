import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const listMfa = endpoint<typeof operations.listMfa>({
  name: 'listMfa',
  method: 'GET',
  path: '/mfa',
  permission: 'session',
  company: 'none',
});

export const mfaQr = endpoint<typeof operations.mfaQr>({
  name: 'mfaQr',
  method: 'GET',
  path: '/mfa/{kind}/qr',
  permission: 'session',
  company: 'none',
});

export const sendMfaCode = endpoint<typeof operations.sendMfaCode>({
  name: 'sendMfaCode',
  method: 'POST',
  path: '/mfa/{kind}/sendCode',
  permission: 'session',
  company: 'none',
});

export const verifyMfa = endpoint<typeof operations.verifyMfa>({
  name: 'verifyMfa',
  method: 'POST',
  path: '/mfa/{kind}/verify',
  permission: 'session',
  company: 'none',
  confirms: true,
});

export const reactivateMfa = endpoint<typeof operations.reactivateMfa>({
  name: 'reactivateMfa',
  method: 'POST',
  path: '/mfa/{kind}/reactivate',
  permission: 'session',
  company: 'none',
  confirms: true,
});

export const removeMfa = endpoint<typeof operations.removeMfa>({
  name: 'removeMfa',
  method: 'DELETE',
  path: '/mfa/{kind}',
  permission: 'session',
  company: 'none',
  // A fresh code of the factor says as much.
  confirms: ({ code }) => code === undefined,
});

export const signInWithCode = endpoint<typeof operations.signInWithCode>({
  name: 'signInWithCode',
  method: 'POST',
  path: '/sanctum/mfa',
  permission: 'public',
  company: 'none',
  skipsSessionCheck: true,
});

export const mfaToken = endpoint<typeof operations.mfaToken>({
  name: 'mfaToken',
  method: 'POST',
  path: '/sanctum/mfaToken',
  permission: 'public',
  company: 'none',
  skipsSessionCheck: true,
});

export const confirmIdentity = endpoint<typeof operations.confirmIdentity>({
  name: 'confirmIdentity',
  method: 'POST',
  path: '/sanctum/confirm',
  permission: 'session',
  company: 'none',
});
