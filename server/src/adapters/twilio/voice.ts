import type { LegEndCause, LegId, VoiceCarrier } from '../../gateways/voice.ts';
import type { CarrierLeg } from '../shared/carrier-leg-store.ts';
import type { LegInstruction } from '../shared/leg-instruction.ts';
import { applyCommands } from '../shared/apply-commands.ts';
import { deliverInstruction } from '../shared/sync-leg.ts';
import { classifyError } from './api.ts';
import { createLeg, findUnconfirmed } from './create-leg.ts';
import { legTwiml, type TwilioClient } from './client.ts';
import { startRecording, stopRecording } from './record-call.ts';
import { mustBe } from '../../platform/must-be.ts';

type LegStatus = Awaited<ReturnType<VoiceCarrier['getLegStatus']>>;

const clientTokenSeconds = 3600;

/** Why a call ended, by Twilio's final status. */
const endCauses: Readonly<Record<string, LegEndCause>> = {
  completed: 'hangup',
  busy: 'busy',
  'no-answer': 'noAnswer',
  canceled: 'cancelled',
  failed: 'failed',
};

/**
 * Twilio's voice. Every leg is a call of its own, created by request and joined in conferences, so
 * that the engine orchestrates exactly as in the sandbox: stagger, timeouts, whisper and confirm
 * key per leg, hold, rooms, coaching.
 */
export function twilioVoice(client: TwilioClient): VoiceCarrier {
  return {
    name: 'twilio',
    capabilities: {
      parallelTargets: 10,
      confirmWithSeveralTargets: true,
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
          // Twilio starts recordings by request, once the leg has joined its conference.
          startRecording: async (recordingId, leg) => () =>
            startRecording(client, recordingId, leg),
          stopRecording: async (recordingId) => () => stopRecording(client, recordingId),
        },
        commands,
      ),

    withdrawLeg: (leg) => client.store.withdrawUnasked(leg),
    getLegStatus: (leg) => legStatus(client, leg),
    createClientToken: async ({ identity }) => createClientToken(client, identity),

    async fetchRecording(url) {
      const { status, bytes } = await client.api.get(url);
      if (status === 404) return null;
      if (status >= 300) throw new Error(`Twilio answered ${status} for a recording.`);
      return bytes;
    },
    async deleteRecording(url) {
      const sid = /\/Recordings\/(RE[0-9a-f]{32})/.exec(url)?.[1];
      if (!sid || !client.settings.deleteRecordings) return;
      await client.api.client
        .recordings(sid)
        .remove()
        .catch((error: unknown) => {
          const failure = classifyError(error);
          if (failure.is !== 'refused' || failure.status !== 404) throw error;
        });
    },
  };
}

/** Null when Twilio and we know of no such leg. Throws when the response cannot be read. */
async function legStatus(client: TwilioClient, leg: LegId): Promise<LegStatus> {
  const row = await client.store.read(leg);
  if (!row) return null;
  const ref = row.ref ?? (row.state === 'asked' ? await findUnconfirmed(client, row) : null);
  if (!ref) return row.state === 'ended' ? { state: 'ended', cause: row.cause } : null;
  try {
    const { status } = await client.api.client.calls(ref).fetch();
    if (status === 'queued' || status === 'ringing') return { state: 'ringing', cause: null };
    if (status === 'in-progress') return { state: 'answered', cause: null };
    const cause = endCauses[status];
    // A malformed response must not end a call.
    if (!cause) throw new Error('Twilio’s response is not a call.');
    return { state: 'ended', cause };
  } catch (error) {
    const failure = classifyError(error);
    if (failure.is === 'refused' && failure.status === 404) return null;
    throw error;
  }
}

/** Throws when the settings have no API key. */
function createClientToken(client: TwilioClient, identity: string) {
  const { apiKey, accountSid, appSid } = client.settings;
  if (!apiKey)
    throw new Error('Calling in the browser needs TWILIO_API_KEY and TWILIO_API_SECRET.');
  const { AccessToken } = client.api.sdk.jwt;
  const token = new AccessToken(accountSid, apiKey.sid, apiKey.secret, {
    identity,
    ttl: clientTokenSeconds,
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
    expiresAt: new Date(Date.now() + clientTokenSeconds * 1000).toISOString(),
    iceServers: [],
  };
}

/** See UpdateCarrierLeg. Throws when Twilio fails. */
export async function updateLeg(
  client: TwilioClient,
  row: CarrierLeg<LegInstruction>,
  leaving: boolean,
): Promise<boolean> {
  try {
    await client.api.client
      .calls(mustBe(row.ref, 'carrier reference of the call'))
      .update(leaving ? { status: 'completed' } : { twiml: await legTwiml(client, row) });
    return true;
  } catch (error) {
    if (classifyError(error).is !== 'refused') throw error;
    // The call has ended, or an inbound one still rings and requests its instruction within two
    // seconds.
    return leaving;
  }
}
