import type { FunctionComponent } from 'react';

/**
 * Every address of the app, one line each (decisions A2). To add a screen: write `screens/<Name>.tsx` with a default
 * export and add its line. `$id` is a parameter (`useParam('id')` from ./params.ts), `{-$id}` an optional one.
 */
export interface Screen {
  path: string;
  load: () => Promise<{ default: FunctionComponent }>;
  /** A row of the permission matrix; without it every signed-in person may come. Refused → the "not allowed" page. */
  permission?: string;
  /** `public`: no session needed, no frame. `bare`: session needed, no frame. */
  frame?: 'public' | 'bare';
  /** Stands without a selected company. */
  worksWithoutCompany?: boolean;
}

export const screens: Screen[] = [
  // session
  { path: '/login', load: () => import('../screens/Login.tsx'), frame: 'public' },
  {
    path: '/forgot-password',
    load: () => import('../screens/ForgotPassword.tsx'),
    frame: 'public',
  },
  {
    path: '/reset-password/$token',
    load: () => import('../screens/ResetPassword.tsx'),
    frame: 'public',
  },
  { path: '/signup', load: () => import('../screens/Signup.tsx'), frame: 'public' },
  { path: '/link-expired', load: () => import('../screens/LinkExpired.tsx'), frame: 'public' },
  {
    path: '/unsubscribe/$token',
    load: () => import('../screens/Unsubscribe.tsx'),
    frame: 'public',
  },
  {
    path: '/what-is-simulated',
    load: () => import('../screens/WhatIsSimulated.tsx'),
    frame: 'public',
  },
  {
    path: '/select-company',
    load: () => import('../screens/SelectCompany.tsx'),
    frame: 'bare',
    worksWithoutCompany: true,
  },
  { path: '/handset', load: () => import('../screens/Handset.tsx'), frame: 'public' },
  // company
  { path: '/', load: () => import('../screens/Dashboard.tsx') },
  { path: '/whats-new', load: () => import('../screens/WhatsNew.tsx') },
  {
    path: '/settings/company',
    load: () => import('../screens/SettingsCompany.tsx'),
    permission: 'company.view',
  },
  {
    path: '/settings/general',
    load: () => import('../screens/SettingsGeneral.tsx'),
    permission: 'settings.edit',
  },
  {
    path: '/settings/carriers',
    load: () => import('../screens/SettingsCarriers.tsx'),
    permission: 'settings.edit',
  },
  {
    path: '/settings/users',
    load: () => import('../screens/SettingsUsers.tsx'),
    permission: 'users.list',
  },
  {
    path: '/settings/sms-verification',
    load: () => import('../screens/SettingsSmsVerification.tsx'),
    permission: 'smsVerification.view',
  },
  {
    path: '/settings/sms-verification/$id',
    load: () => import('../screens/SettingsSmsCampaign.tsx'),
    permission: 'smsVerification.view',
  },
  { path: '/settings/notifications', load: () => import('../screens/SettingsNotifications.tsx') },
  {
    path: '/settings/canned-replies',
    load: () => import('../screens/SettingsCannedReplies.tsx'),
    permission: 'inbox.send',
  },
  {
    path: '/settings/tags',
    load: () => import('../screens/SettingsTags.tsx'),
    permission: 'tags.view',
  },
  {
    path: '/settings/custom-fields',
    load: () => import('../screens/SettingsCustomFields.tsx'),
    permission: 'fields.view',
  },
  {
    path: '/settings/column-presets',
    load: () => import('../screens/SettingsColumnPresets.tsx'),
    permission: 'columnPresets.edit',
  },
  {
    path: '/settings/blocked',
    load: () => import('../screens/SettingsBlocked.tsx'),
    permission: 'blocks.edit',
  },
  // calls
  {
    path: '/calls/live',
    load: () => import('../screens/LiveCalls.tsx'),
    permission: 'calls.monitor',
  },
  { path: '/calls/$id', load: () => import('../screens/CallRecord.tsx'), permission: 'calls.view' },
  // contacts
  { path: '/contacts', load: () => import('../screens/Contacts.tsx'), permission: 'contacts.view' },
  {
    path: '/contacts/groups',
    load: () => import('../screens/ContactGroups.tsx'),
    permission: 'contacts.view',
  },
  {
    path: '/contacts/labels',
    load: () => import('../screens/ContactLabels.tsx'),
    permission: 'contacts.view',
  },
  {
    path: '/contacts/$id',
    load: () => import('../screens/ContactDetail.tsx'),
    permission: 'contacts.view',
  },
  {
    path: '/contacts/import',
    load: () => import('../screens/ContactsImport.tsx'),
    permission: 'contacts.bulk',
  },
  {
    path: '/analytics/transcripts',
    load: () => import('../screens/CallSearch.tsx'),
    permission: 'calls.view',
  },
  // numbers
  { path: '/numbers', load: () => import('../screens/Numbers.tsx'), permission: 'numbers.view' },
  {
    path: '/numbers/buy',
    load: () => import('../screens/NumbersBuy.tsx'),
    permission: 'numbers.buy',
  },
  {
    path: '/numbers/greetings',
    load: () => import('../screens/NumbersGreetings.tsx'),
    permission: 'routing.view',
  },
  {
    path: '/numbers/schedule',
    load: () => import('../screens/NumbersSchedule.tsx'),
    permission: 'routing.view',
  },
  {
    path: '/numbers/$id/flow',
    load: () => import('../screens/NumberFlow.tsx'),
    permission: 'routing.view',
  },
  {
    path: '/numbers/ports',
    load: () => import('../screens/NumbersPorts.tsx'),
    permission: 'ports.view',
  },
  {
    path: '/marketplace',
    load: () => import('../screens/Marketplace.tsx'),
    permission: 'marketplace.view',
  },
  {
    path: '/marketplace/$id',
    load: () => import('../screens/MarketplaceNumber.tsx'),
    permission: 'marketplace.view',
  },
  {
    path: '/numbers/templates',
    load: () => import('../screens/NumbersTemplates.tsx'),
    permission: 'routing.view',
  },
  {
    path: '/numbers/forwarding',
    load: () => import('../screens/NumbersForwarding.tsx'),
    permission: 'routing.view',
  },
  {
    path: '/numbers/$id/timeline',
    load: () => import('../screens/NumberTimeline.tsx'),
    permission: 'dni.view',
  },
  {
    path: '/numbers/$id',
    load: () => import('../screens/NumberDetail.tsx'),
    permission: 'numbers.view',
  },
  // conversations, calls, numbers: their founders add lines here
  {
    path: '/campaigns',
    load: () => import('../screens/Campaigns.tsx'),
    permission: 'campaigns.view',
  },
  {
    path: '/campaigns/new',
    load: () => import('../screens/CampaignEditor.tsx'),
    permission: 'campaigns.draft',
  },
  {
    path: '/campaigns/$id/edit',
    load: () => import('../screens/CampaignEditor.tsx'),
    permission: 'campaigns.draft',
  },
  {
    path: '/campaigns/$id/events',
    load: () => import('../screens/CampaignEvents.tsx'),
    permission: 'campaigns.view',
  },
  {
    path: '/activity/$kind',
    load: () => import('../screens/Activity.tsx'),
    permission: 'analytics.view',
  },
  {
    path: '/inbox/{-$conversationId}',
    load: () => import('../screens/Inbox.tsx'),
    permission: 'inbox.view',
  },
];
