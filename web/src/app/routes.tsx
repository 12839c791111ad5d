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
    companyless: true,
  },
  { path: '/handset', load: () => import('../screens/Handset.tsx'), frame: 'public' },
  // company
  { path: '/', load: () => import('../screens/Dashboard.tsx') },
  { path: '/whats-new', load: () => import('../screens/WhatsNew.tsx') },
  {
    path: '/settings/company',
    load: () => import('../screens/SettingsCompany.tsx'),
    may: 'company.view',
  },
  {
    path: '/settings/general',
    load: () => import('../screens/SettingsGeneral.tsx'),
    may: 'settings.edit',
  },
  {
    path: '/settings/carriers',
    load: () => import('../screens/SettingsCarriers.tsx'),
    may: 'settings.edit',
  },
  {
    path: '/settings/users',
    load: () => import('../screens/SettingsUsers.tsx'),
    may: 'users.list',
  },
  {
    path: '/settings/sms-verification',
    load: () => import('../screens/SettingsSmsVerification.tsx'),
    may: 'smsVerification.view',
  },
  {
    path: '/settings/sms-verification/$id',
    load: () => import('../screens/SettingsSmsCampaign.tsx'),
    may: 'smsVerification.view',
  },
  { path: '/settings/notifications', load: () => import('../screens/SettingsNotifications.tsx') },
  {
    path: '/settings/canned-replies',
    load: () => import('../screens/SettingsCannedReplies.tsx'),
    may: 'inbox.send',
  },
  { path: '/settings/tags', load: () => import('../screens/SettingsTags.tsx'), may: 'tags.view' },
  {
    path: '/settings/custom-fields',
    load: () => import('../screens/SettingsCustomFields.tsx'),
    may: 'fields.view',
  },
  {
    path: '/settings/column-presets',
    load: () => import('../screens/SettingsColumnPresets.tsx'),
    may: 'columnPresets.edit',
  },
  {
    path: '/settings/blocked',
    load: () => import('../screens/SettingsBlocked.tsx'),
    may: 'blocks.edit',
  },
  // calls
  { path: '/calls/live', load: () => import('../screens/LiveCalls.tsx'), may: 'calls.monitor' },
  { path: '/calls/$id', load: () => import('../screens/CallRecord.tsx'), may: 'calls.view' },
  // contacts
  { path: '/contacts', load: () => import('../screens/Contacts.tsx'), may: 'contacts.view' },
  {
    path: '/contacts/groups',
    load: () => import('../screens/ContactGroups.tsx'),
    may: 'contacts.view',
  },
  {
    path: '/contacts/labels',
    load: () => import('../screens/ContactLabels.tsx'),
    may: 'contacts.view',
  },
  {
    path: '/contacts/$id',
    load: () => import('../screens/ContactDetail.tsx'),
    may: 'contacts.view',
  },
  {
    path: '/contacts/import',
    load: () => import('../screens/ContactsImport.tsx'),
    may: 'contacts.bulk',
  },
  {
    path: '/analytics/transcripts',
    load: () => import('../screens/CallSearch.tsx'),
    may: 'calls.view',
  },
  // numbers
  { path: '/numbers', load: () => import('../screens/Numbers.tsx'), may: 'numbers.view' },
  { path: '/numbers/buy', load: () => import('../screens/NumbersBuy.tsx'), may: 'numbers.buy' },
  {
    path: '/numbers/greetings',
    load: () => import('../screens/NumbersGreetings.tsx'),
    may: 'routing.view',
  },
  {
    path: '/numbers/schedule',
    load: () => import('../screens/NumbersSchedule.tsx'),
    may: 'routing.view',
  },
  {
    path: '/numbers/$id/flow',
    load: () => import('../screens/NumberFlow.tsx'),
    may: 'routing.view',
  },
  { path: '/numbers/ports', load: () => import('../screens/NumbersPorts.tsx'), may: 'ports.view' },
  {
    path: '/marketplace',
    load: () => import('../screens/Marketplace.tsx'),
    may: 'marketplace.view',
  },
  {
    path: '/marketplace/$id',
    load: () => import('../screens/MarketplaceNumber.tsx'),
    may: 'marketplace.view',
  },
  {
    path: '/numbers/templates',
    load: () => import('../screens/NumbersTemplates.tsx'),
    may: 'routing.view',
  },
  {
    path: '/numbers/forwarding',
    load: () => import('../screens/NumbersForwarding.tsx'),
    may: 'routing.view',
  },
  {
    path: '/numbers/$id/timeline',
    load: () => import('../screens/NumberTimeline.tsx'),
    may: 'dni.view',
  },
  { path: '/numbers/$id', load: () => import('../screens/NumberDetail.tsx'), may: 'numbers.view' },
  // conversations, calls, numbers: their founders add lines here
  { path: '/campaigns', load: () => import('../screens/Campaigns.tsx'), may: 'campaigns.view' },
  {
    path: '/campaigns/new',
    load: () => import('../screens/CampaignEditor.tsx'),
    may: 'campaigns.draft',
  },
  {
    path: '/campaigns/$id/edit',
    load: () => import('../screens/CampaignEditor.tsx'),
    may: 'campaigns.draft',
  },
  {
    path: '/campaigns/$id/events',
    load: () => import('../screens/CampaignEvents.tsx'),
    may: 'campaigns.view',
  },
  { path: '/activity/$kind', load: () => import('../screens/Activity.tsx'), may: 'analytics.view' },
  {
    path: '/inbox/{-$conversationId}',
    load: () => import('../screens/Inbox.tsx'),
    may: 'inbox.view',
  },
];
