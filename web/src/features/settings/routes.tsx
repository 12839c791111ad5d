import { IconSettings } from '@tabler/icons-react';
import { t } from '#ui';
import type { Feature } from '../feature.ts';

export const settings: Feature = {
  screens: [
    {
      path: '/settings/general',
      load: () => import('./screens/SettingsGeneral.tsx'),
      permission: 'settings.edit',
      title: () => t('General settings'),
      tab: { row: 'settings', group: 'company', label: () => t('General'), order: 20 },
    },
    {
      path: '/settings/alerts',
      load: () => import('./screens/SettingsAlerts.tsx'),
      permission: 'settings.edit',
      title: () => t('Alert settings'),
      tab: { row: 'settings', group: 'company', label: () => t('Alerts'), order: 21 },
    },
    {
      path: '/settings/brand',
      load: () => import('./screens/SettingsBrand.tsx'),
      permission: 'company.brand',
      title: () => t('Brand'),
      tab: { row: 'settings', group: 'company', label: () => t('Brand'), order: 22 },
    },
    {
      path: '/organization/tenant',
      load: () => import('./screens/OrganizationTenant.tsx'),
      permission: 'organization.edit',
      title: () => t('Brand and email'),
      tab: { row: 'organization', label: () => t('Brand and email'), order: 50 },
    },
    {
      path: '/organization/domain',
      load: () => import('./screens/OrganizationDomain.tsx'),
      permission: 'organization.edit',
      title: () => t('Custom domain'),
      tab: { row: 'organization', label: () => t('Custom domain'), order: 60 },
    },
    {
      path: '/support',
      load: () => import('./screens/Support.tsx'),
      permission: 'support.ticket',
      title: () => t('Support'),
    },
    {
      path: '/settings/audit-log',
      load: () => import('./screens/SettingsAuditLog.tsx'),
      permission: 'audit.view',
      title: () => t('Audit log'),
      tab: { row: 'settings', group: 'people', label: () => t('Audit log'), order: 70 },
    },
    {
      path: '/settings/audit-streams',
      load: () => import('./screens/SettingsAuditStreams.tsx'),
      permission: 'settings.edit',
      title: () => t('Audit streams'),
      tab: { row: 'settings', group: 'people', label: () => t('Audit streams'), order: 75 },
    },
  ],
  navigation: [
    {
      key: 'settings',
      label: () => t('Settings'),
      icon: IconSettings,
      order: 110,
      to: ['/settings/company', '/settings/users', '/settings/blocked'],
      pathPrefix: '/settings',
      shortcut: 'g s',
    },
  ],
};
