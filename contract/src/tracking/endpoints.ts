import { endpoint } from '../kit.ts';
import type * as operations from './operations/index.ts';

export const listSources = endpoint<typeof operations.listSources>({
  name: 'listSources',
  method: 'GET',
  path: '/companies/{companyId}/dniSources',
  permission: 'dni.view',
  company: 'path',
});

export const createSource = endpoint<typeof operations.createSource>({
  name: 'createSource',
  method: 'POST',
  path: '/companies/{companyId}/dniSources',
  permission: 'dni.edit',
  company: 'path',
});

export const orderSources = endpoint<typeof operations.orderSources>({
  name: 'orderSources',
  method: 'PUT',
  path: '/companies/{companyId}/dniSources/order',
  permission: 'dni.edit',
  company: 'path',
});

export const classifyVisit = endpoint<typeof operations.classifyVisit>({
  name: 'classifyVisit',
  method: 'POST',
  path: '/companies/{companyId}/dniSources/classify',
  permission: 'dni.view',
  company: 'path',
});

export const updateSource = endpoint<typeof operations.updateSource>({
  name: 'updateSource',
  method: 'PUT',
  path: '/companies/{companyId}/dniSources/{sourceId}',
  permission: 'dni.edit',
  company: 'path',
});

export const deleteSource = endpoint<typeof operations.deleteSource>({
  name: 'deleteSource',
  method: 'DELETE',
  path: '/companies/{companyId}/dniSources/{sourceId}',
  permission: 'dni.edit',
  company: 'path',
});
