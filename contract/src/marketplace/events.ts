import { event } from '../kit.ts';
import type * as payloads from './payloads.ts';

export const marketplaceChanged = event<typeof payloads.marketplaceChanged>({
  name: 'marketplace.changed',
  channel: 'companies',
  invalidates: [
    'listMarketplaceNumbers',
    'marketplaceKpi',
    'getMarketplaceNumber',
    'listListings',
    'marketplacePublic',
  ],
});
