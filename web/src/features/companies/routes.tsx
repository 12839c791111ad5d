import { IconBuildingCommunity, IconHome } from '@tabler/icons-react';
import { t } from '#ui';
import type { Feature } from '../feature.ts';

export const companies: Feature = {
  screens: [
    {
      path: '/select-company',
      load: () => import('./screens/SelectCompany.tsx'),
      frame: 'bare',
      worksWithoutCompany: true,
    },
    {
      path: '/admin-mode',
      load: () => import('./screens/AdminMode.tsx'),
      frame: 'bare',
      worksWithoutCompany: true,
    },
    {
      path: '/remote-login',
      load: () => import('./screens/RemoteLogin.tsx'),
      frame: 'public',
    },
    {
      path: '/',
      load: () => import('./screens/Dashboard.tsx'),
    },
    {
      path: '/whats-new',
      load: () => import('./screens/WhatsNew.tsx'),
      title: () => t('What’s new'),
    },
    {
      path: '/settings/company',
      load: () => import('./screens/SettingsCompany.tsx'),
      permission: 'company.view',
      title: () => t('Company settings'),
      tab: { row: 'settings', group: 'company', label: () => t('Company'), order: 10 },
    },
    {
      path: '/settings/profile',
      load: () => import('./screens/SettingsProfile.tsx'),
      title: () => t('Profile'),
      tab: { row: 'settings', group: 'you', label: () => t('Profile'), order: 5 },
    },
    {
      path: '/settings/roles',
      load: () => import('./screens/SettingsRoles.tsx'),
      permission: 'users.list',
      title: () => t('Roles'),
      tab: { row: 'settings', group: 'people', label: () => t('Roles'), order: 52 },
    },
    {
      path: '/settings/users',
      load: () => import('./screens/SettingsUsers.tsx'),
      permission: 'users.list',
      title: () => t('Users'),
      tab: { row: 'settings', group: 'people', label: () => t('Users'), order: 50 },
    },
    {
      path: '/settings/teams',
      load: () => import('./screens/SettingsTeams.tsx'),
      permission: 'users.list',
      title: () => t('Teams'),
      tab: { row: 'settings', group: 'people', label: () => t('Teams'), order: 51 },
    },
    {
      path: '/settings/features',
      load: () => import('./screens/SettingsFeatures.tsx'),
      permission: 'features.edit',
      title: () => t('Features'),
      tab: { row: 'settings', group: 'company', label: () => t('Features'), order: 25 },
    },
    {
      path: '/settings/invitations',
      load: () => import('./screens/SettingsInvitations.tsx'),
      permission: 'users.edit',
      title: () => t('Invitations'),
      tab: { row: 'settings', group: 'people', label: () => t('Invitations'), order: 55 },
    },
    {
      path: '/invitations/$token',
      load: () => import('./screens/AcceptInvitation.tsx'),
      frame: 'public',
    },
    {
      path: '/organization',
      load: () => import('./screens/Organization.tsx'),
      permission: 'organization.edit',
      title: () => t('Organization'),
      tab: { row: 'organization', label: () => t('Companies'), order: 10 },
    },
    {
      path: '/organization/accounts',
      // The same list: its rows show figures and hold the actions.
      load: () => import('./screens/Organization.tsx'),
      permission: 'organization.edit',
    },
    {
      path: '/organization/users',
      load: () => import('./screens/OrganizationUsers.tsx'),
      permission: 'organization.edit',
      title: () => t('Organization users'),
      tab: { row: 'organization', label: () => t('Users'), order: 30 },
    },
    {
      path: '/organization/data-groups',
      load: () => import('./screens/OrganizationDataGroups.tsx'),
      permission: 'organization.edit',
      title: () => t('Data groups'),
      tab: { row: 'organization', label: () => t('Data groups'), order: 32 },
    },
    {
      path: '/organization/features',
      load: () => import('./screens/OrganizationFeatures.tsx'),
      permission: 'organization.edit',
      title: () => t('Organization features'),
      tab: { row: 'organization', label: () => t('Features'), order: 35 },
    },
    {
      path: '/organization/single-sign-on',
      load: () => import('./screens/OrganizationSso.tsx'),
      permission: 'organization.edit',
      title: () => t('Single sign-on'),
      tab: { row: 'organization', label: () => t('Single sign-on'), order: 36 },
    },
    {
      path: '/organization/settings',
      load: () => import('./screens/OrganizationSettings.tsx'),
      permission: 'organization.edit',
      title: () => t('Organization settings'),
      tab: { row: 'organization', label: () => t('Settings'), order: 40 },
    },
  ],
  navigation: [
    {
      key: 'home',
      label: () => t('Home'),
      icon: IconHome,
      order: 10,
      to: ['/'],
      pathPrefix: '/',
      shortcut: 'g h',
    },
    {
      key: 'organization',
      label: () => t('Organization'),
      icon: IconBuildingCommunity,
      order: 110,
      to: ['/organization'],
      pathPrefix: '/organization',
    },
  ],
  searches: [
    {
      group: () => t('People'),
      order: 40,
      permission: 'users.list',
      find: async (query, signal) => (await import('./find-people.ts')).findPeople(query, signal),
    },
  ],
};
