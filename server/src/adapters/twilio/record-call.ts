import type { LegId } from '../../ports/voice.ts';
import { whatBecame } from './api.ts';
import type { Desk } from './desk.ts';

/**
 * A talk is recorded on the first leg, on two channels: what it says, and what it hears. Twilio records only what is picked
 * up, so a recording that is wanted while the leg is on its way into the conference begins when it joins.
 */
export async function startRecording(desk: Desk, recordingId: string, leg: LegId): Promise<void> {
  await desk.book.keep('recording', recordingId, { facts: { leg } });
  if ((await desk.book.read(leg))?.facts['joined'] === true) await beginRecording(desk, recordingId, leg);
}

/** The leg is in the conference: begin what waits for it. */
export async function recordWhatWaits(desk: Desk, leg: LegId): Promise<void> {
  const row = await desk.book.remember(leg, { joined: true });
  for (const recordingId of await desk.book.keysWith('recording', 'leg', leg)) if (row) await beginRecording(desk, recordingId, leg);
}

async function beginRecording(desk: Desk, recordingId: string, leg: LegId): Promise<void> {
  const kept = await desk.book.find('recording', recordingId);
  const row = await desk.book.read(leg);
  if (!kept || kept.ref || kept.facts['stopped'] || !row?.ref || row.state === 'ended' || !(await desk.book.first(leg, `begin:${recordingId}`))) return;
  try {
    const recording = await desk.api.client.calls(row.ref).recordings.create({
      recordingChannels: 'dual', trim: 'do-not-trim', recordingStatusCallback: desk.places.recording(leg, recordingId), recordingStatusCallbackMethod: 'POST', recordingStatusCallbackEvent: ['completed', 'absent'],
    });
    await desk.book.change('recording', recordingId, { ref: recording.sid });
    if ((await desk.book.find('recording', recordingId))?.facts['stopped']) await stopRecording(desk, recordingId);
  } catch (error) {
    const became = whatBecame(error);
    desk.log.warn({ leg, recordingId, reason: became.reason }, 'Twilio does not record this call');
    // Unknown: it may be recording, and a second one beside it would be worse than none told.
    if (became.is === 'untouched') { await desk.book.undo(leg, `begin:${recordingId}`); throw error; }
  }
}

export async function stopRecording(desk: Desk, recordingId: string): Promise<void> {
  await desk.book.change('recording', recordingId, { facts: { stopped: true } });
  const kept = await desk.book.find('recording', recordingId);
  const row = kept && (await desk.book.read(String(kept.facts['leg'])));
  if (!kept?.ref || !row?.ref) return;
  await desk.api.client.calls(row.ref).recordings(kept.ref).update({ status: 'stopped' }).catch((error: unknown) => {
    if (whatBecame(error).is !== 'refused') throw error; // refused: it ended with the call
  });
}
