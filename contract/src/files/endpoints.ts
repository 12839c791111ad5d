import { endpoint } from '../kit.ts';
import type * as operations from './operations.ts';

export const getFile = endpoint<typeof operations.getFile>({
  name: 'getFile',
  method: 'GET',
  path: '/files/{id}',
  permission: 'public',
  company: 'none',
});
