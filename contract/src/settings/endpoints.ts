import { endpoint } from '../kit.ts';
import { accessSettings, changesAccess } from './access-settings.ts';
import type * as operations from './operations.ts';

export const getGeneralSettings = endpoint<typeof operations.getGeneralSettings>({
  name: 'getGeneralSettings',
  method: 'GET',
  path: '/general-settings',
  permission: 'settings.edit',
  company: 'given',
});

export const listGeneralSettings = endpoint<typeof operations.listGeneralSettings>({
  name: 'listGeneralSettings',
  method: 'GET',
  path: '/general-settings/index',
  permission: 'session',
  company: 'none',
});

export const updateGeneralSettings = endpoint<typeof operations.updateGeneralSettings>({
  name: 'updateGeneralSettings',
  method: 'POST',
  path: '/general-settings',
  permission: 'settings.edit',
  company: 'given',
  confirms: changesAccess,
});

export const bulkUpdateGeneralSettings = endpoint<typeof operations.bulkUpdateGeneralSettings>({
  name: 'bulkUpdateGeneralSettings',
  method: 'POST',
  path: '/general-settings/bulk',
  permission: 'settings.edit',
  company: 'none',
  confirms: ({ settings }) => changesAccess(settings),
});

export const restoreGeneralSettings = endpoint<typeof operations.restoreGeneralSettings>({
  name: 'restoreGeneralSettings',
  method: 'DELETE',
  path: '/general-settings',
  permission: 'settings.edit',
  company: 'given',
  confirms: ({ keys }) => !keys || keys.some((key) => accessSettings.includes(key)),
});

export const listSettingChanges = endpoint<typeof operations.listSettingChanges>({
  name: 'listSettingChanges',
  method: 'GET',
  path: '/general-settings/history',
  permission: 'settings.edit',
  company: 'given',
});
