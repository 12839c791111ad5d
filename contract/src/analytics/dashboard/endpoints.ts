import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const getDashboard = endpoint<typeof operations.getDashboard>({
  name: 'getDashboard',
  method: 'POST',
  path: '/dashboard',
  permission: 'analytics.view',
  company: 'given',
});
