import { endpoint } from '../kit.ts';
import type * as operations from './operations.ts';

export const callKpi = endpoint<typeof operations.callKpi>({
  name: 'callKpi',
  method: 'POST',
  path: '/companies/{companyId}/calls/kpi',
  permission: 'analytics.view',
  company: 'path',
});

export const getWaiting = endpoint<typeof operations.getWaiting>({
  name: 'getWaiting',
  method: 'GET',
  path: '/analytics/waiting',
  permission: 'analytics.view',
  company: 'given',
});
