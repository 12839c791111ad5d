import type { FunctionComponent } from 'react';

/**
 * Every address of the app, one line each (decisions A2). To add a screen: write `screens/<Name>.tsx` with a default
 * export and add its line. `$id` is a parameter (`useParam('id')` from ./params.ts), `{-$id}` an optional one.
 */
export interface Screen {
  path: string;
  load: () => Promise<{ default: FunctionComponent }>;
  /** A row of the permission matrix; without it every signed-in person may come. Refused → the "not allowed" page. */
  may?: string;
  /** `public`: no session needed, no frame. `bare`: session needed, no frame. */
  frame?: 'public' | 'bare';
  /** Stands without a selected company. */
  companyless?: boolean;
}

export const screens: Screen[] = [
  // session
  { path: '/login', load: () => import('../screens/Login.tsx'), frame: 'public' },
  { path: '/forgot-password', load: () => import('../screens/ForgotPassword.tsx'), frame: 'public' },
  { path: '/reset-password/$token', load: () => import('../screens/ResetPassword.tsx'), frame: 'public' },
  { path: '/signup', load: () => import('../screens/Signup.tsx'), frame: 'public' },
  { path: '/link-expired', load: () => import('../screens/LinkExpired.tsx'), frame: 'public' },
  { path: '/what-is-simulated', load: () => import('../screens/WhatIsSimulated.tsx'), frame: 'public' },
  { path: '/select-company', load: () => import('../screens/SelectCompany.tsx'), frame: 'bare', companyless: true },
  { path: '/handset', load: () => import('../screens/Handset.tsx'), frame: 'public' },
  // company
  { path: '/', load: () => import('../screens/Dashboard.tsx') },
  { path: '/whats-new', load: () => import('../screens/WhatsNew.tsx') },
  { path: '/settings/company', load: () => import('../screens/SettingsCompany.tsx'), may: 'company.view' },
  { path: '/settings/users', load: () => import('../screens/SettingsUsers.tsx'), may: 'users.list' },
  { path: '/settings/blocked', load: () => import('../screens/SettingsBlocked.tsx'), may: 'blocks.edit' },
  // calls
  { path: '/calls/$id', load: () => import('../screens/CallRecord.tsx'), may: 'calls.view' },
  // numbers
  { path: '/numbers', load: () => import('../screens/Numbers.tsx'), may: 'numbers.view' },
  { path: '/numbers/buy', load: () => import('../screens/NumbersBuy.tsx'), may: 'numbers.buy' },
  { path: '/numbers/$id', load: () => import('../screens/NumberDetail.tsx'), may: 'numbers.view' },
  // conversations, calls, numbers: their founders add lines here
  { path: '/activity/$kind', load: () => import('../screens/Activity.tsx'), may: 'analytics.view' },
  { path: '/inbox/{-$conversationId}', load: () => import('../screens/Inbox.tsx'), may: 'inbox.view' },
];
