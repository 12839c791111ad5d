import { t } from '#ui';
import type { Feature } from '../feature.ts';

export const billing: Feature = {
  screens: [
    {
      path: '/settings/billing',
      load: () => import('./screens/SettingsBilling.tsx'),
      permission: 'billing.view',
      title: () => t('Billing'),
      tab: { row: 'settings', group: 'company', label: () => t('Billing'), order: 26 },
    },
    {
      path: '/settings/billing-contacts',
      load: () => import('./screens/SettingsBillingContacts.tsx'),
      permission: 'billingContacts.view',
      title: () => t('Billing contacts'),
      tab: { row: 'settings', group: 'company', label: () => t('Billing contacts'), order: 27 },
    },
  ],
};
