import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const getSso = endpoint<typeof operations.getSso>({
  name: 'getSso',
  method: 'GET',
  path: '/business-units/{id}/sso',
  permission: 'organization.edit',
  company: 'organization',
});

export const saveSso = endpoint<typeof operations.saveSso>({
  name: 'saveSso',
  method: 'PUT',
  path: '/business-units/{id}/sso',
  permission: 'organization.edit',
  company: 'organization',
  confirms: true,
});

export const testSso = endpoint<typeof operations.testSso>({
  name: 'testSso',
  method: 'POST',
  path: '/business-units/{id}/sso/test',
  permission: 'organization.edit',
  company: 'organization',
});

export const removeSso = endpoint<typeof operations.removeSso>({
  name: 'removeSso',
  method: 'DELETE',
  path: '/business-units/{id}/sso',
  permission: 'organization.edit',
  company: 'organization',
  confirms: true,
});

export const addSsoDomain = endpoint<typeof operations.addSsoDomain>({
  name: 'addSsoDomain',
  method: 'POST',
  path: '/business-units/{id}/sso/domains',
  permission: 'organization.edit',
  company: 'organization',
});

export const checkSsoDomain = endpoint<typeof operations.checkSsoDomain>({
  name: 'checkSsoDomain',
  method: 'POST',
  path: '/business-units/{id}/sso/domains/{domain}/check',
  permission: 'organization.edit',
  company: 'organization',
});

export const removeSsoDomain = endpoint<typeof operations.removeSsoDomain>({
  name: 'removeSsoDomain',
  method: 'DELETE',
  path: '/business-units/{id}/sso/domains/{domain}',
  permission: 'organization.edit',
  company: 'organization',
  confirms: true,
});

export const saveSsoAccess = endpoint<typeof operations.saveSsoAccess>({
  name: 'saveSsoAccess',
  method: 'PUT',
  path: '/business-units/{id}/sso/access',
  permission: 'organization.edit',
  company: 'organization',
  confirms: true,
});

export const requireSso = endpoint<typeof operations.requireSso>({
  name: 'requireSso',
  method: 'PUT',
  path: '/business-units/{id}/sso/required',
  permission: 'organization.edit',
  company: 'organization',
  confirms: true,
});

export const makeScimToken = endpoint<typeof operations.makeScimToken>({
  name: 'makeScimToken',
  method: 'POST',
  path: '/business-units/{id}/scim-token',
  permission: 'organization.edit',
  company: 'organization',
  confirms: true,
});

export const revokeScimToken = endpoint<typeof operations.revokeScimToken>({
  name: 'revokeScimToken',
  method: 'DELETE',
  path: '/business-units/{id}/scim-token',
  permission: 'organization.edit',
  company: 'organization',
  confirms: true,
});

export const findSso = endpoint<typeof operations.findSso>({
  name: 'findSso',
  method: 'POST',
  path: '/sanctum/sso/find',
  permission: 'public',
  company: 'none',
  skipsSessionCheck: true,
});

/** Browsers open it; nothing fetches it. */
export const redirectToSso = endpoint<typeof operations.redirectToSso>({
  name: 'redirectToSso',
  method: 'GET',
  path: '/oauth/sso/{id}/redirect',
  permission: 'public',
  company: 'none',
});

export const returnFromSso = endpoint<typeof operations.returnFromSso>({
  name: 'returnFromSso',
  method: 'GET',
  path: '/oauth/sso/{id}/callback',
  permission: 'public',
  company: 'none',
});

export const signInBySso = endpoint<typeof operations.signInBySso>({
  name: 'signInBySso',
  method: 'POST',
  path: '/sanctum/sso',
  permission: 'public',
  company: 'none',
  skipsSessionCheck: true,
  sendsCookies: true,
});
