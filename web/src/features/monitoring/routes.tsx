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
