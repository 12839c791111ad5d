import { event } from '../kit.ts';
import type * as payloads from './payloads.ts';

export const settingsChanged = event<typeof payloads.settingsChanged>({
  name: 'settings.changed',
  channel: 'companies',
  invalidates: [
    'getGeneralSettings',
    'listSettingChanges',
    'listSmsCampaigns',
    'listCompanyFeatures',
    'listOrganizationFeatures',
    ...['getSchedule', 'getAutomaticTexts', 'getNotificationSettings', 'callAttribution'],
  ],
});
