import { event } from '../kit.ts';
import type * as payloads from './payloads.ts';

const aboutNumber = ['numberId'] as const;

/** A number's lists show when it was last called. */
const ofNumber = ['listNumbers', 'listNumbersDatatable', 'getNumber'];

export const callStarted = event<typeof payloads.callStarted>({
  name: 'call.started',
  channel: 'companies',
  touches: ['neighboursOfCall', ...ofNumber],
  about: aboutNumber,
});

export const callAnswered = event<typeof payloads.callAnswered>({
  name: 'call.answered',
  channel: 'companies',
  touches: ['getCall', 'canAnswerCall', 'listCallingUsers', 'callDestinations'],
  about: aboutNumber,
});

/** Said exactly once for every call, with everything that is final. A recording still on its way follows as `recording.ready`. */
export const callEnded = event<typeof payloads.callEnded>({
  name: 'call.ended',
  channel: 'companies',
  touches: [
    'getCall',
    'neighboursOfCall',
    'canAnswerCall',
    'listCallingUsers',
    'callDestinations',
    ...ofNumber,
  ],
  about: aboutNumber,
});

/** Said beside `call.ended`: which destinations of routes were rung and whether each was picked up. For other modules only. */
export const destinationsRung = event<typeof payloads.destinationsRung>({
  name: 'call.destinations_rung',
  channel: null,
  about: aboutNumber,
});

/** Somebody behind a number became known: whoever shows numbers reads anew. Everyone in the company hears this, so it names nobody. */
export const callerIdentified = event<typeof payloads.callerIdentified>({
  name: 'caller.identified',
  channel: 'companies',
  touches: ['getConversation', 'listConversations'],
});

/** Note, tags, qualification or contact changed by a person. */
export const callUpdated = event<typeof payloads.callUpdated>({
  name: 'call.updated',
  channel: 'companies',
  touches: ['getCall', 'listActivity', 'listTags', 'callKpi'],
  about: aboutNumber,
});

export const voicemailReceived = event<typeof payloads.voicemailReceived>({
  name: 'voicemail.received',
  channel: 'companies',
  touches: ['getCall'],
  about: aboutNumber,
});

export const recordingReady = event<typeof payloads.recordingReady>({
  name: 'recording.ready',
  channel: 'companies',
  touches: ['getCall'],
  about: aboutNumber,
});

/** `voicemailId` set: it is a voicemail's words. */
export const transcriptionReady = event<typeof payloads.transcriptionReady>({
  name: 'transcription.ready',
  channel: 'companies',
  touches: ['getCall'],
  about: aboutNumber,
});

/** A27: on each invited person's own channel. `leg` is that person's line in the media plane. */
export const inAppCalling = event<typeof payloads.inAppCalling>({
  name: 'in-app-calling',
  channel: 'users',
  touches: ['listCallingUsers', 'canAnswerCall'],
  about: ['userId'],
});

/** A colleague's app is there, away or gone. On the company's channel, since everyone's list of colleagues shows it. */
export const callingPresenceChanged = event<typeof payloads.callingPresenceChanged>({
  name: 'calling.presence-changed',
  channel: 'companies',
  touches: ['listCallingUsers', 'callDestinations'],
});
