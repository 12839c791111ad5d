import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

const path = '/companies/{companyId}/oauth-integrations';

export const listOAuthIntegrations = endpoint<typeof operations.listOAuthIntegrations>({
  name: 'listOAuthIntegrations',
  method: 'GET',
  path,
  permission: 'integrations.view',
  company: 'path',
});

export const getOAuthIntegration = endpoint<typeof operations.getOAuthIntegration>({
  name: 'getOAuthIntegration',
  method: 'GET',
  path: `${path}/{id}`,
  permission: 'integrations.view',
  company: 'path',
});

export const updateOAuthIntegration = endpoint<typeof operations.updateOAuthIntegration>({
  name: 'updateOAuthIntegration',
  method: 'PUT',
  path: `${path}/{id}`,
  permission: 'integrations.edit',
  company: 'path',
});

export const activateOAuthIntegration = endpoint<typeof operations.activateOAuthIntegration>({
  name: 'activateOAuthIntegration',
  method: 'POST',
  path: `${path}/{id}/activate`,
  permission: 'integrations.edit',
  company: 'path',
});

export const syncOAuthIntegration = endpoint<typeof operations.syncOAuthIntegration>({
  name: 'syncOAuthIntegration',
  method: 'POST',
  path: `${path}/{id}/sync`,
  permission: 'integrations.edit',
  company: 'path',
});

export const oauthSyncProgress = endpoint<typeof operations.oauthSyncProgress>({
  name: 'oauthSyncProgress',
  method: 'GET',
  path: `${path}/progress/{batchId}`,
  permission: 'integrations.view',
  company: 'path',
});

export const deactivateOAuthIntegration = endpoint<typeof operations.deactivateOAuthIntegration>({
  name: 'deactivateOAuthIntegration',
  method: 'POST',
  path: `${path}/{id}/deactivate`,
  permission: 'integrations.edit',
  company: 'path',
});

export const removeOAuthIntegration = endpoint<typeof operations.removeOAuthIntegration>({
  name: 'removeOAuthIntegration',
  method: 'DELETE',
  path: `${path}/{id}`,
  permission: 'integrations.edit',
  company: 'path',
});

export const lookUpOAuthIntegration = endpoint<typeof operations.lookUpOAuthIntegration>({
  name: 'lookUpOAuthIntegration',
  method: 'GET',
  path: `${path}/{id}/lookups/{kind}`,
  permission: 'integrations.edit',
  company: 'path',
});
