import { ConfirmIdentityHost, t } from '#ui';
import type { Feature } from '../feature.ts';

export const identity: Feature = {
  screens: [
    {
      path: '/login',
      load: () => import('./screens/Login.tsx'),
      frame: 'public',
    },
    {
      path: '/login/mfa',
      load: () => import('./screens/LoginMfa.tsx'),
      frame: 'public',
    },
    {
      path: '/login/external',
      load: () => import('./screens/LoginExternal.tsx'),
      frame: 'public',
    },
    {
      path: '/settings/security',
      load: () => import('./screens/SettingsSecurity.tsx'),
      title: () => t('Security'),
      tab: { row: 'settings', group: 'you', label: () => t('Security'), order: 65 },
      worksWithoutCompany: true,
    },
    {
      path: '/forgot-password',
      load: () => import('./screens/ForgotPassword.tsx'),
      frame: 'public',
    },
    {
      path: '/reset-password/$token',
      load: () => import('./screens/ResetPassword.tsx'),
      frame: 'public',
    },
    {
      path: '/signup',
      load: () => import('./screens/Signup.tsx'),
      frame: 'public',
    },
    {
      path: '/setup',
      load: () => import('./screens/Setup.tsx'),
      frame: 'public',
    },
    {
      path: '/link-expired',
      load: () => import('./screens/LinkExpired.tsx'),
      frame: 'public',
    },
    {
      path: '/settings/api-keys',
      load: () => import('./screens/SettingsApiKeys.tsx'),
      permission: 'apiKeys.own',
      title: () => t('API keys'),
      tab: { row: 'settings', group: 'you', label: () => t('API keys'), order: 60 },
    },
    {
      path: '/settings/sessions',
      load: () => import('./screens/SettingsSessions.tsx'),
      title: () => t('Sessions'),
      tab: { row: 'settings', group: 'you', label: () => t('Sessions'), order: 67 },
    },
    {
      path: '/oauth/consent',
      load: () => import('./screens/OAuthConsent.tsx'),
      frame: 'bare',
      worksWithoutCompany: true,
    },
    {
      path: '/settings/applications',
      load: () => import('./screens/SettingsApplications.tsx'),
      title: () => t('Applications'),
      tab: { row: 'settings', group: 'you', label: () => t('Applications'), order: 66 },
    },
  ],
  overlay: ConfirmIdentityHost,
};
