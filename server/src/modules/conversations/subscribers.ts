import { carrierAccountChanged } from '#contract/numbers/carriers/events';
import {
  callEnded,
  callStarted,
  recordingReady,
  transcriptionReady,
  voicemailReceived,
} from '#contract/calls/events';
import { blockAdded, blockRemoved } from '#contract/compliance/events';
import { contactChanged, contactNumbersLinked } from '#contract/contacts/events';
import { formReceived, matched } from '#contract/tracking/events';
import { subscribe } from '../../platform/outbox-relay.ts';
import {
  appendStartedCall,
  updateEndedCall,
  attachRecording,
  appendVoicemail,
  attachTranscript,
} from './on-call-events.ts';
import { appendForm } from './on-forms.ts';
import { appendCallMatch } from './match-texts.ts';
import { retryWaitingTexts } from './retry-waiting-texts.ts';
import { linkChangedContact, linkChangedContacts, appendBlockItem } from './on-contact-events.ts';
import { enqueueTextBack } from './team/text-back.ts';

export const subscribers = [
  subscribe(callStarted, 'show-call', appendStartedCall),
  subscribe(matched, 'show-match', appendCallMatch, { when: ({ kind }) => kind === 'call' }),
  subscribe(formReceived, 'show-form', appendForm, { when: ({ party }) => party !== null }),
  subscribe(callEnded, 'show-call-end', updateEndedCall),
  subscribe(callEnded, 'text-back', enqueueTextBack, {
    when: (call) => !call.outbound && call.outcome === 2,
  }),
  subscribe(voicemailReceived, 'show-voicemail', appendVoicemail),
  subscribe(recordingReady, 'show-recording', attachRecording),
  subscribe(transcriptionReady, 'show-words', attachTranscript),
  subscribe(blockAdded, 'note-block', (ctx, event) => appendBlockItem(ctx, event, true)),
  subscribe(blockRemoved, 'note-unblock', (ctx, event) => appendBlockItem(ctx, event, false)),
  subscribe(contactChanged, 'follow-contact', linkChangedContact),
  subscribe(contactNumbersLinked, 'follow-contacts', linkChangedContacts),
  subscribe(carrierAccountChanged, 'go-on-with-texts', retryWaitingTexts, {
    when: (account) => account.working,
  }),
];
