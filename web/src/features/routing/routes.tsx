import { t } from '#ui';
import type { Feature } from '../feature.ts';

export const routing: Feature = {
  screens: [
    {
      path: '/numbers/greetings',
      load: () => import('./screens/NumbersGreetings.tsx'),
      permission: 'routing.view',
      title: () => t('Greetings'),
      tab: { row: 'numbers', label: () => t('Greetings'), order: 40 },
    },
    {
      path: '/numbers/schedule',
      load: () => import('./screens/NumbersSchedule.tsx'),
      permission: 'routing.view',
      title: () => t('Business hours'),
      tab: { row: 'numbers', label: () => t('Schedule'), order: 50 },
    },
    {
      path: '/numbers/$id/flow',
      load: () => import('./screens/NumberFlow.tsx'),
      permission: 'routing.view',
    },
  ],
};
