import { endpoint } from '../kit.ts';
import type * as operations from './operations.ts';

export const listAlerts = endpoint<typeof operations.listAlerts>({
  name: 'listAlerts',
  method: 'GET',
  path: '/monitoring/alerts',
  permission: 'monitoring.view',
  company: 'given',
});

export const countAlerts = endpoint<typeof operations.countAlerts>({
  name: 'countAlerts',
  method: 'GET',
  path: '/monitoring/alerts/counts',
  permission: 'monitoring.view',
  company: 'given',
});

export const getAlert = endpoint<typeof operations.getAlert>({
  name: 'getAlert',
  method: 'GET',
  path: '/monitoring/alerts/{id}',
  permission: 'monitoring.view',
  company: 'object',
});

export const updateAlert = endpoint<typeof operations.updateAlert>({
  name: 'updateAlert',
  method: 'PUT',
  path: '/monitoring/alerts/{id}',
  permission: 'monitoring.edit',
  company: 'object',
});

export const updateAlerts = endpoint<typeof operations.updateAlerts>({
  name: 'updateAlerts',
  method: 'PUT',
  path: '/monitoring/alerts',
  permission: 'monitoring.edit',
  company: 'given',
});

export const listAlertHistory = endpoint<typeof operations.listAlertHistory>({
  name: 'listAlertHistory',
  method: 'GET',
  path: '/monitoring/alerts/{id}/history',
  permission: 'monitoring.view',
  company: 'object',
});

export const getAlertDigest = endpoint<typeof operations.getAlertDigest>({
  name: 'getAlertDigest',
  method: 'GET',
  path: '/business-units/{id}/alert-digest',
  permission: 'organization.edit',
  company: 'organization',
});

export const updateAlertDigest = endpoint<typeof operations.updateAlertDigest>({
  name: 'updateAlertDigest',
  method: 'PUT',
  path: '/business-units/{id}/alert-digest',
  permission: 'organization.edit',
  company: 'organization',
});
