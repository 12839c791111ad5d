import { endpoint } from '../kit.ts';
import type * as operations from './operations.ts';

export const sendFax = endpoint<typeof operations.sendFax>({
  name: 'sendFax',
  method: 'POST',
  path: '/fax',
  permission: 'inbox.send',
  company: 'given',
  multipart: true,
});

export const getFax = endpoint<typeof operations.getFax>({
  name: 'getFax',
  method: 'GET',
  path: '/fax/{id}',
  permission: 'inbox.view',
  company: 'object',
});

export const retryFax = endpoint<typeof operations.retryFax>({
  name: 'retryFax',
  method: 'POST',
  path: '/fax/{id}/retry',
  permission: 'inbox.send',
  company: 'object',
});
