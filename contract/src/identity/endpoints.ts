import { endpoint } from '../kit.ts';
import type * as operations from './operations.ts';

export const csrfCookie = endpoint<typeof operations.csrfCookie>({
  name: 'csrfCookie',
  method: 'GET',
  path: '/csrf-cookie',
  permission: 'public',
  company: 'none',
});

export const login = endpoint<typeof operations.login>({
  name: 'login',
  method: 'POST',
  path: '/sanctum/login',
  permission: 'public',
  company: 'none',
  skipsSessionCheck: true,
});

/** Works while no platform staff has an account, with the link from the server's log. */
export const setUpInstallation = endpoint<typeof operations.setUpInstallation>({
  name: 'setUpInstallation',
  method: 'POST',
  path: '/setup',
  permission: 'public',
  company: 'none',
  skipsSessionCheck: true,
});

export const createTokenSession = endpoint<typeof operations.createTokenSession>({
  name: 'createTokenSession',
  method: 'POST',
  path: '/sanctum/createTokenSession',
  permission: 'public',
  company: 'none',
  skipsSessionCheck: true,
});

export const listTokenSessions = endpoint<typeof operations.listTokenSessions>({
  name: 'listTokenSessions',
  method: 'GET',
  path: '/sanctum/tokenSessions',
  permission: 'session',
  company: 'none',
});

export const endTokenSession = endpoint<typeof operations.endTokenSession>({
  name: 'endTokenSession',
  method: 'DELETE',
  path: '/sanctum/tokenSessions/{id}',
  permission: 'session',
  company: 'none',
});

export const clearTokenSessions = endpoint<typeof operations.clearTokenSessions>({
  name: 'clearTokenSessions',
  method: 'POST',
  path: '/sanctum/clearTokenSessions',
  permission: 'session',
  company: 'none',
});

export const logout = endpoint<typeof operations.logout>({
  name: 'logout',
  method: 'GET',
  path: '/sanctum/logout',
  permission: 'session',
  company: 'none',
  audience: 'both',
  skipsSessionCheck: true,
});

export const whatsNewRead = endpoint<typeof operations.whatsNewRead>({
  name: 'whatsNewRead',
  method: 'POST',
  path: '/user/whats_new_read',
  permission: 'session',
  company: 'none',
});

/** For what registers devices without a session of its own: a service worker, an app's extension. */
export const getBeamToken = endpoint<typeof operations.getBeamToken>({
  name: 'getBeamToken',
  method: 'GET',
  path: '/user/beam-token',
  permission: 'session',
  company: 'none',
});

export const forgotPassword = endpoint<typeof operations.forgotPassword>({
  name: 'forgotPassword',
  method: 'POST',
  path: '/password/forgot',
  permission: 'public',
  company: 'none',
});

export const resetPassword = endpoint<typeof operations.resetPassword>({
  name: 'resetPassword',
  method: 'POST',
  path: '/password/reset',
  permission: 'public',
  company: 'none',
});
