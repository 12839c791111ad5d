import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const exportCalls = endpoint<typeof operations.exportCalls>({
  name: 'exportCalls',
  method: 'POST',
  path: '/calls/export',
  permission: 'exports.make',
  company: 'given',
});

export const exportMessages = endpoint<typeof operations.exportMessages>({
  name: 'exportMessages',
  method: 'POST',
  path: '/messages/export',
  permission: 'inbox.view',
  company: 'given',
});

export const exportVoicemails = endpoint<typeof operations.exportVoicemails>({
  name: 'exportVoicemails',
  method: 'POST',
  path: '/voicemails/export',
  permission: 'exports.make',
  company: 'given',
});

export const exportFaxes = endpoint<typeof operations.exportFaxes>({
  name: 'exportFaxes',
  method: 'POST',
  path: '/fax/export',
  permission: 'inbox.view',
  company: 'given',
});

/** Progress of any export of the caller. The file's URL is signed anew with each response. */
export const exportProgress = endpoint<typeof operations.exportProgress>({
  name: 'exportProgress',
  method: 'GET',
  path: '/exports/progress/{batchId}',
  permission: 'exports.make',
  company: 'given',
});
