import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const searchCalls = endpoint<typeof operations.searchCalls>({
  name: 'searchCalls',
  method: 'GET',
  path: '/calls/search',
  permission: 'calls.view',
  company: 'given',
});
