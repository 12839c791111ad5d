import { endpoint } from '../../kit.ts';
import type * as operations from './operations/index.ts';

export const listTeammates = endpoint<typeof operations.listTeammates>({
  name: 'listTeammates',
  method: 'GET',
  path: '/companies/{companyId}/teammates',
  permission: 'inbox.view',
  company: 'path',
});

/**
 * `from` is the assignee that the caller saw. If two people assign at once, only the first
 * succeeds; the other gets the current assignee.
 */
export const assignConversations = endpoint<typeof operations.assignConversations>({
  name: 'assignConversations',
  method: 'PUT',
  path: '/companies/{companyId}/conversations/assign',
  permission: 'inbox.view',
  company: 'path',
});

export const snoozeConversations = endpoint<typeof operations.snoozeConversations>({
  name: 'snoozeConversations',
  method: 'PUT',
  path: '/companies/{companyId}/conversations/snooze',
  permission: 'inbox.view',
  company: 'path',
});

export const listPresence = endpoint<typeof operations.listPresence>({
  name: 'listPresence',
  method: 'GET',
  path: '/companies/{companyId}/conversations/{id}/presence',
  permission: 'inbox.view',
  company: 'path',
});

export const tellPresence = endpoint<typeof operations.tellPresence>({
  name: 'tellPresence',
  method: 'PUT',
  path: '/companies/{companyId}/conversations/{id}/presence',
  permission: 'inbox.view',
  company: 'path',
});

export const listCannedReplies = endpoint<typeof operations.listCannedReplies>({
  name: 'listCannedReplies',
  method: 'GET',
  path: '/canned-replies',
  permission: 'inbox.send',
  company: 'given',
});

export const addCannedReply = endpoint<typeof operations.addCannedReply>({
  name: 'addCannedReply',
  method: 'POST',
  path: '/canned-replies',
  permission: 'inbox.send',
  company: 'given',
});

export const updateCannedReply = endpoint<typeof operations.updateCannedReply>({
  name: 'updateCannedReply',
  method: 'PUT',
  path: '/canned-replies/{id}',
  permission: 'inbox.send',
  company: 'object',
});

export const removeCannedReply = endpoint<typeof operations.removeCannedReply>({
  name: 'removeCannedReply',
  method: 'DELETE',
  path: '/canned-replies/{id}',
  permission: 'inbox.send',
  company: 'object',
});

export const listInboxViews = endpoint<typeof operations.listInboxViews>({
  name: 'listInboxViews',
  method: 'GET',
  path: '/inbox/views',
  permission: 'inbox.view',
  company: 'given',
});

export const addInboxView = endpoint<typeof operations.addInboxView>({
  name: 'addInboxView',
  method: 'POST',
  path: '/inbox/views',
  permission: 'inbox.view',
  company: 'given',
});

export const updateInboxView = endpoint<typeof operations.updateInboxView>({
  name: 'updateInboxView',
  method: 'PUT',
  path: '/inbox/views/{id}',
  permission: 'inbox.view',
  company: 'object',
});

export const removeInboxView = endpoint<typeof operations.removeInboxView>({
  name: 'removeInboxView',
  method: 'DELETE',
  path: '/inbox/views/{id}',
  permission: 'inbox.view',
  company: 'object',
});

export const getAutomaticTexts = endpoint<typeof operations.getAutomaticTexts>({
  name: 'getAutomaticTexts',
  method: 'GET',
  path: '/numbers/{id}/automatic-texts',
  permission: 'numbers.view',
  company: 'object',
});

export const setAutomaticTexts = endpoint<typeof operations.setAutomaticTexts>({
  name: 'setAutomaticTexts',
  method: 'PUT',
  path: '/numbers/{id}/automatic-texts',
  permission: 'numbers.configure',
  company: 'object',
});
