import { marketplace as contract } from '#contract';
import { answering, outside } from '../../../platform/answer.ts';
import { decideOffer } from './decide-offer.ts';
import { endLeaseByNotice } from './end-lease.ts';
import {
  inquireListing,
  leaseListing,
  makeOffer,
  marketplacePublic,
  reserveListing,
} from './for-buyers.ts';
import {
  listListings,
  listMarketplaceNumbers,
  marketplaceKpi,
  marketplaceReport,
} from './list-marketplace.ts';
import { presentDetail } from './present.ts';
import { renewLease } from './renew-lease.ts';
import { listOnMarketplace, updateMarketplaceNumber } from './update-item.ts';

export const answers = answering(contract, {
  listMarketplaceNumbers: (ctx, { query }) => listMarketplaceNumbers(ctx, query),
  marketplaceKpi: (ctx) => marketplaceKpi(ctx),
  marketplaceReport: (ctx, _, http) => marketplaceReport(ctx, http),
  getMarketplaceNumber: async (ctx, { params }) => ({ data: await presentDetail(ctx, params.id) }),
  marketplacePublic: outside((ctx, { params }, http) => marketplacePublic(ctx, params.id, http)),
  updateMarketplaceNumber: (ctx, { params, body }) => updateMarketplaceNumber(ctx, params.id, body),
  listOnMarketplace: (ctx, { body }) => listOnMarketplace(ctx, body),
  listListings: outside((ctx, { query }) => listListings(ctx, query)),
  inquireListing: outside((ctx, { params, body }) => inquireListing(ctx, params.id, body)),
  makeOffer: outside((ctx, { params, body }) => makeOffer(ctx, params.id, body)),
  endLease: (ctx, { params }) => endLeaseByNotice(ctx, params.id),
  renewLease: outside((ctx, { params }) => renewLease(ctx, params.id)),
  decideOffer: (ctx, { params, body }) =>
    decideOffer(ctx, params.id, params.offerId, body.decision),
  reserveListing: outside((ctx, { params }) => reserveListing(ctx, params.id)),
  leaseListing: outside((ctx, { params, body }) => leaseListing(ctx, params.id, body)),
});
