import { endpoint } from '../kit.ts';
import type * as operations from './operations/index.ts';

export const listConversations = endpoint<typeof operations.listConversations>({
  name: 'listConversations',
  method: 'GET',
  path: '/companies/{companyId}/conversations',
  permission: 'inbox.view',
  company: 'path',
  audience: 'both',
});

export const getConversation = endpoint<typeof operations.getConversation>({
  name: 'getConversation',
  method: 'GET',
  path: '/companies/{companyId}/conversations/{id}',
  permission: 'inbox.view',
  company: 'path',
  audience: 'both',
});

export const listConversationItems = endpoint<typeof operations.listConversationItems>({
  name: 'listConversationItems',
  method: 'GET',
  path: '/companies/{companyId}/conversations/{id}/items',
  permission: 'inbox.view',
  company: 'path',
  audience: 'both',
});

export const getConversationItem = endpoint<typeof operations.getConversationItem>({
  name: 'getConversationItem',
  method: 'GET',
  path: '/companies/{companyId}/conversations/{id}/items/{itemId}',
  permission: 'inbox.view',
  company: 'path',
});

export const listInboxItems = endpoint<typeof operations.listInboxItems>({
  name: 'listInboxItems',
  method: 'GET',
  path: '/inbox/conversations/items',
  permission: 'inbox.view',
  company: 'given',
});

export const lookUpSender = endpoint<typeof operations.lookUpSender>({
  name: 'lookUpSender',
  method: 'GET',
  path: '/messages/{id}/enhanced-caller-id',
  permission: 'inbox.view',
  company: 'object',
});

export const archiveConversation = endpoint<typeof operations.archiveConversation>({
  name: 'archiveConversation',
  method: 'PUT',
  path: '/inbox/conversations/{id}/archive',
  permission: 'inbox.view',
  company: 'object',
  audience: 'both',
});

export const restoreConversation = endpoint<typeof operations.restoreConversation>({
  name: 'restoreConversation',
  method: 'PUT',
  path: '/inbox/conversations/{id}/restore',
  permission: 'inbox.view',
  company: 'object',
  audience: 'both',
});

export const decidePossibleOptOut = endpoint<typeof operations.decidePossibleOptOut>({
  name: 'decidePossibleOptOut',
  method: 'PUT',
  path: '/companies/{companyId}/conversations/{id}/possible-opt-out',
  permission: 'inbox.send',
  company: 'path',
});

export const readConversation = endpoint<typeof operations.readConversation>({
  name: 'readConversation',
  method: 'PUT',
  path: '/companies/{companyId}/conversations/{id}/read-all',
  permission: 'inbox.view',
  company: 'path',
  audience: 'both',
});

export const readItem = endpoint<typeof operations.readItem>({
  name: 'readItem',
  method: 'PUT',
  path: '/companies/{companyId}/conversations/{id}/items/{itemId}/read',
  permission: 'inbox.view',
  company: 'path',
});

export const unreadItem = endpoint<typeof operations.unreadItem>({
  name: 'unreadItem',
  method: 'PUT',
  path: '/companies/{companyId}/conversations/{id}/items/{itemId}/unread',
  permission: 'inbox.view',
  company: 'path',
});

export const bulkUpdateConversations = endpoint<typeof operations.bulkUpdateConversations>({
  name: 'bulkUpdateConversations',
  method: 'PUT',
  path: '/companies/{companyId}/conversations/bulk-update',
  permission: 'inbox.view',
  company: 'path',
});

export const readAllByType = endpoint<typeof operations.readAllByType>({
  name: 'readAllByType',
  method: 'PUT',
  path: '/companies/{companyId}/conversations/read-all-by-type',
  permission: 'inbox.view',
  company: 'path',
});

export const deleteItem = endpoint<typeof operations.deleteItem>({
  name: 'deleteItem',
  method: 'DELETE',
  path: '/companies/{companyId}/conversations/{id}/items/{itemId}',
  permission: 'inbox.delete',
  company: 'path',
});

export const deleteMessages = endpoint<typeof operations.deleteMessages>({
  name: 'deleteMessages',
  method: 'DELETE',
  path: '/companies/{companyId}/conversations/{id}/messages',
  permission: 'inbox.delete',
  company: 'path',
  audience: 'both',
});

export const sendMessage = endpoint<typeof operations.sendMessage>({
  name: 'sendMessage',
  method: 'POST',
  path: '/message',
  permission: 'inbox.send',
  company: 'given',
  audience: 'both',
  multipart: true,
});

export const scheduleMessage = endpoint<typeof operations.scheduleMessage>({
  name: 'scheduleMessage',
  method: 'POST',
  path: '/inbox/message/schedule',
  permission: 'inbox.send',
  company: 'given',
  multipart: true,
});

export const changeScheduled = endpoint<typeof operations.changeScheduled>({
  name: 'changeScheduled',
  method: 'PUT',
  path: '/companies/{companyId}/conversations/{id}/items/{itemId}',
  permission: 'inbox.send',
  company: 'path',
});

export const converse = endpoint<typeof operations.converse>({
  name: 'converse',
  method: 'POST',
  path: '/calls/{id}/converse',
  permission: 'inbox.send',
  company: 'object',
});

export const addNote = endpoint<typeof operations.addNote>({
  name: 'addNote',
  method: 'POST',
  path: '/notes',
  permission: 'notes.edit',
  company: 'given',
});

export const updateNote = endpoint<typeof operations.updateNote>({
  name: 'updateNote',
  method: 'PUT',
  path: '/notes/{id}',
  permission: 'notes.edit',
  company: 'object',
});

export const deleteNote = endpoint<typeof operations.deleteNote>({
  name: 'deleteNote',
  method: 'DELETE',
  path: '/notes/{id}',
  permission: 'notes.edit',
  company: 'object',
});

/** Notes of another record, such as a call. */
export const listNotes = endpoint<typeof operations.listNotes>({
  name: 'listNotes',
  method: 'GET',
  path: '/notes',
  permission: 'notes.edit',
  company: 'given',
});

export const listActivity = endpoint<typeof operations.listActivity>({
  name: 'listActivity',
  method: 'POST',
  path: '/activity',
  permission: 'analytics.view',
  company: 'given',
});
