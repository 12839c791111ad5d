import { mergeRoutes } from '../../platform/routes.ts';
import { provideReachableUsers } from '../routing/index.ts';
import * as live from './live/routes.ts';
import { owns as liveOwns } from './live/store.ts';
import { reachableUsers } from './presence.ts';
import { routes as records } from './routes.ts';
import { routes as care } from './search/routes.ts';
import { owns as recordOwns } from './store.ts';

// Routing comes before us on the list, so it cannot ask who is there; it is told whom to ask.
provideReachableUsers(reachableUsers);

export const routes = mergeRoutes(records, care, live.routes);
export { jobs } from './jobs.ts';
export { subscribers } from './subscribers.ts';
export {
  carrierVoiceRoutes,
  carrierTranscriptionRoutes as carrierWordsRoutes,
} from './voice-webhook.ts';
export { receiveVoiceEvents as receiveVoice } from './receive-events.ts';
export { receiveTranscripts as receiveWords } from './receive-transcripts.ts';
export { admitSipInterconnect as admitSipLine } from './carrier-failover/accept-interconnect.ts';
export { holdFromSip, placeFromSip, sipLogin, sipPresent, transferFromSip } from './sip-phones.ts';
export { startCallClock } from './call-clock.ts';
export { voicemailTranscript as wordsOfVoicemail } from './store-audio.ts';
export { identifyCaller, cachedIdentities as knownIdentities } from './identify-caller.ts';
export { callFigures } from './store-figures.ts';
export { linkConversation } from './link-conversation.ts';
import { owns as wayOwns } from './carrier-failover/store.ts';
export const owns = [...recordOwns, ...liveOwns, ...wayOwns] as const;
