import { callEnded, callStarted, recordingReady, transcriptionReady, voicemailReceived } from '#contract/calls';
import { blockAdded, blockRemoved } from '#contract/compliance';
import { contactChanged } from '#contract/contacts';
import { on } from '../../platform/relay.ts';
import { callBegan, callEnds, recordingCame, voicemailCame, wordsCame } from './hear-calls.ts';
import { followContact, noteBlock } from './hear-others.ts';

export const reactions = [
  on(callStarted, 'show-call', callBegan),
  on(callEnded, 'show-call-end', callEnds),
  on(voicemailReceived, 'show-voicemail', voicemailCame),
  on(recordingReady, 'show-recording', recordingCame),
  on(transcriptionReady, 'show-words', wordsCame),
  on(blockAdded, 'note-block', (ctx, said) => noteBlock(ctx, said, true)),
  on(blockRemoved, 'note-unblock', (ctx, said) => noteBlock(ctx, said, false)),
  on(contactChanged, 'follow-contact', followContact),
];
