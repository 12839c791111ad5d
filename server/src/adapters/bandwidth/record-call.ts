import type { LegId } from '../../gateways/voice.ts';
import type { BandwidthClient } from './client.ts';

/**
 * A talk is recorded on the first leg, on two channels: what it says, and what it hears. Bandwidth begins and ends recordings
 * by document only, so the leg is told its document anew, with the recording before what it does anyway.
 */
export async function startRecording(
  client: BandwidthClient,
  recordingId: string,
  leg: LegId,
): Promise<LegId> {
  // `recordSides` names the sides anew whenever somebody comes or goes; the recording runs on where it began.
  const { thing: object } = await client.store.put('recording', recordingId, { facts: { leg } });
  const on = String(object.facts['leg']);
  await client.store.setRecording(on, `begin:${recordingId}`, recordingId);
  // Asked again, because Bandwidth did not take it: the leg is named again, and told if it does not have it yet.
  return on;
}

export async function stopRecording(
  client: BandwidthClient,
  recordingId: string,
): Promise<LegId | undefined> {
  const kept = await client.store.get('recording', recordingId);
  const leg = kept && String(kept.facts['leg']);
  if (!leg) return undefined;
  // Another one may have begun since: a document ends whichever runs.
  if ((await client.store.read(leg))?.facts['recording'] === recordingId)
    await client.store.setRecording(leg, `stop:${recordingId}`, null);
  return leg;
}
