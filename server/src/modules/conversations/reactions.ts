import { carrierAccountChanged } from '#contract/carriers';
import {
  callEnded,
  callStarted,
  recordingReady,
  transcriptionReady,
  voicemailReceived,
} from '#contract/calls';
import { blockAdded, blockRemoved } from '#contract/compliance';
import { contactChanged, contactsHave } from '#contract/contacts';
import { on } from '../../platform/relay.ts';
import { callBegan, callEnds, recordingCame, voicemailCame, wordsCame } from './hear-calls.ts';
import { goOnWithTexts } from './go-on-with-texts.ts';
import { followContact, followContacts, noteBlock } from './hear-others.ts';
import { heardMissedCall } from './team/text-back.ts';

export const reactions = [
  on(callStarted, 'show-call', callBegan),
  on(callEnded, 'show-call-end', callEnds),
  on(callEnded, 'text-back', heardMissedCall, {
    when: (call) => !call.outbound && call.outcome === 2,
  }),
  on(voicemailReceived, 'show-voicemail', voicemailCame),
  on(recordingReady, 'show-recording', recordingCame),
  on(transcriptionReady, 'show-words', wordsCame),
  on(blockAdded, 'note-block', (ctx, said) => noteBlock(ctx, said, true)),
  on(blockRemoved, 'note-unblock', (ctx, said) => noteBlock(ctx, said, false)),
  on(contactChanged, 'follow-contact', followContact),
  on(contactsHave, 'follow-contacts', followContacts),
  on(carrierAccountChanged, 'go-on-with-texts', goOnWithTexts, {
    when: (account) => account.working,
  }),
];
