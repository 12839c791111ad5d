import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const listSignInProviders = endpoint<typeof operations.listSignInProviders>({
  name: 'listSignInProviders',
  method: 'GET',
  path: '/oauth/providers',
  permission: 'public',
  company: 'none',
  skipsSessionCheck: true,
});

/** Browsers open it; nothing fetches it. */
export const redirectToSignInProvider = endpoint<typeof operations.redirectToSignInProvider>({
  name: 'redirectToSignInProvider',
  method: 'GET',
  path: '/oauth/{provider}/redirect',
  permission: 'public',
  company: 'none',
});

export const returnFromSignInProvider = endpoint<typeof operations.returnFromSignInProvider>({
  name: 'returnFromSignInProvider',
  method: 'GET',
  path: '/oauth/{provider}/callback',
  permission: 'public',
  company: 'none',
});

export const getProvenIdentity = endpoint<typeof operations.getProvenIdentity>({
  name: 'getProvenIdentity',
  method: 'GET',
  path: '/sanctum/external',
  permission: 'public',
  company: 'none',
  skipsSessionCheck: true,
  sendsCookies: true,
});

export const signInExternally = endpoint<typeof operations.signInExternally>({
  name: 'signInExternally',
  method: 'POST',
  path: '/sanctum/external',
  permission: 'public',
  company: 'none',
  skipsSessionCheck: true,
  sendsCookies: true,
});

export const listSignInMethods = endpoint<typeof operations.listSignInMethods>({
  name: 'listSignInMethods',
  method: 'GET',
  path: '/user/sign-in-methods',
  permission: 'session',
  company: 'none',
});

export const startLinkingSignIn = endpoint<typeof operations.startLinkingSignIn>({
  name: 'startLinkingSignIn',
  method: 'POST',
  path: '/user/sign-in-methods/{provider}',
  permission: 'session',
  company: 'none',
  sendsCookies: true,
  confirms: true,
});

export const linkSignIn = endpoint<typeof operations.linkSignIn>({
  name: 'linkSignIn',
  method: 'POST',
  path: '/user/sign-in-methods',
  permission: 'session',
  company: 'none',
  sendsCookies: true,
  confirms: true,
});

export const unlinkSignIn = endpoint<typeof operations.unlinkSignIn>({
  name: 'unlinkSignIn',
  method: 'DELETE',
  path: '/user/sign-in-methods/{provider}',
  permission: 'session',
  company: 'none',
  confirms: true,
});
