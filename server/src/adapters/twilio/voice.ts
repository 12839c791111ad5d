import type { VoiceCarrier } from '../../ports/voice.ts';
import type { BookedLeg } from '../leg-book.ts';
import type { Doing } from '../doing.ts';
import { performByDocuments } from '../perform.ts';
import { deliver } from '../tell-leg.ts';
import { whatBecame } from './api.ts';
import { createLeg, findLost } from './create-leg.ts';
import { documentFor, type Desk } from './desk.ts';
import { startRecording, stopRecording } from './record-call.ts';

/** States of a call that is over; anything else that is not on its way says nothing (a call is never ended on a hunch). */
const over = new Set<string>(['completed', 'busy', 'no-answer', 'canceled', 'failed']);

/**
 * Twilio's voice. Every leg is a call of its own, made by request and joined in conferences, so that the engine orchestrates
 * here exactly as it does in the sandbox: stagger, own timeouts, whisper and confirm key per leg, hold, rooms, coaching.
 */
export function twilioVoice(desk: Desk): VoiceCarrier {
  return {
    name: 'twilio',
    abilities: {
      parallelTargets: 10,
      confirmWithSeveralTargets: true,
      sequential: false,
      whisper: true,
      rooms: true,
    },
    perform: (commands) =>
      performByDocuments(
        {
          book: desk.book,
          createLeg: (command) => createLeg(desk, command),
          deliver: (leg) => deliver(desk, leg, (row, leaving) => askTwilio(desk, row, leaving)),
          // Twilio records by request, when the leg has joined.
          startRecording: async (recordingId, leg) => () => startRecording(desk, recordingId, leg),
          stopRecording: async (recordingId) => () => stopRecording(desk, recordingId),
        },
        commands,
      ),

    withdraw: (leg) => desk.book.withdraw(leg),
    async askLeg(leg) {
      const row = await desk.book.read(leg);
      if (!row) return null;
      const ref = row.ref ?? (row.state === 'asked' ? await findLost(desk, row) : null);
      if (!ref) return row.state === 'ended' ? { state: 'ended', cause: row.cause } : null;
      try {
        const { status } = await desk.api.client.calls(ref).fetch();
        if (status === 'queued' || status === 'ringing') return { state: 'ringing', cause: null };
        if (status === 'in-progress') return { state: 'answered', cause: null };
        if (!over.has(status)) throw new Error('Twilio answered something that is no call.');
        return {
          state: 'ended',
          cause:
            status === 'completed'
              ? 'hangup'
              : status === 'busy'
                ? 'busy'
                : status === 'no-answer'
                  ? 'noAnswer'
                  : status === 'canceled'
                    ? 'cancelled'
                    : 'failed',
        };
      } catch (error) {
        const became = whatBecame(error);
        if (became.is === 'refused' && became.status === 404) return null;
        throw error;
      }
    },

    async clientToken({ identity }) {
      const { apiKey, accountSid, appSid } = desk.settings;
      if (!apiKey)
        throw new Error('Calling in the browser needs TWILIO_API_KEY and TWILIO_API_SECRET.');
      const { AccessToken } = desk.api.sdk.jwt;
      const seconds = 3600;
      const token = new AccessToken(accountSid, apiKey.sid, apiKey.secret, {
        identity,
        ttl: seconds,
      });
      token.addGrant(
        new AccessToken.VoiceGrant({
          incomingAllow: true,
          ...(appSid ? { outgoingApplicationSid: appSid } : {}),
        }),
      );
      return {
        token: token.toJwt(),
        url: 'https://sdk.twilio.com',
        expiresAt: new Date(Date.now() + seconds * 1000).toISOString(),
        iceServers: [],
      };
    },

    async fetchRecording(url) {
      const { status, bytes } = await desk.api.get(url);
      if (status === 404) return null;
      if (status >= 300) throw new Error(`Twilio answered ${status} for a recording.`);
      return bytes;
    },
    async forgetRecording(url) {
      const sid = /\/Recordings\/(RE[0-9a-f]{32})/.exec(url)?.[1];
      if (!sid || !desk.settings.deleteRecordings) return;
      await desk.api.client
        .recordings(sid)
        .remove()
        .catch((error: unknown) => {
          const became = whatBecame(error);
          if (became.is !== 'refused' || became.status !== 404) throw error;
        });
    },
  };
}

export async function askTwilio(
  desk: Desk,
  row: BookedLeg<Doing>,
  leaving: boolean,
): Promise<boolean> {
  try {
    await desk.api.client
      .calls(row.ref!)
      .update(leaving ? { status: 'completed' } : { twiml: await documentFor(desk, row) });
    return true;
  } catch (error) {
    if (whatBecame(error).is !== 'refused') throw error;
    // It is over, or still rings at its caller and asks again within two seconds.
    return leaving;
  }
}
