import { IconReportAnalytics } from '@tabler/icons-react';
import { t } from '#ui';
import type { Feature } from '../feature.ts';

export const analytics: Feature = {
  screens: [
    {
      path: '/analytics/dashboard',
      load: () => import('./screens/CallDashboard.tsx'),
      permission: 'analytics.view',
      title: () => t('Dashboard'),
      tab: { row: 'reports', label: () => t('Dashboard'), order: 10 },
    },
    {
      path: '/analytics/calls',
      load: () => import('./screens/CallReports.tsx'),
      permission: 'analytics.view',
      title: () => t('Call reports'),
      tab: { row: 'reports', label: () => t('Calls'), order: 20 },
    },
    {
      path: '/report-mails/stop/$token',
      load: () => import('./screens/StopReportMails.tsx'),
      frame: 'public',
    },
    {
      path: '/shared/report',
      load: () => import('./screens/SharedReport.tsx'),
      frame: 'public',
    },
  ],
  navigation: [
    {
      key: 'reports',
      label: () => t('Reports'),
      icon: IconReportAnalytics,
      order: 67,
      to: ['/analytics/dashboard'],
      pathPrefix: '/analytics',
      shortcut: 'g r',
    },
  ],
  searches: [
    {
      group: () => t('Favorites'),
      order: 60,
      permission: 'favourites.edit',
      // Loaded with the first search: the frame of every screen has no room for it.
      find: async (...search) => (await import('./find-favorites.ts')).findFavorites(...search),
    },
  ],
};
