import { t } from '#ui';
import { PhoneOverlaySlot, PhoneSlot } from './phone/PhoneSlot.tsx';
import type { Feature } from '../feature.ts';

export const calls: Feature = {
  screens: [
    {
      path: '/calls/live',
      load: () => import('./screens/LiveCalls.tsx'),
      permission: 'calls.monitor',
      title: () => t('Live calls'),
    },
    {
      path: '/calls/$id',
      load: () => import('./screens/CallRecord.tsx'),
      permission: 'calls.view',
    },
    {
      path: '/analytics/transcripts',
      load: () => import('./screens/CallSearch.tsx'),
      permission: 'calls.view',
    },
    {
      path: '/integrations/trestle',
      load: () => import('./screens/Trestle.tsx'),
      permission: 'integrations.view',
      title: () => t('Trestle'),
      tile: () => t('Who is behind a number: name, carrier and line type'),
    },
    {
      path: '/settings/availability',
      load: () => import('./screens/SettingsAvailability.tsx'),
      permission: 'calling.use',
      title: () => t('Working hours'),
      tab: { row: 'settings', group: 'you', label: () => t('Working hours'), order: 7 },
    },
    {
      path: '/settings/phrases',
      load: () => import('./screens/SettingsPhrases.tsx'),
      permission: 'settings.edit',
      title: () => t('Phrases and rules'),
      tab: { row: 'settings', group: 'data', label: () => t('Phrases and rules'), order: 90 },
    },
  ],
  dock: PhoneSlot,
  overlay: PhoneOverlaySlot,
};
