import { t } from '#ui';
import type { Feature } from '../feature.ts';

export const integrations: Feature = {
  screens: [
    {
      path: '/integrations/webhooks',
      load: () => import('./screens/Webhooks.tsx'),
      permission: 'integrations.view',
      title: () => t('Webhooks'),
      tile: () => t('Signed events for your own programs'),
    },
    {
      path: '/integrations/webhooks/$id',
      load: () => import('./screens/WebhookDetail.tsx'),
      permission: 'integrations.view',
    },
    {
      path: '/integrations/adf',
      load: () => import('./screens/Adf.tsx'),
      permission: 'integrations.view',
      title: () => t('ADF XML'),
      tile: () => t('Leads for the CRM of a car dealer, by email or HTTPS'),
    },
    {
      path: '/integrations/ga4',
      load: () => import('./screens/Ga4.tsx'),
      permission: 'integrations.view',
      title: () => t('Google Analytics'),
      tile: () => t('Calls and texts as events, without who called'),
    },
    {
      path: '/integrations/slack',
      load: () => import('./screens/Slack.tsx'),
      permission: 'integrations.view',
      title: () => t('Slack'),
      accountsOf: 'slackbot',
    },
    {
      path: '/integrations/hubspot',
      load: () => import('./screens/HubSpot.tsx'),
      permission: 'integrations.view',
      title: () => t('HubSpot'),
      accountsOf: 'hubspot',
    },
    {
      path: '/integrations/salesforce',
      load: () => import('./screens/Salesforce.tsx'),
      permission: 'integrations.view',
      title: () => t('Salesforce'),
      accountsOf: 'salesforce',
    },
    {
      path: '/integrations/gohighlevel',
      load: () => import('./screens/GoHighLevel.tsx'),
      permission: 'integrations.view',
      title: () => t('GoHighLevel'),
      accountsOf: 'gohighlevel',
    },
    {
      path: '/integrations/googleads',
      load: () => import('./screens/GoogleAds.tsx'),
      permission: 'integrations.view',
      title: () => t('Google Ads'),
      accountsOf: 'googleads',
    },
    {
      path: '/integrations/metaads',
      load: () => import('./screens/MetaAds.tsx'),
      permission: 'integrations.view',
      title: () => t('Meta Ads'),
      accountsOf: 'metaads',
    },
    {
      path: '/integrations/microsoftads',
      load: () => import('./screens/MicrosoftAds.tsx'),
      permission: 'integrations.view',
      title: () => t('Microsoft Ads'),
      accountsOf: 'microsoftads',
    },
  ],
};
