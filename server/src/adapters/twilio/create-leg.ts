import type { Destination, LegId, VoiceCommand } from '../../gateways/voice.ts';
import type { CarrierLeg } from '../shared/carrier-leg-store.ts';
import { classifyError } from './api.ts';
import { type TwilioClient, webhookPath } from './client.ts';
import type { LegInstruction } from '../shared/leg-instruction.ts';

type CreateLeg = Extract<VoiceCommand, { do: 'createLeg' }>;
/** Twilio lists a new call well within this. Milliseconds. */
const listLagMs = 4000;

/**
 * Rings a destination, once. Twilio has no idempotency key for calls, so the leg is claimed in the
 * store first. A call whose response was lost is looked up in Twilio’s list, and requested again
 * only when it is certainly not there. Throws, to be retried, while it is unknown whether the call
 * exists.
 */
export async function createLeg(client: TwilioClient, command: CreateLeg): Promise<void> {
  const { store } = client;
  if (!(await store.claim(command.leg))) {
    const row = await store.read(command.leg);
    if (row?.state !== 'asked' || row.ref) return;
    if (await findUnconfirmed(client, row)) return;
    if (!row.askedAt || client.now().getTime() - row.askedAt.getTime() < listLagMs)
      throw new Error('Asking Twilio shortly whether it is ringing this leg.');
    await store.releaseClaim(command.leg);
    return createLeg(client, command);
  }
  if ((await store.read(command.leg))?.doing.kind === 'hangup')
    return reportEnded(client, command.leg, command.onBehalfOf ?? command.leg, 'cancelled');
  const to = destinationAddress(client, command.to, command.leg);
  if (to === null) {
    client.log.warn(
      { leg: command.leg },
      'Twilio can’t reach our exchange because SIP_PUBLIC isn’t set',
    );
    return reportEnded(client, command.leg, command.onBehalfOf ?? command.leg, 'failed');
  }
  try {
    const call = await client.api.client.calls.create({
      to,
      ...(await callerIdFor(client, command)),
      timeout: Math.min(600, Math.max(5, Math.round(command.timeoutSeconds))),
      url: client.callbacks.voice(command.leg),
      method: 'POST',
      statusCallback: statusAddress(client, command.leg),
      statusCallbackMethod: 'POST',
      statusCallbackEvent: ['initiated', 'ringing', 'answered', 'completed'],
    });
    // Whether it rings is unknown: it is looked up before it is requested again.
    if (!isCall(call.sid)) throw new Error('Twilio’s response names no call.');
    const row = await store.setRef(command.leg, call.sid);
    // It was cancelled during the request.
    if (row?.doing.kind === 'hangup')
      await client.api.client.calls(call.sid).update({ status: 'completed' });
  } catch (error) {
    const failure = classifyError(error);
    if (failure.is === 'untouched') await store.releaseClaim(command.leg);
    if (failure.is !== 'refused') throw error;
    client.log.warn(
      { leg: command.leg, code: failure.code, reason: failure.reason },
      'Twilio rejected the call',
    );
    await reportEnded(client, command.leg, command.onBehalfOf ?? command.leg, 'failed', 'refused');
  }
}

const isCall = (sid: unknown): sid is string =>
  typeof sid === 'string' && /^CA[0-9a-f]{32}$/.test(sid);

/** Reports the end of a call that was never made, because Twilio will not. */
async function reportEnded(
  client: TwilioClient,
  leg: LegId,
  call: LegId,
  cause: 'failed' | 'cancelled',
  notTaken?: 'refused',
): Promise<void> {
  await client.store.advance(leg, 'ended', cause);
  await client.sink?.onVoiceEvents([
    {
      id: `${leg}:refused`,
      call,
      leg,
      seq: 1,
      at: client.now().getTime(),
      type: 'legEnded',
      cause,
      ...(notTaken ? { notTaken } : {}),
    },
  ]);
}

/** Finds a call whose response was lost by both numbers and the time. Null when there is none. */
export async function findUnconfirmed(
  client: TwilioClient,
  row: CarrierLeg<LegInstruction>,
): Promise<string | null> {
  if (!row.askedAt || !row.to) return null;
  const to = destinationAddress(client, JSON.parse(row.to) as Destination, row.leg);
  if (to === null) return null;
  const made = await client.api.client.calls.list({
    to,
    ...(row.from ? { from: row.from } : {}),
    startTimeAfter: new Date(row.askedAt.getTime() - 86_400_000),
    limit: 50,
  });
  for (const call of made) {
    if (!isCall(call.sid)) throw new Error('Twilio’s response isn’t a list of calls.');
    if (call.dateCreated && call.dateCreated.getTime() < row.askedAt.getTime() - 3000) continue;
    if (await client.store.byRef(call.sid)) continue;
    await client.store.setRef(row.leg, call.sid);
    return call.sid;
  }
  return null;
}

/** The address to which Twilio reports the states of this leg. */
const statusAddress = (client: TwilioClient, leg: LegId) =>
  `${client.publicUrl}${webhookPath('voice/status')}?${new URLSearchParams({ leg })}`;

/** A user's browsers are addressed by the identity in their token (`createClientToken`). */
function destinationAddress(client: TwilioClient, to: Destination, leg: LegId): string | null {
  if (to.kind === 'phone') return to.number;
  if (to.kind === 'sip') return to.uri;
  if (to.kind === 'line') return client.interconnectUri(to.line, to.at);
  return `client:c${to.companyId ?? /^(\d+)-/.exec(leg)?.[1] ?? 0}u${to.userId}`;
}

/**
 * The caller's number may be shown only with the token that came with their call. For a withheld
 * one, our number is shown.
 */
async function callerIdFor(
  client: TwilioClient,
  command: CreateLeg,
): Promise<{ from: string; callToken?: string }> {
  const caller = command.onBehalfOf ? await client.store.read(command.onBehalfOf) : undefined;
  const passed = caller?.inbound === true && caller.from === command.callerId;
  const token = caller?.facts['callToken'];
  if (!/^\+\d{6,15}$/.test(command.callerId)) return { from: caller?.to ?? command.callerId };
  return passed && typeof token === 'string'
    ? { from: command.callerId, callToken: token }
    : { from: command.callerId };
}
