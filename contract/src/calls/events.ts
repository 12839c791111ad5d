import { event } from '../kit.ts';
import type * as payloads from './payloads.ts';

const aboutNumber = ['numberId'] as const;

/** Number lists show the time of the last call. */
const ofNumber = ['listNumbers', 'listNumbersDatatable', 'getNumber'];

export const callStarted = event<typeof payloads.callStarted>({
  name: 'call.started',
  channel: 'companies',
  invalidates: ['neighboursOfCall', ...ofNumber],
  about: aboutNumber,
});

export const callAnswered = event<typeof payloads.callAnswered>({
  name: 'call.answered',
  channel: 'companies',
  invalidates: ['getCall', 'canAnswerCall', 'listCallingUsers', 'callDestinations'],
  about: aboutNumber,
});

/**
 * Published exactly once per call, with its final values. A recording that is not stored yet
 * follows as `recording.ready`.
 */
export const callEnded = event<typeof payloads.callEnded>({
  name: 'call.ended',
  channel: 'companies',
  invalidates: [
    'getCall',
    'neighboursOfCall',
    'canAnswerCall',
    'listCallingUsers',
    'callDestinations',
    'listCallDeliveries',
    ...ofNumber,
  ],
  about: aboutNumber,
});

/**
 * Published with `call.ended`: which route destinations were rung and which answered. For other
 * modules only.
 */
export const destinationsRung = event<typeof payloads.destinationsRung>({
  name: 'call.destinations_rung',
  channel: null,
  about: aboutNumber,
});

/**
 * A caller was identified: screens that show the number refetch. The whole company receives it, so
 * it contains no name.
 */
export const callerIdentified = event<typeof payloads.callerIdentified>({
  name: 'caller.identified',
  channel: 'companies',
  invalidates: ['getConversation', 'listConversations'],
});

/** Note, tags, qualification or contact changed by a person. */
export const callUpdated = event<typeof payloads.callUpdated>({
  name: 'call.updated',
  channel: 'companies',
  invalidates: [
    ...['getCall', 'listActivity', 'listTags', 'callKpi', 'analyzeCalls', 'getDashboard'],
    'listCallDeliveries',
  ],
  about: aboutNumber,
});

export const voicemailReceived = event<typeof payloads.voicemailReceived>({
  name: 'voicemail.received',
  channel: 'companies',
  invalidates: ['getCall'],
  about: aboutNumber,
});

export const recordingReady = event<typeof payloads.recordingReady>({
  name: 'recording.ready',
  channel: 'companies',
  invalidates: ['getCall'],
  about: aboutNumber,
});

/** `voicemailId` is set when it transcribes a voicemail. */
export const transcriptionReady = event<typeof payloads.transcriptionReady>({
  name: 'transcription.ready',
  channel: 'companies',
  invalidates: ['getCall'],
  about: aboutNumber,
});

/** A27: on the channel of each invited person. `leg` is the ID of that person's media leg. */
export const inAppCalling = event<typeof payloads.inAppCalling>({
  name: 'in-app-calling',
  channel: 'users',
  invalidates: ['listCallingUsers', 'canAnswerCall'],
  about: ['userId'],
});

/**
 * A colleague's calling status changed. On the company's channel, since everyone's list of
 * colleagues shows it.
 */
export const callingPresenceChanged = event<typeof payloads.callingPresenceChanged>({
  name: 'calling.presence-changed',
  channel: 'companies',
  invalidates: ['listCallingUsers', 'callDestinations', 'getAvailability'],
});
