import { t } from '#ui';
import type { Feature } from '../feature.ts';

export const analytics: Feature = {
  screens: [
    {
      path: '/tracking/reports',
      load: () => import('./screens/SourceReports.tsx'),
      permission: 'analytics.view',
      title: () => t('Tracking reports'),
      tab: { row: 'tracking', label: () => t('Reports'), order: 30 },
    },
  ],
};
