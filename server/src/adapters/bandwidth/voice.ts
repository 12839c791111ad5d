import type { VoiceCarrier } from '../../ports/voice.ts';
import type { Doing } from '../doing.ts';
import type { BookedLeg } from '../leg-book.ts';
import { performByDocuments } from '../perform.ts';
import { deliver } from '../tell-leg.ts';
import { causeOf } from './codes.ts';
import { createLeg, findLost } from './create-leg.ts';
import { documentFor, type Desk } from './desk.ts';
import { startRecording, stopRecording } from './record-call.ts';
import { calls, stateOfCall } from './call-requests.ts';

/** What Bandwidth says of a call may lag by minutes (its own words): until then our own book is believed. Milliseconds. */
const shownWithinMs = 5 * 60_000;

/**
 * Bandwidth's voice. Every leg is a call of its own, made by request and joined in conferences: `<Transfer>` would ring eight
 * numbers at once, but knows no order, no confirm key with several targets, no hold and no third person.
 */
export function bandwidthVoice(desk: Desk): VoiceCarrier {
  return {
    name: 'bandwidth',
    abilities: {
      parallelTargets: 8,
      confirmWithSeveralTargets: false,
      sequential: false,
      whisper: true,
      rooms: true,
    },
    perform: (commands) =>
      performByDocuments(
        {
          book: desk.book,
          createLeg: (command) => createLeg(desk, command),
          deliver: (leg) => deliver(desk, leg, (row, leaving) => askBandwidth(desk, row, leaving)),
          startRecording: (recordingId, leg) => startRecording(desk, recordingId, leg),
          stopRecording: (recordingId) => stopRecording(desk, recordingId),
        },
        commands,
      ),

    withdraw: (leg) => desk.book.withdraw(leg),
    async askLeg(leg) {
      const row = await desk.book.read(leg);
      if (!row) return null;
      const ref = row.ref ?? (row.state === 'asked' ? await findLost(desk, row) : null);
      if (!ref) return row.state === 'ended' ? { state: 'ended', cause: row.cause } : null;
      const seen = await stateOfCall(desk, ref);
      if (seen === null) {
        const since = row.askedAt ?? row.createdAt;
        if (row.state === 'ended') return { state: 'ended', cause: row.cause };
        return desk.now().getTime() - since.getTime() < shownWithinMs
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
          cause: causeOf(seen.disconnectCause ?? '', Boolean(seen.answerTime)),
        };
      return { state: seen.answerTime ? 'answered' : 'ringing', cause: null };
    },

    clientToken: () => Promise.reject(new Error('Browsers do not join calls of Bandwidth.')),

    async fetchRecording(url) {
      const answer = await desk.api.fetch(url);
      if (!answer || answer.status === 404) return null;
      if (answer.status >= 300)
        throw new Error(`Bandwidth answered ${answer.status} for a recording.`);
      return answer.body;
    },
    async forgetRecording(url) {
      const [, call, recording] = /\/calls\/([^/]+)\/recordings\/([^/?]+)/.exec(url) ?? [];
      if (!call || !recording || !desk.settings.deleteRecordings) return;
      const { status } = await desk.api.ask(
        'voice',
        'DELETE',
        `${calls(desk)}/${call}/recordings/${recording}`,
      );
      if (status >= 300 && status !== 404)
        throw new Error(`Bandwidth answered ${status} when a recording was to be deleted.`);
    },
  };
}

export async function askBandwidth(
  desk: Desk,
  row: BookedLeg<Doing>,
  leaving: boolean,
): Promise<boolean> {
  const { status } = leaving
    ? await desk.api.ask('voice', 'POST', `${calls(desk)}/${row.ref}`, {
        type: 'application/json',
        text: JSON.stringify({ state: 'completed' }),
      })
    : await desk.api.ask('voice', 'PUT', `${calls(desk)}/${row.ref}/bxml`, {
        type: 'application/xml; charset=utf-8',
        text: await documentFor(desk, row),
      });
  if (status >= 500 || status === 429)
    throw new Error(`Bandwidth answered ${status} when a call was to be changed.`);
  if (status >= 400) {
    // Still ringing at its caller: it asks again within two seconds. Or it is over.
    if (!leaving) return false;
    // A call that waits in Bandwidth's queue cannot be ended yet.
    const seen = status === 409 ? await stateOfCall(desk, row.ref!) : null;
    if (seen && seen.state !== 'disconnected')
      throw new Error('Bandwidth does not end this call yet.');
  }
  return true;
}
