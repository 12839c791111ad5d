import type { LegId } from '../../ports/voice.ts';
import type { BookedThing } from '../leg-book.ts';
import { whatBecame } from './api.ts';
import type { Desk } from './desk.ts';

/** How long nobody looks for a recording whose beginning is being asked for: the answer may still come. Milliseconds. */
const answeredWithinMs = 20_000;
/** When what waited for the leg to join is tried again, because no command stands behind it any more. Milliseconds. */
const againAfterMs = [1000, 4000, 10_000, 30_000];

/**
 * A talk is recorded on the first leg, on two channels: what it says, and what it hears. Twilio records only what is picked
 * up, so a recording that is wanted while the leg is on its way into the conference begins when it joins.
 */
export async function startRecording(desk: Desk, recordingId: string, leg: LegId): Promise<void> {
  await desk.book.keep('recording', recordingId, { facts: { leg } });
  if ((await desk.book.read(leg))?.facts['joined'] === true)
    await beginRecording(desk, recordingId, leg);
}

/** The leg is in the conference: begin what waits for it. */
export async function recordWhatWaits(desk: Desk, leg: LegId): Promise<void> {
  const row = await desk.book.remember(leg, { joined: true });
  for (const recordingId of await desk.book.keysWith('recording', 'leg', leg))
    if (row) await tryOn(desk, recordingId, leg, againAfterMs);
}
async function tryOn(
  desk: Desk,
  recordingId: string,
  leg: LegId,
  [pause, ...later]: readonly number[],
): Promise<void> {
  await beginRecording(desk, recordingId, leg).catch((error: unknown) => {
    desk.log.warn(
      { err: error, leg, recordingId, again: pause },
      'Twilio does not record this call yet',
    );
    if (pause !== undefined)
      setTimeout(() => void tryOn(desk, recordingId, leg, later), pause).unref();
  });
}

async function beginRecording(desk: Desk, recordingId: string, leg: LegId): Promise<void> {
  const kept = await desk.book.find('recording', recordingId);
  const row = await desk.book.read(leg);
  if (!kept || kept.ref || kept.facts['stopped'] || !row?.ref || row.state === 'ended') return;
  if (
    !(await desk.book.first(leg, `begin:${recordingId}`)) &&
    (await findLost(desk, kept, row.ref)) !== null
  )
    return;
  await desk.book.change('recording', recordingId, { facts: { askedAt: desk.now().getTime() } });
  try {
    const recording = await desk.api.client.calls(row.ref).recordings.create({
      recordingChannels: 'dual',
      trim: 'do-not-trim',
      recordingStatusCallback: desk.places.recording(leg, recordingId),
      recordingStatusCallbackMethod: 'POST',
      recordingStatusCallbackEvent: ['completed', 'absent'],
    });
    await desk.book.change('recording', recordingId, { ref: recording.sid });
  } catch (error) {
    const became = whatBecame(error);
    if (became.is === 'refused' || became.is === 'untouched') {
      await desk.book.change('recording', recordingId, { facts: { askedAt: null } });
      await desk.book.undo(leg, `begin:${recordingId}`);
    }
    if (became.is === 'refused')
      return desk.log.warn(
        { leg, recordingId, reason: became.reason },
        'Twilio does not record this call',
      );
    throw error;
  }
  if ((await desk.book.find('recording', recordingId))?.facts['stopped'])
    await stopRecording(desk, recordingId);
}

/**
 * A beginning that somebody asked for without writing down an answer: Twilio may be recording, and a second one beside it
 * would be worse than a late one. It is the one that runs and nobody knows. null: it does not record.
 */
async function findLost(desk: Desk, kept: BookedThing, call: string): Promise<string | null> {
  const now = desk.now().getTime();
  // Somebody is just about to ask, or died before: counted from now.
  if (!kept.facts['askedAt'])
    await desk.book.change('recording', kept.key, { facts: { askedAt: now } });
  if (now - Number(kept.facts['askedAt'] ?? now) < answeredWithinMs)
    throw new Error('Twilio is asked in a moment whether it records this call.');
  for (const one of await desk.api.client.calls(call).recordings.list({ limit: 50 })) {
    if (
      (one.status !== 'in-progress' && one.status !== 'paused') ||
      (await desk.book.findRef('recording', one.sid))
    )
      continue;
    await desk.book.change('recording', kept.key, { ref: one.sid });
    return one.sid;
  }
  return null;
}

export async function stopRecording(desk: Desk, recordingId: string): Promise<void> {
  await desk.book.change('recording', recordingId, { facts: { stopped: true } });
  const kept = await desk.book.find('recording', recordingId);
  const row = kept && (await desk.book.read(String(kept.facts['leg'])));
  if (!kept || !row?.ref || row.state === 'ended') return;
  const sid = kept.ref ?? (kept.facts['askedAt'] ? await findLost(desk, kept, row.ref) : null);
  if (sid === null) return;
  await desk.api.client
    .calls(row.ref)
    .recordings(sid)
    .update({ status: 'stopped' })
    .catch((error: unknown) => {
      if (whatBecame(error).is !== 'refused') throw error; // refused: it ended with the call
    });
}
