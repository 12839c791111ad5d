import { marketplace as contract } from '#contract';
import { defineRoutes, withoutTransaction } from '../../platform/routes.ts';
import { decideOffer } from './decide-offer.ts';
import { endLeaseByNotice } from './end-lease.ts';
import {
  sendInquiry,
  leaseListing,
  makeOffer,
  marketplacePublic,
  reserveListing,
} from './buyer-listing.ts';
import {
  listListings,
  listMarketplaceNumbers,
  marketplaceKpi,
  marketplaceReport,
} from './list-marketplace.ts';
import { presentDetail } from './present.ts';
import { renewLease } from './renew-lease.ts';
import { listOnMarketplace, updateMarketplaceNumber } from './update-listing.ts';

export const routes = defineRoutes(contract, {
  listMarketplaceNumbers: (ctx, { query }) => listMarketplaceNumbers(ctx, query),
  marketplaceKpi: (ctx) => marketplaceKpi(ctx),
  marketplaceReport: (ctx, _, http) => marketplaceReport(ctx, http),
  getMarketplaceNumber: async (ctx, { params }) => ({ data: await presentDetail(ctx, params.id) }),
  marketplacePublic: withoutTransaction((ctx, { params }, http) =>
    marketplacePublic(ctx, params.id, http),
  ),
  updateMarketplaceNumber: (ctx, { params, body }) => updateMarketplaceNumber(ctx, params.id, body),
  listOnMarketplace: (ctx, { body }) => listOnMarketplace(ctx, body),
  listListings: withoutTransaction((ctx, { query }) => listListings(ctx, query)),
  inquireListing: withoutTransaction((ctx, { params, body }) => sendInquiry(ctx, params.id, body)),
  makeOffer: withoutTransaction((ctx, { params, body }) => makeOffer(ctx, params.id, body)),
  endLease: (ctx, { params }) => endLeaseByNotice(ctx, params.id),
  renewLease: withoutTransaction((ctx, { params }) => renewLease(ctx, params.id)),
  decideOffer: (ctx, { params, body }) =>
    decideOffer(ctx, params.id, params.offerId, body.decision),
  reserveListing: withoutTransaction((ctx, { params }) => reserveListing(ctx, params.id)),
  leaseListing: withoutTransaction((ctx, { params, body }) => leaseListing(ctx, params.id, body)),
});
