export { pausesNow } from './phones/pauses.ts';
export { partyOfCall } from './records/party-of-call.ts';
export { receiveVoiceEvents as receiveVoice } from './runtime/receive-events.ts';
export { receiveTranscripts as receiveWords } from './transcripts/receive-transcripts.ts';
export { admitSipInterconnect as admitSipLine } from './carrier-failover/accept-interconnect.ts';
export {
  holdFromSip,
  placeFromSip,
  sipLogin,
  sipPresent,
  transferFromSip,
} from './phones/sip-phones.ts';
export { startCallClock } from './runtime/call-clock.ts';
export { voicemailTranscript as wordsOfVoicemail } from './voicemail/store.ts';
export {
  identifyCaller,
  cachedIdentities as knownIdentities,
} from './caller-identity/identify-caller.ts';
export { callerNamesOf, uniqueCallers } from './records/store-callers.ts';
export { findCall } from './records/get-call.ts';
export {
  callFacts,
  callsForRules,
  firstQualifiedOf,
  type CallRuleFacts,
} from './records/store-facts.ts';
export { callsOfHours } from './records/store-figures.ts';
export { eraseBytesJob } from './job-kinds.ts';
export { deleteCallsBefore, deleteCallsOf } from './records/delete-calls.ts';
export { linkConversation } from './records/link-conversation.ts';
export { updateCall } from './records/update-call.ts';
