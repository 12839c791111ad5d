import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const listPasskeys = endpoint<typeof operations.listPasskeys>({
  name: 'listPasskeys',
  method: 'GET',
  path: '/passkeys',
  permission: 'session',
  company: 'none',
});

export const passkeyCreationOptions = endpoint<typeof operations.passkeyCreationOptions>({
  name: 'passkeyCreationOptions',
  method: 'POST',
  path: '/passkeys/options',
  permission: 'session',
  company: 'none',
  confirms: true,
});

export const createPasskey = endpoint<typeof operations.createPasskey>({
  name: 'createPasskey',
  method: 'POST',
  path: '/passkeys',
  permission: 'session',
  company: 'none',
  confirms: true,
});

export const renamePasskey = endpoint<typeof operations.renamePasskey>({
  name: 'renamePasskey',
  method: 'PATCH',
  path: '/passkeys/{id}',
  permission: 'session',
  company: 'none',
});

export const removePasskey = endpoint<typeof operations.removePasskey>({
  name: 'removePasskey',
  method: 'DELETE',
  path: '/passkeys/{id}',
  permission: 'session',
  company: 'none',
  confirms: true,
});

export const passkeySignInOptions = endpoint<typeof operations.passkeySignInOptions>({
  name: 'passkeySignInOptions',
  method: 'POST',
  path: '/sanctum/passkey/options',
  permission: 'public',
  company: 'none',
  skipsSessionCheck: true,
});

export const signInWithPasskey = endpoint<typeof operations.signInWithPasskey>({
  name: 'signInWithPasskey',
  method: 'POST',
  path: '/sanctum/passkey',
  permission: 'public',
  company: 'none',
  skipsSessionCheck: true,
});
