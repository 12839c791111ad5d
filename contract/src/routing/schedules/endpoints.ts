import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const getSchedule = endpoint<typeof operations.getSchedule>({
  name: 'getSchedule',
  method: 'GET',
  path: '/companies/{companyId}/schedule',
  permission: 'routing.view',
  company: 'path',
});

export const saveSchedule = endpoint<typeof operations.saveSchedule>({
  name: 'saveSchedule',
  method: 'PUT',
  path: '/companies/{companyId}/schedule',
  permission: 'routing.edit',
  company: 'path',
});

export const saveOwnSchedule = endpoint<typeof operations.saveOwnSchedule>({
  name: 'saveOwnSchedule',
  method: 'PUT',
  path: '/companies/{companyId}/schedule/own',
  permission: 'calling.use',
  company: 'path',
});

export const previewSchedule = endpoint<typeof operations.previewSchedule>({
  name: 'previewSchedule',
  method: 'POST',
  path: '/companies/{companyId}/schedule/preview',
  permission: 'routing.view',
  company: 'path',
});
