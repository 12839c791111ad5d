import type { LegId } from '../../gateways/voice.ts';
import type { CarrierObject } from '../shared/carrier-object-store.ts';
import { classifyError } from './api.ts';
import type { TwilioClient } from './client.ts';

/**
 * How long the response to a start request may take before the recording is looked up.
 * Milliseconds.
 */
const startTimeoutMs = 20_000;
/**
 * When a recording that waited for its leg is tried again, since no command will repeat it.
 * Milliseconds.
 */
const retryDelaysMs = [1000, 4000, 10_000, 30_000];

/**
 * Records a conversation on its first leg, on two channels: what it says and what it hears. Twilio
 * records answered calls only, so a recording that is requested while the leg joins the conference
 * starts when it has joined.
 */
export async function startRecording(
  client: TwilioClient,
  recordingId: string,
  leg: LegId,
): Promise<void> {
  await client.store.put('recording', recordingId, { facts: { leg } });
  if ((await client.store.read(leg))?.facts['joined'] === true)
    await beginRecording(client, recordingId, leg);
}

/** The leg has joined the conference: starts the recordings that wait for it. */
export async function startPendingRecordings(client: TwilioClient, leg: LegId): Promise<void> {
  const row = await client.store.mergeFacts(leg, { joined: true });
  for (const recordingId of await client.store.keysWithFact('recording', 'leg', leg))
    if (row) await retryRecording(client, recordingId, leg, retryDelaysMs);
}
async function retryRecording(
  client: TwilioClient,
  recordingId: string,
  leg: LegId,
  [pause, ...later]: readonly number[],
): Promise<void> {
  await beginRecording(client, recordingId, leg).catch((error: unknown) => {
    client.log.warn(
      { err: error, leg, recordingId, again: pause },
      'Twilio isn’t recording this call yet',
    );
    if (pause !== undefined)
      setTimeout(() => void retryRecording(client, recordingId, leg, later), pause).unref();
  });
}

async function beginRecording(
  client: TwilioClient,
  recordingId: string,
  leg: LegId,
): Promise<void> {
  const kept = await client.store.get('recording', recordingId);
  const row = await client.store.read(leg);
  if (!kept || kept.ref || kept.facts['stopped'] || !row?.ref || row.state === 'ended') return;
  if (
    !(await client.store.claimCommand(leg, `begin:${recordingId}`)) &&
    (await findUnconfirmed(client, kept, row.ref)) !== null
  )
    return;
  await client.store.change('recording', recordingId, {
    facts: { askedAt: client.now().getTime() },
  });
  try {
    const recording = await client.api.client.calls(row.ref).recordings.create({
      recordingChannels: 'dual',
      trim: 'do-not-trim',
      recordingStatusCallback: client.callbacks.recording(leg, recordingId),
      recordingStatusCallbackMethod: 'POST',
      recordingStatusCallbackEvent: ['completed', 'absent'],
    });
    await client.store.change('recording', recordingId, { ref: recording.sid });
  } catch (error) {
    const failure = classifyError(error);
    if (failure.is === 'refused' || failure.is === 'untouched') {
      await client.store.change('recording', recordingId, { facts: { askedAt: null } });
      await client.store.releaseCommand(leg, `begin:${recordingId}`);
    }
    if (failure.is === 'refused')
      return client.log.warn(
        { leg, recordingId, reason: failure.reason },
        'Twilio doesn’t record this call',
      );
    throw error;
  }
  if ((await client.store.get('recording', recordingId))?.facts['stopped'])
    await stopRecording(client, recordingId);
}

/**
 * The recording whose start request got no response, if Twilio is recording: the one that is
 * running and not known to us. A second one beside it would be worse than a late one. Null: Twilio
 * is not recording.
 */
async function findUnconfirmed(
  client: TwilioClient,
  kept: CarrierObject,
  call: string,
): Promise<string | null> {
  const now = client.now().getTime();
  // The request is being made, or its process died: the time counts from now.
  if (!kept.facts['askedAt'])
    await client.store.change('recording', kept.key, { facts: { askedAt: now } });
  if (now - Number(kept.facts['askedAt'] ?? now) < startTimeoutMs)
    throw new Error('Asking Twilio shortly whether it is recording this call.');
  for (const one of await client.api.client.calls(call).recordings.list({ limit: 50 })) {
    if (
      (one.status !== 'in-progress' && one.status !== 'paused') ||
      (await client.store.getByRef('recording', one.sid))
    )
      continue;
    await client.store.change('recording', kept.key, { ref: one.sid });
    return one.sid;
  }
  return null;
}

/** Stops a recording; one that ended already stays as it is. Throws when Twilio is unavailable. */
export async function stopRecording(client: TwilioClient, recordingId: string): Promise<void> {
  await client.store.change('recording', recordingId, { facts: { stopped: true } });
  const kept = await client.store.get('recording', recordingId);
  const row = kept && (await client.store.read(String(kept.facts['leg'])));
  if (!kept || !row?.ref || row.state === 'ended') return;
  const sid =
    kept.ref ?? (kept.facts['askedAt'] ? await findUnconfirmed(client, kept, row.ref) : null);
  if (sid === null) return;
  await client.api.client
    .calls(row.ref)
    .recordings(sid)
    .update({ status: 'stopped' })
    .catch((error: unknown) => {
      if (classifyError(error).is !== 'refused') throw error; // refused: it ended with the call
    });
}
