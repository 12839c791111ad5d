import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const analyzeCalls = endpoint<typeof operations.analyzeCalls>({
  name: 'analyzeCalls',
  method: 'GET',
  path: '/analytics/calls',
  permission: 'analytics.view',
  company: 'given',
});
