import { live as contract } from '#contract';
import { defineRoutes, withoutTransaction } from '../../../platform/routes.ts';
import { callDestinations } from './destinations.ts';
import { getLiveCall, listLiveCalls, listParkedCalls } from './list-live-calls.ts';
import { monitorCall, stopMonitoring } from './monitor-call.ts';
import {
  addToCall,
  cancelTransfer,
  completeTransfer,
  mergeTransfer,
  parkCall,
  removeFromCall,
  swapTransfer,
  transferCall,
  unparkCall,
} from './transfer-call.ts';

export const routes = defineRoutes(contract, {
  listLiveCalls: (ctx) => listLiveCalls(ctx),
  listParkedCalls: (ctx) => listParkedCalls(ctx),
  getLiveCall: (ctx, { params }) => getLiveCall(ctx, params.id),
  callDestinations: withoutTransaction((ctx, { params, query }) =>
    callDestinations(ctx, params.id, query.search),
  ),
  transferCall: withoutTransaction((ctx, { params, body }) => transferCall(ctx, params.id, body)),
  completeTransfer: withoutTransaction((ctx, { params }) => completeTransfer(ctx, params.id)),
  cancelTransfer: withoutTransaction((ctx, { params }) => cancelTransfer(ctx, params.id)),
  swapTransfer: withoutTransaction((ctx, { params }) => swapTransfer(ctx, params.id)),
  mergeTransfer: withoutTransaction((ctx, { params }) => mergeTransfer(ctx, params.id)),
  parkCall: withoutTransaction((ctx, { params, body }) => parkCall(ctx, params.id, body.slot)),
  unparkCall: withoutTransaction((ctx, { params, body }) =>
    unparkCall(ctx, params.id, body.device),
  ),
  addToCall: withoutTransaction((ctx, { params, body }) => addToCall(ctx, params.id, body)),
  removeFromCall: withoutTransaction((ctx, { params, body }) =>
    removeFromCall(ctx, params.id, body.leg),
  ),
  monitorCall: withoutTransaction((ctx, { params, body }) =>
    monitorCall(ctx, params.id, body.mode, body.device),
  ),
  stopMonitoring: withoutTransaction((ctx, { params }) => stopMonitoring(ctx, params.id)),
});
