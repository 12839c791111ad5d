import { t } from '#ui';
import type { Feature } from '../feature.ts';

export const compliance: Feature = {
  screens: [
    {
      path: '/unsubscribe/$token',
      load: () => import('./screens/Unsubscribe.tsx'),
      frame: 'public',
    },
    {
      path: '/settings/sms-verification',
      load: () => import('./screens/SettingsSmsVerification.tsx'),
      permission: 'smsVerification.view',
      title: () => t('SMS verification'),
      tab: { row: 'settings', group: 'company', label: () => t('SMS verification'), order: 160 },
    },
    {
      path: '/settings/sms-verification/$id',
      load: () => import('./screens/SettingsSmsCampaign.tsx'),
      permission: 'smsVerification.view',
    },
    {
      path: '/settings/blocked',
      load: () => import('./screens/SettingsBlocked.tsx'),
      permission: 'blocks.edit',
      title: () => t('Blocked numbers'),
      tab: { row: 'settings', group: 'company', label: () => t('Blocked numbers'), order: 100 },
    },
  ],
};
