import type { CarrierEventSink } from '../../gateways/carrier.ts';
import { deliverInstruction } from '../shared/sync-leg.ts';
import { legEndCause } from './codes.ts';
import type { TwilioClient } from './client.ts';
import { updateLeg } from './voice.ts';
import { voiceEvent, type Fields } from './voice-events.ts';

const earlyStatuses = ['queued', 'initiated', 'ringing'];
const finalStatuses = ['completed', 'busy', 'no-answer', 'canceled', 'failed'];

/** The status of a leg. Webhooks may arrive in any order, and a leg only moves forward. */
export async function onCallStatus(
  client: TwilioClient,
  legId: string | null,
  fields: Fields,
  sink: CarrierEventSink,
): Promise<void> {
  const { store } = client;
  const sid = fields['CallSid'] ?? '';
  const known = legId ? await store.setRef(legId, sid) : undefined;
  const row = known ?? (await store.byRef(sid));
  const target = row ?? { leg: legId ?? sid, call: legId ?? sid };
  const status = fields['CallStatus'] ?? '';
  if (status === 'ringing' && row && !row.inbound) {
    await store.advance(row.leg, 'ringing');
    const event = { id: `${target.leg}:ringing`, type: 'legRinging' as const };
    await sink.onVoiceEvents([voiceEvent(client, target, event, fields['SequenceNumber'])]);
  }
  // A leg that was cancelled while it was requested can be ended now that its id is known.
  if (row && earlyStatuses.includes(status) && row.doing.kind === 'hangup')
    await deliverInstruction(client, row.leg, (one, leaving) =>
      updateLeg(client, one, leaving),
    ).catch(() => {});
  if (!finalStatuses.includes(status)) return;
  const answered = row?.state === 'answered';
  const ownCause = row?.inbound
    ? 'hangup'
    : legEndCause(status, fields['SipResponseCode'], answered);
  const cause = row?.inbound && row.doing.kind === 'reject' ? 'rejected' : ownCause;
  if (row) await store.advance(row.leg, 'ended', cause);
  const neverRang = cause === 'failed' && row && !row.inbound && row.state === 'asked';
  const event = {
    id: `${target.leg}:ended`,
    type: 'legEnded' as const,
    cause,
    ...(neverRang ? { notTaken: 'refused' as const } : {}),
  };
  await sink.onVoiceEvents([voiceEvent(client, target, event, fields['SequenceNumber'])]);
}
