import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const readCall = endpoint<typeof operations.readCall>({
  name: 'readCall',
  method: 'POST',
  path: '/calls/{id}/readings',
  permission: 'calls.edit',
  company: 'object',
});
