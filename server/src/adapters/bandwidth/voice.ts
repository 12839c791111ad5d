import type { VoiceCarrier } from '../../gateways/voice.ts';
import type { LegInstruction } from '../leg-instruction.ts';
import type { CarrierLeg } from '../carrier-leg-store.ts';
import { applyCommands } from '../apply-commands.ts';
import { deliverInstruction } from '../sync-leg.ts';
import { legEndCause } from './codes.ts';
import { createLeg, findUnconfirmed } from './create-leg.ts';
import { legBxml, type BandwidthClient } from './client.ts';
import { startRecording, stopRecording } from './record-call.ts';
import { callsPath, fetchCallState } from './call-requests.ts';

/** What Bandwidth says of a call may lag by minutes (its own words): until then our own book is believed. Milliseconds. */
const maxStatusLagMs = 5 * 60_000;

/**
 * Bandwidth's voice. Every leg is a call of its own, made by request and joined in conferences: `<Transfer>` would ring eight
 * numbers at once, but knows no order, no confirm key with several targets, no hold and no third person.
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
    async getLegStatus(leg) {
      const row = await client.store.read(leg);
      if (!row) return null;
      const ref = row.ref ?? (row.state === 'asked' ? await findUnconfirmed(client, row) : null);
      if (!ref) return row.state === 'ended' ? { state: 'ended', cause: row.cause } : null;
      const seen = await fetchCallState(client, ref);
      if (seen === null) {
        const since = row.askedAt ?? row.createdAt;
        if (row.state === 'ended') return { state: 'ended', cause: row.cause };
        return client.now().getTime() - since.getTime() < maxStatusLagMs
          ? {
              state:
                row.state === 'answered' || (row.inbound && row.facts['picked'] === true)
                  ? 'answered'
                  : 'ringing',
              cause: null,
            }
          : null;
      }
      if (seen.state === 'disconnected')
        return {
          state: 'ended',
          cause: legEndCause(seen.disconnectCause ?? '', Boolean(seen.answerTime)),
        };
      return { state: seen.answerTime ? 'answered' : 'ringing', cause: null };
    },

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
        throw new Error(`Bandwidth answered ${status} when deleting a recording.`);
    },
  };
}

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
    throw new Error(`Bandwidth answered ${status} when updating a call.`);
  if (status >= 400) {
    // Still ringing at its caller: it asks again within two seconds. Or it is over.
    if (!leaving) return false;
    // A call that waits in Bandwidth's queue cannot be ended yet.
    const seen = status === 409 ? await fetchCallState(client, row.ref!) : null;
    if (seen && seen.state !== 'disconnected')
      throw new Error('Bandwidth hasn’t ended this call yet.');
  }
  return true;
}
