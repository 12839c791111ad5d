import { IconBell } from '@tabler/icons-react';
import { t } from '#ui';
import type { Feature } from '../feature.ts';

export const monitoring: Feature = {
  screens: [
    {
      path: '/monitoring',
      load: () => import('./screens/Monitoring.tsx'),
      permission: 'monitoring.view',
    },
    {
      path: '/organization/alerts',
      load: () => import('./screens/OrganizationAlerts.tsx'),
      permission: 'organization.edit',
      title: () => t('Alerts of all companies'),
      tab: { row: 'organization', label: () => t('Alerts'), order: 20 },
    },
  ],
  navigation: [
    {
      key: 'monitoring',
      label: () => t('Alerts'),
      icon: IconBell,
      order: 70,
      to: ['/monitoring'],
      pathPrefix: '/monitoring',
      badge: 'alerts',
    },
  ],
};
