import { t } from '#ui';
import type { Feature } from '../feature.ts';

export const marketplace: Feature = {
  screens: [
    {
      path: '/marketplace',
      load: () => import('./screens/Marketplace.tsx'),
      permission: 'marketplace.view',
      title: () => t('Marketplace numbers'),
      tab: { row: 'numbers', label: () => t('Marketplace'), order: 70 },
    },
    {
      path: '/marketplace/$id',
      load: () => import('./screens/MarketplaceNumber.tsx'),
      permission: 'marketplace.view',
    },
  ],
};
