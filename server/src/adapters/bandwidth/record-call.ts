import type { LegId } from '../../gateways/voice.ts';
import type { BandwidthClient } from './client.ts';

/**
 * Records a conversation on its first leg, on two channels: what it says and what it hears.
 * Bandwidth starts and stops recordings by document only, so the leg gets a new version of its
 * document that starts the recording first. Returns the leg to deliver.
 */
export async function startRecording(
  client: BandwidthClient,
  recordingId: string,
  leg: LegId,
): Promise<LegId> {
  // `recordSides` is sent whenever a leg joins or leaves; the recording continues on the leg it
  // started on.
  const { thing: object } = await client.store.put('recording', recordingId, { facts: { leg } });
  const recordedLeg = String(object.facts['leg']);
  await client.store.setRecording(recordedLeg, `begin:${recordingId}`, recordingId);
  // When the command is repeated because Bandwidth failed, the leg is delivered again if needed.
  return recordedLeg;
}

/** Undefined when the recording is unknown. */
export async function stopRecording(
  client: BandwidthClient,
  recordingId: string,
): Promise<LegId | undefined> {
  const object = await client.store.get('recording', recordingId);
  const leg = object && String(object.facts['leg']);
  if (!leg) return undefined;
  // Another recording may have started since, and a document stops whichever is running.
  if ((await client.store.read(leg))?.facts['recording'] === recordingId)
    await client.store.setRecording(leg, `stop:${recordingId}`, null);
  return leg;
}
