import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const listForwardContacts = endpoint<typeof operations.listForwardContacts>({
  name: 'listForwardContacts',
  method: 'GET',
  path: '/forward-contacts',
  permission: 'routing.view',
  company: 'given',
});

export const createForwardContact = endpoint<typeof operations.createForwardContact>({
  name: 'createForwardContact',
  method: 'POST',
  path: '/forward-contacts',
  permission: 'routing.edit',
  company: 'given',
});

export const forwardContactStats = endpoint<typeof operations.forwardContactStats>({
  name: 'forwardContactStats',
  method: 'GET',
  path: '/forward-contacts/stats',
  permission: 'routing.view',
  company: 'given',
});

export const getForwardContact = endpoint<typeof operations.getForwardContact>({
  name: 'getForwardContact',
  method: 'GET',
  path: '/forward-contacts/{id}',
  permission: 'routing.view',
  company: 'object',
});

export const updateForwardContact = endpoint<typeof operations.updateForwardContact>({
  name: 'updateForwardContact',
  method: 'PUT',
  path: '/forward-contacts/{id}',
  permission: 'routing.edit',
  company: 'object',
});

export const deleteForwardContact = endpoint<typeof operations.deleteForwardContact>({
  name: 'deleteForwardContact',
  method: 'DELETE',
  path: '/forward-contacts/{id}',
  permission: 'routing.edit',
  company: 'object',
});

export const forwardContactUsage = endpoint<typeof operations.forwardContactUsage>({
  name: 'forwardContactUsage',
  method: 'GET',
  path: '/forward-contacts/{id}/usage',
  permission: 'routing.view',
  company: 'object',
});

/**
 * Extensions in use by label and digit, for filters and pickers (A22); `meta.next` is the next free
 * digit (B §5).
 */
export const extensionSuggestions = endpoint<typeof operations.extensionSuggestions>({
  name: 'extensionSuggestions',
  method: 'GET',
  path: '/extension-suggestions',
  permission: 'routing.view',
  company: 'given',
});
