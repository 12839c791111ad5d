import { IconSpeakerphone } from '@tabler/icons-react';
import { t } from '#ui';
import type { Feature } from '../feature.ts';

export const campaigns: Feature = {
  screens: [
    {
      path: '/campaigns',
      load: () => import('./screens/Campaigns.tsx'),
      permission: 'campaigns.view',
    },
    {
      path: '/campaigns/new',
      load: () => import('./screens/CampaignEditor.tsx'),
      permission: 'campaigns.draft',
    },
    {
      path: '/campaigns/$id/edit',
      load: () => import('./screens/CampaignEditor.tsx'),
      permission: 'campaigns.draft',
    },
    {
      path: '/campaigns/$id/events',
      load: () => import('./screens/CampaignEvents.tsx'),
      permission: 'campaigns.view',
    },
  ],
  navigation: [
    {
      key: 'campaigns',
      label: () => t('Campaigns'),
      icon: IconSpeakerphone,
      order: 50,
      to: ['/campaigns'],
      pathPrefix: '/campaigns',
      shortcut: 'g m',
    },
  ],
};
