import { IconHash } from '@tabler/icons-react';
import { t } from '#ui';
import { findNumbers } from './find-numbers.ts';
import { startKeywordToasts } from './keyword-toasts.ts';
import type { Feature } from '../feature.ts';

export const numbers: Feature = {
  screens: [
    {
      path: '/settings/carriers',
      load: () => import('./screens/SettingsCarriers.tsx'),
      permission: 'settings.edit',
      title: () => t('Carriers'),
      tab: { row: 'settings', group: 'company', label: () => t('Carriers'), order: 30 },
    },
    {
      path: '/numbers',
      load: () => import('./screens/Numbers.tsx'),
      permission: 'numbers.view',
      tab: { row: 'numbers', label: () => t('Numbers'), order: 10 },
    },
    {
      path: '/numbers/buy',
      load: () => import('./screens/NumbersBuy.tsx'),
      permission: 'numbers.buy',
      title: () => t('Buy a number'),
    },
    {
      path: '/numbers/templates',
      load: () => import('./screens/NumbersTemplates.tsx'),
      permission: 'routing.view',
      title: () => t('Number templates'),
      tab: { row: 'numbers', label: () => t('Templates'), order: 20 },
    },
    {
      path: '/numbers/forwarding',
      load: () => import('./screens/NumbersForwarding.tsx'),
      permission: 'routing.view',
      title: () => t('Forwarding numbers'),
      tab: { row: 'numbers', label: () => t('Forwarding'), order: 30 },
    },
    {
      path: '/numbers/$id/timeline',
      load: () => import('./screens/NumberTimeline.tsx'),
      permission: 'dni.view',
    },
    {
      path: '/numbers/$id',
      load: () => import('./screens/NumberDetail.tsx'),
      permission: 'numbers.view',
    },
  ],
  navigation: [
    {
      key: 'numbers',
      label: () => t('Numbers'),
      icon: IconHash,
      order: 60,
      to: ['/numbers'],
      pathPrefix: '/numbers',
      shortcut: 'g n',
    },
  ],
  searches: [
    {
      group: () => t('Numbers'),
      order: 30,
      permission: 'numbers.view',
      find: findNumbers,
    },
  ],
  listeners: [startKeywordToasts],
};
