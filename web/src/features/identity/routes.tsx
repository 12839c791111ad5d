import { t } from '#ui';
import type { Feature } from '../feature.ts';

export const identity: Feature = {
  screens: [
    {
      path: '/login',
      load: () => import('./screens/Login.tsx'),
      frame: 'public',
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
      path: '/link-expired',
      load: () => import('./screens/LinkExpired.tsx'),
      frame: 'public',
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
      tab: { row: 'settings', label: () => t('Applications'), order: 66 },
    },
  ],
};
