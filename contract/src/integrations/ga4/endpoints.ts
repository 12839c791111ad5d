import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

const path = '/companies/{companyId}/ga4integrations';

export const listGa4Integrations = endpoint<typeof operations.listGa4Integrations>({
  name: 'listGa4Integrations',
  method: 'GET',
  path,
  permission: 'integrations.view',
  company: 'path',
});

export const createGa4Integration = endpoint<typeof operations.createGa4Integration>({
  name: 'createGa4Integration',
  method: 'POST',
  path,
  permission: 'integrations.edit',
  company: 'path',
});

export const getGa4Integration = endpoint<typeof operations.getGa4Integration>({
  name: 'getGa4Integration',
  method: 'GET',
  path: `${path}/{id}`,
  permission: 'integrations.view',
  company: 'path',
});

export const updateGa4Integration = endpoint<typeof operations.updateGa4Integration>({
  name: 'updateGa4Integration',
  method: 'PUT',
  path: `${path}/{id}`,
  permission: 'integrations.edit',
  company: 'path',
});

export const deleteGa4Integration = endpoint<typeof operations.deleteGa4Integration>({
  name: 'deleteGa4Integration',
  method: 'DELETE',
  path: `${path}/{id}`,
  permission: 'integrations.edit',
  company: 'path',
});
