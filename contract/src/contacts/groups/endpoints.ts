import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const listGroups = endpoint<typeof operations.listGroups>({
  name: 'listGroups',
  method: 'GET',
  path: '/groups',
  permission: 'contacts.view',
  company: 'given',
});

export const createGroup = endpoint<typeof operations.createGroup>({
  name: 'createGroup',
  method: 'POST',
  path: '/groups',
  permission: 'contacts.edit',
  company: 'given',
});

export const getGroup = endpoint<typeof operations.getGroup>({
  name: 'getGroup',
  method: 'GET',
  path: '/groups/{id}',
  permission: 'contacts.view',
  company: 'object',
});

export const updateGroup = endpoint<typeof operations.updateGroup>({
  name: 'updateGroup',
  method: 'PATCH',
  path: '/groups/{id}',
  permission: 'contacts.edit',
  company: 'object',
});

export const deleteGroup = endpoint<typeof operations.deleteGroup>({
  name: 'deleteGroup',
  method: 'DELETE',
  path: '/groups/{id}',
  permission: 'contacts.edit',
  company: 'object',
});

export const restoreGroup = endpoint<typeof operations.restoreGroup>({
  name: 'restoreGroup',
  method: 'POST',
  path: '/groups/{id}/restore',
  permission: 'contacts.edit',
  company: 'object',
});

export const addToGroup = endpoint<typeof operations.addToGroup>({
  name: 'addToGroup',
  method: 'POST',
  path: '/groups/{id}/contacts',
  permission: 'contacts.edit',
  company: 'object',
});

export const removeFromGroup = endpoint<typeof operations.removeFromGroup>({
  name: 'removeFromGroup',
  method: 'DELETE',
  path: '/groups/{id}/contacts',
  permission: 'contacts.edit',
  company: 'object',
});

export const addAllToGroup = endpoint<typeof operations.addAllToGroup>({
  name: 'addAllToGroup',
  method: 'POST',
  path: '/groups/{companyId}/{groupId}/all-contacts',
  permission: 'contacts.edit',
  company: 'path',
});

export const listContactLabels = endpoint<typeof operations.listContactLabels>({
  name: 'listContactLabels',
  method: 'GET',
  path: '/companies/{companyId}/contactLabels',
  permission: 'contacts.view',
  company: 'path',
});

export const createContactLabel = endpoint<typeof operations.createContactLabel>({
  name: 'createContactLabel',
  method: 'POST',
  path: '/companies/{companyId}/contactLabels',
  permission: 'contacts.edit',
  company: 'path',
});

export const renameContactLabel = endpoint<typeof operations.renameContactLabel>({
  name: 'renameContactLabel',
  method: 'PATCH',
  path: '/companies/{companyId}/contactLabels/{labelId}',
  permission: 'contacts.edit',
  company: 'path',
});

export const deleteContactLabel = endpoint<typeof operations.deleteContactLabel>({
  name: 'deleteContactLabel',
  method: 'DELETE',
  path: '/companies/{companyId}/contactLabels/{labelId}',
  permission: 'contacts.edit',
  company: 'path',
});

export const bulkAddLabel = endpoint<typeof operations.bulkAddLabel>({
  name: 'bulkAddLabel',
  method: 'POST',
  path: '/companies/{companyId}/contactLabels/{labelId}/bulkAddLabel',
  permission: 'contacts.edit',
  company: 'path',
});

export const bulkRemoveLabel = endpoint<typeof operations.bulkRemoveLabel>({
  name: 'bulkRemoveLabel',
  method: 'POST',
  path: '/companies/{companyId}/contactLabels/{labelId}/bulkRemoveLabel',
  permission: 'contacts.edit',
  company: 'path',
});
