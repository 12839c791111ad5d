import type { LegId } from '../../ports/voice.ts';
import type { Desk } from './desk.ts';

/**
 * A talk is recorded on the first leg, on two channels: what it says, and what it hears. Bandwidth begins and ends recordings
 * by document only, so the leg is told its document anew, with the recording before what it does anyway.
 */
export async function startRecording(desk: Desk, recordingId: string, leg: LegId): Promise<LegId | undefined> {
  const { fresh } = await desk.book.keep('recording', recordingId, { facts: { leg } });
  // `recordSides` names the sides anew whenever somebody comes or goes; the recording runs on.
  if (!fresh) return undefined;
  return (await newDocument(desk, leg, `begin:${recordingId}`, recordingId)) ? leg : undefined;
}

export async function stopRecording(desk: Desk, recordingId: string): Promise<LegId | undefined> {
  const kept = await desk.book.find('recording', recordingId);
  const leg = kept && String(kept.facts['leg']);
  if (!leg || (await desk.book.read(leg))?.facts['recording'] !== recordingId) return undefined;
  return (await newDocument(desk, leg, `stop:${recordingId}`, null)) ? leg : undefined;
}

const newDocument = async (desk: Desk, leg: LegId, command: string, recording: string | null): Promise<boolean> => (await desk.book.toldToRecord(leg, command, recording)) !== undefined;
