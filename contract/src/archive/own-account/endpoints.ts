import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const previewOwnErasure = endpoint<typeof operations.previewOwnErasure>({
  name: 'previewOwnErasure',
  method: 'GET',
  path: '/users/{userId}/erasure',
  permission: 'session',
  company: 'none',
});

export const eraseOwnAccount = endpoint<typeof operations.eraseOwnAccount>({
  name: 'eraseOwnAccount',
  method: 'POST',
  path: '/users/{userId}/erasure',
  permission: 'session',
  company: 'none',
  confirms: true,
});
