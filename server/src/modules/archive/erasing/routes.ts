import { erasing as contract } from '#contract';
import { defineRoutes } from '../../../platform/routes.ts';
import { erasureProgress, getErasureState } from './erasure-state.ts';
import { endLegalHold, holdPerson } from './legal-hold.ts';
import { previewErasure, startErasure } from './start-erasure.ts';

export const routes = defineRoutes(contract, {
  previewErasure: (ctx, { params }) => previewErasure(ctx, params.contactId),
  getErasureState: (ctx, { params }) => getErasureState(ctx, params.contactId),
  erasureProgress: (ctx, { params }) => erasureProgress(ctx, params.batchId),
  erasePerson: (ctx, { params }) => startErasure(ctx, params.contactId),
  holdPerson: (ctx, { params, body }) => holdPerson(ctx, params.contactId, body.reason),
  endLegalHold: (ctx, { params }) => endLegalHold(ctx, params.contactId),
});
