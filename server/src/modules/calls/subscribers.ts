import { calls, contacts } from '#contract';
import { subscribe } from '../../platform/outbox-relay.ts';
import { scheduleVoicemailMail, mailOnTranscription } from './voicemail/mail-voicemail.ts';
import { userAccessEnded } from '#contract/companies/users/events';
import { lookUpNewCaller } from './caller-identity/look-up-automatically.ts';
import { applyOutcomeRules } from './outcome-rules/apply-rules.ts';
import { deleteDevicesOfUser } from './phones/store-presence.ts';
import { assignCallsToContact } from './records/store.ts';

export const subscribers = [
  // A contact got a number: the number's calls without a contact become theirs.
  subscribe(contacts.contactChanged, 'adopt-calls', async (ctx, event) => {
    if (event.added || event.changed.includes('number'))
      await assignCallsToContact(ctx.tx, ctx.companyId, event.number, event.contactId);
  }),
  // A phone of a person without access is no device any more; it can't register again.
  subscribe(userAccessEnded, 'forget-phones', async (ctx, { companyId, userId }) => {
    if (await deleteDevicesOfUser(ctx.tx, companyId, userId))
      await ctx.publish(calls.callingPresenceChanged, { companyId, userId });
  }),
  subscribe(calls.callStarted, 'look-up-caller', lookUpNewCaller),
  // Its words may follow: then rules run again.
  subscribe(calls.callEnded, 'apply-outcome-rules', (ctx, { callId }) =>
    applyOutcomeRules(ctx, callId),
  ),
  subscribe(calls.voicemailReceived, 'mail-voicemail', scheduleVoicemailMail),
  subscribe(calls.transcriptionReady, 'mail-voicemail-words', mailOnTranscription),
];
