import { mergeRoutes } from '../../platform/routes.ts';
import { provideReachableUsers } from '../routing/index.ts';
import * as live from './live/routes.ts';
import { owns as liveOwns } from './live/store.ts';
import { reachableUsers } from './phones/presence.ts';
import { routes as records } from './routes.ts';
import { routes as care } from './search/routes.ts';
import { owns as recordOwns } from './records/store.ts';

// Routing may not import this module, so it is given the function that knows who is reachable.
provideReachableUsers(reachableUsers);

export const routes = mergeRoutes(records, care, live.routes);
export { jobs } from './jobs.ts';
export { partyOfCall } from './records/party-of-call.ts';
export { subscribers } from './subscribers.ts';
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
export { uniqueCallers } from './records/store-callers.ts';
export { callsOfHours } from './records/store-figures.ts';
export { linkConversation } from './records/link-conversation.ts';
import { owns as wayOwns } from './carrier-failover/store.ts';
export const owns = [...recordOwns, ...liveOwns, ...wayOwns] as const;
