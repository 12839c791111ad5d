import { calls, contacts } from '#contract';
import { on } from '../../platform/relay.ts';
import { mailWhenWritten, mailWithWords } from './mail-voicemail.ts';
import { adoptCalls } from './store.ts';

export const reactions = [
  // Somebody gave a number a name: the calls of that number that knew nobody belong to them now.
  on(contacts.contactChanged, 'adopt-calls', async (ctx, said) => {
    if (said.added || said.changed.includes('number'))
      await adoptCalls(ctx.tx, ctx.companyId, said.number, said.contactId);
  }),
  on(calls.voicemailReceived, 'mail-voicemail', mailWhenWritten),
  on(calls.transcriptionReady, 'mail-voicemail-words', mailWithWords),
];
