import { live as contract } from '#contract';
import { answering, outside } from '../../../platform/answer.ts';
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
} from './pass-call.ts';

export const answers = answering(contract, {
  listLiveCalls: (ctx) => listLiveCalls(ctx),
  listParkedCalls: (ctx) => listParkedCalls(ctx),
  getLiveCall: (ctx, { params }) => getLiveCall(ctx, params.id),
  callDestinations: outside((ctx, { params, query }) =>
    callDestinations(ctx, params.id, query.search),
  ),
  transferCall: outside((ctx, { params, body }) => transferCall(ctx, params.id, body)),
  completeTransfer: outside((ctx, { params }) => completeTransfer(ctx, params.id)),
  cancelTransfer: outside((ctx, { params }) => cancelTransfer(ctx, params.id)),
  swapTransfer: outside((ctx, { params }) => swapTransfer(ctx, params.id)),
  mergeTransfer: outside((ctx, { params }) => mergeTransfer(ctx, params.id)),
  parkCall: outside((ctx, { params, body }) => parkCall(ctx, params.id, body.slot)),
  unparkCall: outside((ctx, { params, body }) => unparkCall(ctx, params.id, body.device)),
  addToCall: outside((ctx, { params, body }) => addToCall(ctx, params.id, body)),
  removeFromCall: outside((ctx, { params, body }) => removeFromCall(ctx, params.id, body.leg)),
  monitorCall: outside((ctx, { params, body }) =>
    monitorCall(ctx, params.id, body.mode, body.device),
  ),
  stopMonitoring: outside((ctx, { params }) => stopMonitoring(ctx, params.id)),
});
