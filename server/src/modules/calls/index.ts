import { together } from '../../platform/answer.ts';
import { answerReachable } from '../routing/index.ts';
import * as live from './live/routes.ts';
import { owns as liveOwns } from './live/store.ts';
import { reachableUsers } from './presence.ts';
import { answers as records } from './routes.ts';
import { answers as care } from './search/routes.ts';
import { owns as recordOwns } from './store.ts';

// Routing comes before us on the list, so it cannot ask who is there; it is told whom to ask.
answerReachable(reachableUsers);

export const answers = together(records, care, live.answers);
export { jobs } from './jobs.ts';
export { reactions } from './reactions.ts';
export { carrierVoiceRoutes, carrierWordsRoutes } from './voice-webhook.ts';
export { receiveVoice } from './inbound.ts';
export { receiveWords } from './receive-words.ts';
export { admitSipLine } from './other-way/take-line.ts';
export { holdFromSip, placeFromSip, sipLogin, sipPresent, transferFromSip } from './sip-phones.ts';
export { startCallClock } from './call-clock.ts';
export { wordsOfVoicemail } from './store-audio.ts';
export { identifyCaller, knownIdentities } from './identify-caller.ts';
export { callFigures } from './store-figures.ts';
export { linkConversation } from './link-conversation.ts';
import { owns as wayOwns } from './other-way/store.ts';
export const owns = [...recordOwns, ...liveOwns, ...wayOwns] as const;
