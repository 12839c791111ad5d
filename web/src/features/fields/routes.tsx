import { t } from '#ui';
import type { Feature } from '../feature.ts';

export const fields: Feature = {
  screens: [
    {
      path: '/settings/tags',
      load: () => import('./screens/SettingsTags.tsx'),
      permission: 'tags.view',
      tab: { row: 'settings', group: 'data', label: () => t('Tags'), order: 70 },
    },
    {
      path: '/settings/custom-fields',
      load: () => import('./screens/SettingsCustomFields.tsx'),
      permission: 'fields.view',
      tab: { row: 'settings', group: 'data', label: () => t('Custom fields'), order: 80 },
    },
    {
      path: '/settings/column-presets',
      load: () => import('./screens/SettingsColumnPresets.tsx'),
      permission: 'columnPresets.edit',
      tab: { row: 'settings', group: 'you', label: () => t('Column presets'), order: 180 },
    },
  ],
};
