import type { Destination, LegId, VoiceCommand } from '../../gateways/voice.ts';
import type { LegInstruction } from '../shared/leg-instruction.ts';
import type { CarrierLeg } from '../shared/carrier-leg-store.ts';
import { wasNeverSent } from '../../platform/http-client/errors.ts';
import type { BandwidthResponse } from './api.ts';
import { callsPath, type CallState } from './call-requests.ts';
import type { BandwidthClient } from './client.ts';

type CreateLeg = Extract<VoiceCommand, { do: 'createLeg' }>;
/** How long a call whose response was lost is looked up. Milliseconds. */
const searchWindowMs = 20_000;

/**
 * Rings a destination, once. Bandwidth has no idempotency key for calls and lists new ones late. So
 * a call whose response was lost is looked up and never requested again: if it rings after all, it
 * is hung up when answered. Throws when the result is not known yet; the command is then repeated.
 */
export async function createLeg(client: BandwidthClient, command: CreateLeg): Promise<void> {
  const { store } = client;
  const call = command.onBehalfOf ?? command.leg;
  if (!(await store.claim(command.leg))) return checkEarlierRequest(client, command.leg, call);
  if ((await store.read(command.leg))?.doing.kind === 'hangup')
    return reportEnded(client, command.leg, call, 'cancelled');
  const to = destinationAddress(client, command.to);
  if (to === null) {
    const message = 'Bandwidth cannot ring browsers: SIP_PUBLIC is not set';
    client.log.warn({ leg: command.leg }, message);
    return reportEnded(client, command.leg, call, 'failed', 'refused');
  }
  const { status, body } = await requestCall(client, command, to);
  const { callId, description } = parseJson(body) as { callId?: string; description?: string };
  if (status < 300 && callId) {
    const row = await store.setRef(command.leg, callId);
    // It was cancelled during the request.
    if (row?.doing.kind === 'hangup') await completeCall(client, callId);
    return;
  }
  // With these two nothing was done. Any other server error leaves open whether there is a call.
  if (status === 429 || status === 503) await store.releaseClaim(command.leg);
  if (status < 400 || status === 429 || status >= 500)
    throw new Error(`Bandwidth answered ${status} to a request for a call.`);
  client.log.warn({ leg: command.leg, status, reason: description }, 'Bandwidth refused a call');
  await reportEnded(client, command.leg, call, 'failed', 'refused');
}

/**
 * The leg was requested before: finds its call, or reports it as failed once it cannot be found.
 */
async function checkEarlierRequest(
  client: BandwidthClient,
  leg: LegId,
  call: LegId,
): Promise<void> {
  const row = await client.store.read(leg);
  if (row?.state !== 'asked' || row.ref || (await findUnconfirmed(client, row))) return;
  if (!row.askedAt || client.now().getTime() - row.askedAt.getTime() < searchWindowMs)
    throw new Error('It is not known yet whether Bandwidth rings this leg.');
  return reportEnded(client, leg, call, 'failed');
}

async function requestCall(
  client: BandwidthClient,
  command: CreateLeg,
  to: string,
): Promise<BandwidthResponse> {
  const { store, settings } = client;
  const body = {
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
  };
  try {
    return await client.api.request('voice', 'POST', callsPath(client), {
      type: 'application/json',
      text: JSON.stringify(body),
    });
  } catch (error) {
    if (wasNeverSent(error)) await store.releaseClaim(command.leg);
    throw error;
  }
}

const completeCall = (client: BandwidthClient, callId: string) =>
  client.api.request('voice', 'POST', `${callsPath(client)}/${callId}`, {
    type: 'application/json',
    text: JSON.stringify({ state: 'completed' }),
  });

/** Reports the end of a call that was never made, because Bandwidth will not. */
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

/** Finds a call whose response was lost by both numbers and the time. Null when there is none. */
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
  if (!Array.isArray(list)) throw new Error('Bandwidth’s list of calls cannot be read.');
  for (const made of list as CallState[]) {
    if (typeof made?.callId !== 'string')
      throw new Error('Bandwidth’s list of calls cannot be read.');
    if (await client.store.byRef(made.callId)) continue;
    await client.store.setRef(row.leg, made.callId);
    return made.callId;
  }
  return null;
}

/** The URL of a call's status webhook. */
const statusAddress = (client: BandwidthClient, leg: LegId) =>
  client.callbacks.voice(leg).replace('/voice?', '/voice/status?');

/** Null for a destination that Bandwidth cannot ring. */
function destinationAddress(client: BandwidthClient, to: Destination): string | null {
  if (to.kind === 'line') return client.interconnectUri(to.line, to.at);
  return to.kind === 'phone' ? to.number : to.kind === 'sip' ? to.uri : null;
}

/**
 * Bandwidth allows only the account's numbers as caller id. In place of an outside caller's number,
 * our number that they called is shown, with theirs as the name.
 */
async function callerIdFor(
  client: BandwidthClient,
  command: CreateLeg,
): Promise<{ from: string; displayName?: string }> {
  const caller = command.onBehalfOf ? await client.store.read(command.onBehalfOf) : undefined;
  const isCallersNumber = caller?.inbound === true && caller.from === command.callerId;
  if (isCallersNumber && caller.to) return { from: caller.to, displayName: command.callerId };
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
