import { t } from '#ui';
import type { Feature } from '../feature.ts';

export const porting: Feature = {
  screens: [
    {
      path: '/numbers/ports',
      load: () => import('./screens/Ports.tsx'),
      permission: 'ports.view',
      title: () => t('Port requests'),
      tab: { row: 'numbers', label: () => t('Ports'), order: 60 },
    },
  ],
};
