import { IconRoute } from '@tabler/icons-react';
import { t } from '#ui';
import type { Feature } from '../feature.ts';

export const tracking: Feature = {
  screens: [
    {
      path: '/tracking/pools',
      load: () => import('./screens/TrackingPools.tsx'),
      permission: 'dni.view',
      title: () => t('Tracking pools'),
      tab: { row: 'tracking', label: () => t('Pools'), order: 10 },
    },
    {
      path: '/tracking/pools/$id',
      load: () => import('./screens/TrackingPool.tsx'),
      permission: 'dni.view',
    },
    {
      path: '/tracking/live',
      load: () => import('./screens/TrackingLive.tsx'),
      permission: 'dni.view',
      title: () => t('Live feed'),
      tab: { row: 'tracking', label: () => t('Live'), order: 12 },
    },
    {
      path: '/tracking/script',
      load: () => import('./screens/TrackingScript.tsx'),
      permission: 'dni.view',
      title: () => t('Tracking script'),
      tab: { row: 'tracking', label: () => t('Script'), order: 15 },
    },
    {
      path: '/tracking/sources',
      load: () => import('./screens/TrackingSources.tsx'),
      permission: 'dni.view',
      title: () => t('Tracking sources'),
      tab: { row: 'tracking', label: () => t('Sources'), order: 20 },
    },
    {
      path: '/tracking/reports',
      load: () => import('./screens/TrackingReports.tsx'),
      permission: 'analytics.view',
      title: () => t('Tracking reports'),
      tab: { row: 'tracking', label: () => t('Reports'), order: 30 },
    },
  ],
  navigation: [
    {
      key: 'tracking',
      label: () => t('Tracking'),
      icon: IconRoute,
      order: 65,
      to: ['/tracking/pools'],
      pathPrefix: '/tracking',
    },
  ],
};
