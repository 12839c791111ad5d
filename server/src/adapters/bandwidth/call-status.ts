import type { CarrierEventSink } from '../../gateways/carrier.ts';
import { deliverInstruction } from '../shared/sync-leg.ts';
import type { BandwidthClient } from './client.ts';
import { legEndCause } from './codes.ts';
import { voiceEvent, type BandwidthVoiceEvent } from './voice-events.ts';
import { updateLeg } from './voice.ts';

/** The status webhook of a call. Its end is stored whatever other events arrive late. */
export async function onCallStatus(
  client: BandwidthClient,
  legName: string,
  event: BandwidthVoiceEvent,
  sink: CarrierEventSink,
): Promise<void> {
  const ref = event.callId ?? '';
  const row =
    (legName ? await client.store.setRef(legName, ref) : undefined) ??
    (await client.store.byRef(ref));
  if (event.eventType !== 'disconnect') {
    // A leg that was cancelled while it was requested can be ended now that its id is known.
    if (row?.doing.kind === 'hangup')
      await deliverInstruction(client, row.leg, (one, leaving) =>
        updateLeg(client, one, leaving),
      ).catch(() => {});
    return;
  }
  const ended = row ?? { leg: legName || ref, call: legName || ref };
  const refused = row?.inbound && row.doing.kind === 'reject';
  const answered = row?.state === 'answered' || Boolean(event.answerTime);
  const ownCause = row?.inbound ? 'hangup' : legEndCause(event.cause ?? '', answered);
  const cause = refused ? 'rejected' : ownCause;
  if (row) await client.store.advance(row.leg, 'ended', cause);
  await sink.onVoiceEvents([
    voiceEvent(client, ended, { id: `${ended.leg}:ended`, type: 'legEnded', cause }, event),
  ]);
}
