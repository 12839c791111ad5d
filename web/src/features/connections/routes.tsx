import { t } from '#ui';
import type { Feature } from '../feature.ts';

export const connections: Feature = {
  screens: [
    {
      path: '/integrations',
      load: () => import('./screens/Integrations.tsx'),
      permission: 'integrations.view',
      title: () => t('Integrations'),
      tab: { row: 'settings', group: 'company', label: () => t('Integrations'), order: 180 },
    },
  ],
};
