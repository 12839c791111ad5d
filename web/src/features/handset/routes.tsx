import type { Feature } from '../feature.ts';

export const handset: Feature = {
  screens: [
    {
      path: '/what-is-simulated',
      load: () => import('./screens/WhatIsSimulated.tsx'),
      frame: 'public',
    },
    {
      path: '/handset',
      load: () => import('./screens/Handset.tsx'),
      frame: 'public',
    },
  ],
};
