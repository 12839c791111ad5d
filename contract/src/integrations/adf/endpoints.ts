import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

const path = '/companies/{companyId}/integrations/adf';

export const listAdfIntegrations = endpoint<typeof operations.listAdfIntegrations>({
  name: 'listAdfIntegrations',
  method: 'GET',
  path,
  permission: 'integrations.view',
  company: 'path',
});

export const createAdfIntegration = endpoint<typeof operations.createAdfIntegration>({
  name: 'createAdfIntegration',
  method: 'POST',
  path,
  permission: 'integrations.edit',
  company: 'path',
});

export const updateAdfIntegration = endpoint<typeof operations.updateAdfIntegration>({
  name: 'updateAdfIntegration',
  method: 'PUT',
  path: `${path}/{id}`,
  permission: 'integrations.edit',
  company: 'path',
});

export const deleteAdfIntegration = endpoint<typeof operations.deleteAdfIntegration>({
  name: 'deleteAdfIntegration',
  method: 'DELETE',
  path: `${path}/{id}`,
  permission: 'integrations.edit',
  company: 'path',
});

export const deactivateAdfIntegration = endpoint<typeof operations.deactivateAdfIntegration>({
  name: 'deactivateAdfIntegration',
  method: 'POST',
  path: `${path}/{id}/deactivate`,
  permission: 'integrations.edit',
  company: 'path',
});
