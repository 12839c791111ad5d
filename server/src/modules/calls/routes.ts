import { calls as contract } from '#contract';
import { defineRoutes, withoutTransaction } from '../../platform/routes.ts';
import {
  canAnswerCall,
  hangUpCall,
  holdCall,
  pressKeys,
  rejectCall,
} from './phones/control-call.ts';
import { deleteRecording } from './recordings/delete-recording.ts';
import { adjacentCalls, callAttribution, getCall } from './records/get-call.ts';
import { lookUpNumber } from './caller-identity/identify-caller.ts';
import { lookUpCaller } from './caller-identity/look-up-caller.ts';
import { placeCall } from './phones/place-call.ts';
import { getAvailability, setDoNotDisturb } from './phones/availability.ts';
import {
  beatCalling,
  callingToken,
  listCallingUsers,
  toggleCallingStatus,
} from './phones/presence.ts';
import { addCallTags, removeCallTags } from './records/tag-call.ts';
import { updateCall } from './records/update-call.ts';

export const routes = defineRoutes(contract, {
  getCall: (ctx, { params }) => getCall(ctx, params.id),
  updateCall: (ctx, { params, body }) => updateCall(ctx, params.id, body),
  addCallTags: (ctx, { params, body }) => addCallTags(ctx, params.id, body.tags),
  removeCallTags: (ctx, { params, body }) => removeCallTags(ctx, params.id, body.tags),
  lookUpCaller: withoutTransaction((ctx, { params }) => lookUpCaller(ctx, params.id)),
  lookUpNumber: withoutTransaction((ctx, { body }) => lookUpNumber(ctx, body)),
  callAttribution: (ctx, { params }) => callAttribution(ctx, params.id),
  neighboursOfCall: (ctx, { params }) => adjacentCalls(ctx, params.id),
  deleteRecording: (ctx, { params }) => deleteRecording(ctx, params.id),
  getAvailability: (ctx) => getAvailability(ctx),
  setDoNotDisturb: (ctx, { body }) => setDoNotDisturb(ctx, body),
  callingToken: withoutTransaction((ctx, { body }) => callingToken(ctx, body)),
  listCallingUsers: withoutTransaction((ctx) => listCallingUsers(ctx)),
  toggleCallingStatus: withoutTransaction((ctx, { body }) => toggleCallingStatus(ctx, body)),
  beatCalling: withoutTransaction((ctx, { body }) => beatCalling(ctx, body)),
  canAnswerCall: withoutTransaction((ctx, { params }) => canAnswerCall(ctx, params.callId)),
  rejectCall: withoutTransaction((ctx, { params, body }) =>
    rejectCall(ctx, params.callId, body.joinToken),
  ),
  placeCall: withoutTransaction((ctx, { body }) => placeCall(ctx, body)),
  holdCall: withoutTransaction((ctx, { params, body }) => holdCall(ctx, params.callId, body.on)),
  pressKeys: withoutTransaction((ctx, { params, body }) =>
    pressKeys(ctx, params.callId, body.digits),
  ),
  hangUpCall: withoutTransaction((ctx, { params }) => hangUpCall(ctx, params.callId)),
});
