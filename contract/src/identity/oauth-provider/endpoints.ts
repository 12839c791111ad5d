import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const getConsentContext = endpoint<typeof operations.getConsentContext>({
  name: 'getConsentContext',
  method: 'GET',
  path: '/oauth/consent/context',
  permission: 'session',
  company: 'none',
  sendsCookies: true,
});

export const decideConsent = endpoint<typeof operations.decideConsent>({
  name: 'decideConsent',
  method: 'POST',
  path: '/oauth/consent',
  permission: 'session',
  company: 'none',
  // Only where the program asked for the scope `admin`.
  confirms: 'own',
  sendsCookies: true,
});

export const listAuthorizations = endpoint<typeof operations.listAuthorizations>({
  name: 'listAuthorizations',
  method: 'GET',
  path: '/oauth/authorizations',
  permission: 'session',
  company: 'none',
});

export const revokeAuthorization = endpoint<typeof operations.revokeAuthorization>({
  name: 'revokeAuthorization',
  method: 'DELETE',
  path: '/oauth/authorizations/{id}',
  permission: 'session',
  company: 'none',
});

export const listCompanyAuthorizations = endpoint<typeof operations.listCompanyAuthorizations>({
  name: 'listCompanyAuthorizations',
  method: 'GET',
  path: '/companies/{companyId}/oauth-authorizations',
  permission: 'integrations.edit',
  company: 'path',
});

export const revokeCompanyAuthorization = endpoint<typeof operations.revokeCompanyAuthorization>({
  name: 'revokeCompanyAuthorization',
  method: 'DELETE',
  path: '/companies/{companyId}/oauth-authorizations/{authorizationId}',
  permission: 'integrations.edit',
  company: 'path',
});

export const listOAuthClients = endpoint<typeof operations.listOAuthClients>({
  name: 'listOAuthClients',
  method: 'GET',
  path: '/companies/{companyId}/oauth-clients',
  permission: 'integrations.edit',
  company: 'path',
});

export const createOAuthClient = endpoint<typeof operations.createOAuthClient>({
  name: 'createOAuthClient',
  method: 'POST',
  path: '/companies/{companyId}/oauth-clients',
  permission: 'integrations.edit',
  company: 'path',
});

export const deleteOAuthClient = endpoint<typeof operations.deleteOAuthClient>({
  name: 'deleteOAuthClient',
  method: 'DELETE',
  path: '/companies/{companyId}/oauth-clients/{id}',
  permission: 'integrations.edit',
  company: 'path',
});
