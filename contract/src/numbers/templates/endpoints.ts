import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const listNumberTemplates = endpoint<typeof operations.listNumberTemplates>({
  name: 'listNumberTemplates',
  method: 'GET',
  path: '/companies/{companyId}/numberTemplates',
  permission: 'routing.view',
  company: 'path',
});

export const createNumberTemplate = endpoint<typeof operations.createNumberTemplate>({
  name: 'createNumberTemplate',
  method: 'POST',
  path: '/companies/{companyId}/numberTemplates',
  permission: 'routing.edit',
  company: 'path',
});

export const getNumberTemplate = endpoint<typeof operations.getNumberTemplate>({
  name: 'getNumberTemplate',
  method: 'GET',
  path: '/companies/{companyId}/numberTemplates/{id}',
  permission: 'routing.view',
  company: 'path',
});

export const updateNumberTemplate = endpoint<typeof operations.updateNumberTemplate>({
  name: 'updateNumberTemplate',
  method: 'PUT',
  path: '/companies/{companyId}/numberTemplates/{id}',
  permission: 'routing.edit',
  company: 'path',
});

export const deleteNumberTemplate = endpoint<typeof operations.deleteNumberTemplate>({
  name: 'deleteNumberTemplate',
  method: 'DELETE',
  path: '/companies/{companyId}/numberTemplates/{id}',
  permission: 'routing.edit',
  company: 'path',
});
