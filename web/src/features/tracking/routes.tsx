import { IconRoute } from '@tabler/icons-react';
import { t } from '#ui';
import type { Feature } from '../feature.ts';

export const tracking: Feature = {
  screens: [
    {
      path: '/tracking/sources',
      load: () => import('./screens/TrackingSources.tsx'),
      permission: 'dni.view',
      title: () => t('Tracking sources'),
      tab: { row: 'tracking', label: () => t('Sources'), order: 20 },
    },
  ],
  navigation: [
    {
      key: 'tracking',
      label: () => t('Tracking'),
      icon: IconRoute,
      order: 65,
      to: ['/tracking/sources'],
      pathPrefix: '/tracking',
    },
  ],
};
