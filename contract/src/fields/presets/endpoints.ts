import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const listColumnPresets = endpoint<typeof operations.listColumnPresets>({
  name: 'listColumnPresets',
  method: 'GET',
  path: '/column-presets',
  permission: 'columnPresets.edit',
  company: 'given',
});

export const createColumnPreset = endpoint<typeof operations.createColumnPreset>({
  name: 'createColumnPreset',
  method: 'POST',
  path: '/column-presets',
  permission: 'columnPresets.edit',
  company: 'given',
});

export const getColumnPreset = endpoint<typeof operations.getColumnPreset>({
  name: 'getColumnPreset',
  method: 'GET',
  path: '/column-presets/{id}',
  permission: 'columnPresets.edit',
  company: 'object',
});

export const updateColumnPreset = endpoint<typeof operations.updateColumnPreset>({
  name: 'updateColumnPreset',
  method: 'PUT',
  path: '/column-presets/{id}',
  permission: 'columnPresets.edit',
  company: 'object',
});

export const deleteColumnPreset = endpoint<typeof operations.deleteColumnPreset>({
  name: 'deleteColumnPreset',
  method: 'DELETE',
  path: '/column-presets/{id}',
  permission: 'columnPresets.edit',
  company: 'object',
});
