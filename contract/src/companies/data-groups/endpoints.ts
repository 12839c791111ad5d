import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const listDataGroups = endpoint<typeof operations.listDataGroups>({
  name: 'listDataGroups',
  method: 'GET',
  path: '/data-group',
  permission: 'organization.edit',
  company: 'given',
});

export const createDataGroup = endpoint<typeof operations.createDataGroup>({
  name: 'createDataGroup',
  method: 'POST',
  path: '/data-group',
  permission: 'organization.edit',
  company: 'given',
});

export const getDataGroup = endpoint<typeof operations.getDataGroup>({
  name: 'getDataGroup',
  method: 'GET',
  path: '/data-group/{id}',
  permission: 'organization.edit',
  company: 'given',
});

export const updateDataGroup = endpoint<typeof operations.updateDataGroup>({
  name: 'updateDataGroup',
  method: 'PUT',
  path: '/data-group/{id}',
  permission: 'organization.edit',
  company: 'given',
});

export const deleteDataGroup = endpoint<typeof operations.deleteDataGroup>({
  name: 'deleteDataGroup',
  method: 'DELETE',
  path: '/data-group/{id}',
  permission: 'organization.edit',
  company: 'given',
});

export const attachToDataGroup = endpoint<typeof operations.attachToDataGroup>({
  name: 'attachToDataGroup',
  method: 'POST',
  path: '/data-group/{id}/attach',
  permission: 'organization.edit',
  company: 'given',
});

export const detachFromDataGroup = endpoint<typeof operations.detachFromDataGroup>({
  name: 'detachFromDataGroup',
  method: 'POST',
  path: '/data-group/{id}/detach',
  permission: 'organization.edit',
  company: 'given',
});
