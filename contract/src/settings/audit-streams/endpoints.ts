import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

const path = '/companies/{companyId}/audit-streams';

export const readAuditFeed = endpoint<typeof operations.readAuditFeed>({
  name: 'readAuditFeed',
  method: 'GET',
  path: '/companies/{companyId}/audit-feed',
  permission: 'audit.view',
  company: 'path',
});

export const listAuditStreams = endpoint<typeof operations.listAuditStreams>({
  name: 'listAuditStreams',
  method: 'GET',
  path,
  permission: 'settings.edit',
  company: 'path',
});

/** What it sends leaves the company for good, so it asks who is there. */
export const createAuditStream = endpoint<typeof operations.createAuditStream>({
  name: 'createAuditStream',
  method: 'POST',
  path,
  permission: 'settings.edit',
  company: 'path',
  confirms: true,
});

export const setAuditStreamState = endpoint<typeof operations.setAuditStreamState>({
  name: 'setAuditStreamState',
  method: 'PUT',
  path: `${path}/{streamId}/state`,
  permission: 'settings.edit',
  company: 'path',
});

export const deleteAuditStream = endpoint<typeof operations.deleteAuditStream>({
  name: 'deleteAuditStream',
  method: 'DELETE',
  path: `${path}/{streamId}`,
  permission: 'settings.edit',
  company: 'path',
});
