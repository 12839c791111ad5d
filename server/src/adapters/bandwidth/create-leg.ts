import type { Destination, LegId, VoiceCommand } from '../../gateways/voice.ts';
import type { LegInstruction } from '../leg-instruction.ts';
import type { CarrierLeg } from '../carrier-leg-store.ts';
import { wasNeverSent } from '../../platform/http-client/errors.ts';
import { callsPath, type CallState } from './call-requests.ts';
import type { BandwidthClient } from './client.ts';

type CreateLeg = Extract<VoiceCommand, { do: 'createLeg' }>;
/** How long a call whose making was never answered is looked for. Milliseconds. */
const searchWindowMs = 20_000;

/**
 * Ring a destination, once. Bandwidth has no key for calls and shows new ones late, so a call whose making was never answered
 * is looked for and never asked for again: a phone that rings after all hangs up when it is answered.
 */
export async function createLeg(client: BandwidthClient, command: CreateLeg): Promise<void> {
  const { store, settings } = client;
  const call = command.onBehalfOf ?? command.leg;
  if (!(await store.claim(command.leg))) {
    const row = await store.read(command.leg);
    if (row?.state !== 'asked' || row.ref || (await findUnconfirmed(client, row))) return;
    if (!row.askedAt || client.now().getTime() - row.askedAt.getTime() < searchWindowMs)
      throw new Error('Bandwidth is asked in a moment whether it rings this leg.');
    return reportEnded(client, command.leg, call, 'failed');
  }
  if ((await store.read(command.leg))?.doing.kind === 'hangup')
    return reportEnded(client, command.leg, call, 'cancelled');
  const to = destinationAddress(client, command.to);
  if (to === null) {
    client.log.warn(
      { leg: command.leg },
      'Bandwidth rings no browsers by itself: SIP_PUBLIC is not set',
    );
    return reportEnded(client, command.leg, call, 'failed', 'refused');
  }
  let answer;
  try {
    answer = await client.api.request('voice', 'POST', callsPath(client), {
      type: 'application/json',
      text: JSON.stringify({
        applicationId: settings.voiceApplicationId,
        to,
        ...(await callerIdFor(client, command)),
        answerUrl: client.callbacks.voice(command.leg),
        answerMethod: 'POST',
        disconnectUrl: statusAddress(client, command.leg),
        disconnectMethod: 'POST',
        ...settings.webhook,
        callTimeout: Math.min(300, Math.max(1, Math.round(command.timeoutSeconds))),
        callbackTimeout: 15,
        priority: 1,
        tag: command.leg,
      }),
    });
  } catch (error) {
    if (wasNeverSent(error)) await store.releaseClaim(command.leg);
    throw error;
  }
  const { callId, description } = parseJson(answer.body) as {
    callId?: string;
    description?: string;
  };
  if (answer.status < 300 && callId) {
    const row = await store.setRef(command.leg, callId);
    // It was cancelled while Bandwidth was being asked.
    if (row?.doing.kind === 'hangup')
      await client.api.request('voice', 'POST', `${callsPath(client)}/${callId}`, {
        type: 'application/json',
        text: JSON.stringify({ state: 'completed' }),
      });
    return;
  }
  // "Not now" is said before anything is done; any other trouble of theirs says nothing about the call.
  if (answer.status === 429 || answer.status === 503) await store.releaseClaim(command.leg);
  if (answer.status < 400 || answer.status === 429 || answer.status >= 500)
    throw new Error(`Bandwidth answered ${answer.status} when it was to ring.`);
  client.log.warn(
    { leg: command.leg, status: answer.status, reason: description },
    'Bandwidth refused to ring',
  );
  await reportEnded(client, command.leg, call, 'failed', 'refused');
}

/** Nobody will report the end of a call that was never made: we do. */
async function reportEnded(
  client: BandwidthClient,
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

/** A call whose making was never answered, found among Bandwidth's by both ends and the time. */
export async function findUnconfirmed(
  client: BandwidthClient,
  row: CarrierLeg<LegInstruction>,
): Promise<string | null> {
  if (!row.askedAt || !row.to) return null;
  const to = destinationAddress(client, JSON.parse(row.to) as Destination);
  if (to === null) return null;
  const since = new Date(row.askedAt.getTime() - 3000).toISOString();
  const { status, body } = await client.api.request(
    'voice',
    'GET',
    `${callsPath(client)}?${new URLSearchParams({ to, minStartTime: since, pageSize: '50' })}`,
  );
  if (status >= 300) throw new Error(`Bandwidth answered ${status} for its list of calls.`);
  const list: unknown = JSON.parse(body.toString('utf8'));
  if (!Array.isArray(list)) throw new Error('Bandwidth’s list of calls is none.');
  for (const made of list as CallState[]) {
    if (typeof made?.callId !== 'string') throw new Error('Bandwidth’s list of calls is none.');
    if (await client.store.byRef(made.callId)) continue;
    await client.store.setRef(row.leg, made.callId);
    return made.callId;
  }
  return null;
}

export const statusAddress = (client: BandwidthClient, leg: LegId) =>
  client.callbacks.voice(leg).replace('/voice?', '/voice/status?');

function destinationAddress(client: BandwidthClient, to: Destination): string | null {
  if (to.kind === 'line') return client.interconnectUri(to.line);
  return to.kind === 'phone' ? to.number : to.kind === 'sip' ? to.uri : null;
}

/**
 * Bandwidth shows only numbers of the account. A caller's own number cannot be passed on: our number that they called is
 * shown, with theirs as the name.
 */
async function callerIdFor(
  client: BandwidthClient,
  command: CreateLeg,
): Promise<{ from: string; displayName?: string }> {
  const caller = command.onBehalfOf ? await client.store.read(command.onBehalfOf) : undefined;
  const callerNumber = caller?.inbound === true && caller.from === command.callerId;
  if (callerNumber && caller.to) return { from: caller.to, displayName: command.callerId };
  return {
    from: command.callerId,
    ...(command.callerName
      ? { displayName: command.callerName.replace(/\p{Cc}/gu, ' ').slice(0, 256) }
      : {}),
  };
}

function parseJson(bytes: Buffer): Record<string, unknown> {
  try {
    return JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
  } catch {
    return {};
  }
}
