import { calls as contract } from '#contract';
import { answering, outside } from '../../platform/answer.ts';
import { canAnswerCall, hangUpCall, holdCall, pressKeys, rejectCall } from './control-call.ts';
import { deleteRecording } from './delete-recording.ts';
import { getCall, neighboursOfCall } from './get-call.ts';
import { lookUpNumber } from './identify-caller.ts';
import { lookUpCaller } from './look-up-caller.ts';
import { placeCall } from './place-call.ts';
import { beatCalling, callingToken, listCallingUsers, toggleCallingStatus } from './presence.ts';
import { addCallTags, removeCallTags } from './tag-call.ts';
import { updateCall } from './update-call.ts';

export const answers = answering(contract, {
  getCall: (ctx, { params }) => getCall(ctx, params.id),
  updateCall: (ctx, { params, body }) => updateCall(ctx, params.id, body),
  addCallTags: (ctx, { params, body }) => addCallTags(ctx, params.id, body.tags),
  removeCallTags: (ctx, { params, body }) => removeCallTags(ctx, params.id, body.tags),
  lookUpCaller: outside((ctx, { params }) => lookUpCaller(ctx, params.id)),
  lookUpNumber: outside((ctx, { body }) => lookUpNumber(ctx, body)),
  neighboursOfCall: (ctx, { params }) => neighboursOfCall(ctx, params.id),
  deleteRecording: (ctx, { params }) => deleteRecording(ctx, params.id),
  callingToken: outside((ctx, { body }) => callingToken(ctx, body)),
  listCallingUsers: outside((ctx) => listCallingUsers(ctx)),
  toggleCallingStatus: outside((ctx, { body }) => toggleCallingStatus(ctx, body)),
  beatCalling: outside((ctx, { body }) => beatCalling(ctx, body)),
  canAnswerCall: outside((ctx, { params }) => canAnswerCall(ctx, params.callId)),
  rejectCall: outside((ctx, { params, body }) => rejectCall(ctx, params.callId, body.joinToken)),
  placeCall: outside((ctx, { body }) => placeCall(ctx, body)),
  holdCall: outside((ctx, { params, body }) => holdCall(ctx, params.callId, body.on)),
  pressKeys: outside((ctx, { params, body }) => pressKeys(ctx, params.callId, body.digits)),
  hangUpCall: outside((ctx, { params }) => hangUpCall(ctx, params.callId)),
});
