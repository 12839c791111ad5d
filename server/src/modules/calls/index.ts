import { answerReachable } from '../routing/index.ts';
import { reachableUsers } from './presence.ts';

// Routing comes before us on the list, so it cannot ask who is there; it is told whom to ask.
answerReachable(reachableUsers);

export { answers } from './routes.ts';
export { jobs } from './jobs.ts';
export { reactions } from './reactions.ts';
export { carrierVoiceRoutes } from './voice-webhook.ts';
export { receiveVoice } from './inbound.ts';
export { startCallClock } from './call-clock.ts';
export { wordsOfVoicemail } from './store-audio.ts';
export { linkConversation } from './link-conversation.ts';
export { owns } from './store.ts';
