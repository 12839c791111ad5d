import type { LegId } from '../../ports/voice.ts';
import type { Desk } from './desk.ts';

/**
 * A talk is recorded on the first leg, on two channels: what it says, and what it hears. Bandwidth begins and ends recordings
 * by document only, so the leg is told its document anew, with the recording before what it does anyway.
 */
export async function startRecording(desk: Desk, recordingId: string, leg: LegId): Promise<LegId> {
  // `recordSides` names the sides anew whenever somebody comes or goes; the recording runs on where it began.
  const { thing } = await desk.book.keep('recording', recordingId, { facts: { leg } });
  const on = String(thing.facts['leg']);
  await desk.book.toldToRecord(on, `begin:${recordingId}`, recordingId);
  // Asked again, because Bandwidth did not take it: the leg is named again, and told if it does not have it yet.
  return on;
}

export async function stopRecording(desk: Desk, recordingId: string): Promise<LegId | undefined> {
  const kept = await desk.book.find('recording', recordingId);
  const leg = kept && String(kept.facts['leg']);
  if (!leg) return undefined;
  // Another one may have begun since: a document ends whichever runs.
  if ((await desk.book.read(leg))?.facts['recording'] === recordingId)
    await desk.book.toldToRecord(leg, `stop:${recordingId}`, null);
  return leg;
}
