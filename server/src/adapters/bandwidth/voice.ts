import type { LegId, VoiceCarrier } from '../../gateways/voice.ts';
import type { LegInstruction } from '../shared/leg-instruction.ts';
import type { CarrierLeg } from '../shared/carrier-leg-store.ts';
import { applyCommands } from '../shared/apply-commands.ts';
import { deliverInstruction } from '../shared/sync-leg.ts';
import { legEndCause } from './codes.ts';
import { createLeg, findUnconfirmed } from './create-leg.ts';
import { legBxml, type BandwidthClient } from './client.ts';
import { startRecording, stopRecording } from './record-call.ts';
import { callsPath, fetchCallState } from './call-requests.ts';
import { mustBe } from '../../platform/must-be.ts';

/**
 * Bandwidth's call status may lag by minutes, as it documents; until then our own record counts.
 */
const maxStatusLagMs = 5 * 60_000;

type LegStatus = Awaited<ReturnType<VoiceCarrier['getLegStatus']>>;

/**
 * Bandwidth's voice. Every leg is a call of its own, created by request and joined in conferences:
 * `<Transfer>` can ring eight numbers at once, but supports no order, no confirm key with several
 * targets, no hold and no third participant.
 */
export function bandwidthVoice(client: BandwidthClient): VoiceCarrier {
  return {
    name: 'bandwidth',
    capabilities: {
      parallelTargets: 8,
      confirmWithSeveralTargets: false,
      sequential: false,
      whisper: true,
      rooms: true,
    },
    perform: (commands) =>
      applyCommands(
        {
          store: client.store,
          createLeg: (command) => createLeg(client, command),
          deliver: (leg) =>
            deliverInstruction(client, leg, (row, leaving) => updateLeg(client, row, leaving)),
          startRecording: (recordingId, leg) => startRecording(client, recordingId, leg),
          stopRecording: (recordingId) => stopRecording(client, recordingId),
        },
        commands,
      ),

    withdrawLeg: (leg) => client.store.withdrawUnasked(leg),
    getLegStatus: (leg) => legStatus(client, leg),
    createClientToken: () =>
      Promise.reject(new Error('Bandwidth calls can’t be answered in browsers.')),

    async fetchRecording(url) {
      const answer = await client.api.fetch(url);
      if (!answer || answer.status === 404) return null;
      if (answer.status >= 300)
        throw new Error(`Bandwidth answered ${answer.status} for a recording.`);
      return answer.body;
    },
    async deleteRecording(url) {
      const [, call, recording] = /\/calls\/([^/]+)\/recordings\/([^/?]+)/.exec(url) ?? [];
      if (!call || !recording || !client.settings.deleteRecordings) return;
      const { status } = await client.api.request(
        'voice',
        'DELETE',
        `${callsPath(client)}/${call}/recordings/${recording}`,
      );
      if (status >= 300 && status !== 404)
        throw new Error(`Bandwidth answered ${status} to the deletion of a recording.`);
    },
  };
}

/** Null when Bandwidth and we know of no such leg. */
async function legStatus(client: BandwidthClient, leg: LegId): Promise<LegStatus> {
  const row = await client.store.read(leg);
  if (!row) return null;
  const ref = row.ref ?? (row.state === 'asked' ? await findUnconfirmed(client, row) : null);
  if (!ref) return row.state === 'ended' ? { state: 'ended', cause: row.cause } : null;
  const call = await fetchCallState(client, ref);
  if (call === null) return storedStatus(client, row);
  if (call.state !== 'disconnected')
    return { state: call.answerTime ? 'answered' : 'ringing', cause: null };
  const cause = legEndCause(call.disconnectCause ?? '', Boolean(call.answerTime));
  return { state: 'ended', cause };
}

/** The status by our own record, while Bandwidth may not list the call yet. */
function storedStatus(client: BandwidthClient, row: CarrierLeg<LegInstruction>): LegStatus {
  if (row.state === 'ended') return { state: 'ended', cause: row.cause };
  const since = row.askedAt ?? row.createdAt;
  if (client.now().getTime() - since.getTime() >= maxStatusLagMs) return null;
  const answered = row.state === 'answered' || (row.inbound && row.facts['picked'] === true);
  return { state: answered ? 'answered' : 'ringing', cause: null };
}

/** See UpdateCarrierLeg. Throws when Bandwidth fails or cannot end the call yet. */
export async function updateLeg(
  client: BandwidthClient,
  row: CarrierLeg<LegInstruction>,
  leaving: boolean,
): Promise<boolean> {
  const { status } = leaving
    ? await client.api.request('voice', 'POST', `${callsPath(client)}/${row.ref}`, {
        type: 'application/json',
        text: JSON.stringify({ state: 'completed' }),
      })
    : await client.api.request('voice', 'PUT', `${callsPath(client)}/${row.ref}/bxml`, {
        type: 'application/xml; charset=utf-8',
        text: await legBxml(client, row),
      });
  if (status >= 500 || status === 429)
    throw new Error(`Bandwidth answered ${status} to a change of a call.`);
  if (status >= 400) {
    // An inbound call that still rings requests its instruction within two seconds. Or it has
    // ended.
    if (!leaving) return false;
    // A call in Bandwidth's queue cannot be ended yet.
    const call =
      status === 409
        ? await fetchCallState(client, mustBe(row.ref, 'carrier reference of the call'))
        : null;
    if (call && call.state !== 'disconnected')
      throw new Error('Bandwidth cannot end this call yet.');
  }
  return true;
}
