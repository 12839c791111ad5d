import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const getFailover = endpoint<typeof operations.getFailover>({
  name: 'getFailover',
  method: 'GET',
  path: '/numbers/{id}/failover',
  permission: 'numbers.view',
  company: 'object',
});

export const setFailover = endpoint<typeof operations.setFailover>({
  name: 'setFailover',
  method: 'PUT',
  path: '/numbers/{id}/failover',
  permission: 'numbers.configure',
  company: 'object',
});

export const listCarriers = endpoint<typeof operations.listCarriers>({
  name: 'listCarriers',
  method: 'GET',
  path: '/carriers',
  permission: 'settings.edit',
  company: 'given',
});

export const listPlatformCarriers = endpoint<typeof operations.listPlatformCarriers>({
  name: 'listPlatformCarriers',
  method: 'GET',
  path: '/admin/carriers',
  permission: 'platform.operate',
  company: 'none',
});

export const checkCarriers = endpoint<typeof operations.checkCarriers>({
  name: 'checkCarriers',
  method: 'POST',
  path: '/carriers/check',
  permission: 'settings.edit',
  company: 'given',
});
