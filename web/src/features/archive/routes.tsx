import { t } from '#ui';
import type { Feature } from '../feature.ts';

export const archive: Feature = {
  screens: [
    {
      // Where the mail about a finished export leads.
      path: '/exports/$companyId/$fileId',
      load: () => import('./screens/DownloadExport.tsx'),
      frame: 'bare',
      worksWithoutCompany: true,
    },
    {
      path: '/settings/data',
      load: () => import('./screens/SettingsData.tsx'),
      permission: 'company.export',
      title: () => t('Data'),
      tab: { row: 'settings', group: 'data', label: () => t('Data'), order: 75 },
    },
    {
      path: '/numbers/custom-fields',
      load: () => import('./screens/FieldUpdates.tsx'),
      permission: 'fields.edit',
      title: () => t('Bulk edit'),
      tab: { row: 'numbers', label: () => t('Bulk edit'), order: 55 },
    },
    {
      path: '/organization/custom-fields',
      load: () => import('./screens/OrganizationFieldUpdates.tsx'),
      permission: 'organization.edit',
      tab: { row: 'organization', label: () => t('Bulk edit'), order: 50 },
    },
  ],
};
