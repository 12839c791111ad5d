import { endpoint } from '../kit.ts';
import type * as operations from './operations/index.ts';

const mine = { company: 'object' } as const;

export const listMarketplaceNumbers = endpoint<typeof operations.listMarketplaceNumbers>({
  name: 'listMarketplaceNumbers',
  method: 'GET',
  path: '/marketplace-numbers',
  permission: 'marketplace.view',
  company: 'given',
});

export const marketplaceKpi = endpoint<typeof operations.marketplaceKpi>({
  name: 'marketplaceKpi',
  method: 'GET',
  path: '/marketplace-numbers/kpi',
  permission: 'marketplace.view',
  company: 'given',
});

export const marketplaceReport = endpoint<typeof operations.marketplaceReport>({
  name: 'marketplaceReport',
  method: 'GET',
  path: '/marketplace-numbers/report',
  permission: 'marketplace.view',
  company: 'given',
});

export const getMarketplaceNumber = endpoint<typeof operations.getMarketplaceNumber>({
  ...mine,
  name: 'getMarketplaceNumber',
  method: 'GET',
  path: '/marketplace-numbers/{id}',
  permission: 'marketplace.view',
});

export const marketplacePublic = endpoint<typeof operations.marketplacePublic>({
  name: 'marketplacePublic',
  method: 'GET',
  path: '/marketplace-numbers/{id}/listings',
  permission: 'public',
  company: 'none',
});

export const updateMarketplaceNumber = endpoint<typeof operations.updateMarketplaceNumber>({
  ...mine,
  name: 'updateMarketplaceNumber',
  method: 'PUT',
  path: '/marketplace-numbers/{id}',
  permission: 'marketplace.edit',
});

export const listOnMarketplace = endpoint<typeof operations.listOnMarketplace>({
  name: 'listOnMarketplace',
  method: 'POST',
  path: '/marketplace-numbers',
  permission: 'marketplace.edit',
  company: 'given',
});

export const listListings = endpoint<typeof operations.listListings>({
  name: 'listListings',
  method: 'GET',
  path: '/marketplace-listings',
  permission: 'session',
  company: 'none',
});

export const inquireListing = endpoint<typeof operations.inquireListing>({
  name: 'inquireListing',
  method: 'POST',
  path: '/marketplace-numbers/{id}/inquiries',
  permission: 'session',
  company: 'none',
});

export const makeOffer = endpoint<typeof operations.makeOffer>({
  name: 'makeOffer',
  method: 'POST',
  path: '/marketplace-numbers/{id}/offers',
  permission: 'numbers.buy',
  company: 'given',
});

export const decideOffer = endpoint<typeof operations.decideOffer>({
  ...mine,
  name: 'decideOffer',
  method: 'POST',
  path: '/marketplace-numbers/{id}/offers/{offerId}',
  permission: 'marketplace.edit',
});

export const endLease = endpoint<typeof operations.endLease>({
  ...mine,
  name: 'endLease',
  method: 'POST',
  path: '/marketplace-numbers/{id}/end-lease',
  permission: 'marketplace.edit',
});

export const renewLease = endpoint<typeof operations.renewLease>({
  name: 'renewLease',
  method: 'POST',
  path: '/marketplace-numbers/{id}/renew',
  permission: 'numbers.buy',
  company: 'given',
});

export const reserveListing = endpoint<typeof operations.reserveListing>({
  name: 'reserveListing',
  method: 'POST',
  path: '/marketplace-numbers/{id}/reserve',
  permission: 'numbers.buy',
  company: 'given',
});

export const leaseListing = endpoint<typeof operations.leaseListing>({
  name: 'leaseListing',
  method: 'POST',
  path: '/marketplace-numbers/{id}/lease',
  permission: 'numbers.buy',
  company: 'given',
});
