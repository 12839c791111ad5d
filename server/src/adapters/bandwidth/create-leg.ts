import type { Destination, LegId, VoiceCommand } from '../../ports/voice.ts';
import type { Doing } from '../doing.ts';
import type { BookedLeg } from '../leg-book.ts';
import { wasNeverTaken } from './api.ts';
import { calls, type CallState } from './call-requests.ts';
import type { Desk } from './desk.ts';

type CreateLeg = Extract<VoiceCommand, { do: 'createLeg' }>;
/** How long a call whose making was never answered is looked for. Milliseconds. */
const lookedForMs = 20_000;

/**
 * Ring a destination, once. Bandwidth has no key for calls and shows new ones late, so a call whose making was never answered
 * is looked for and never asked for again: a phone that rings after all hangs up when it is answered.
 */
export async function createLeg(desk: Desk, command: CreateLeg): Promise<void> {
  const { book, settings } = desk;
  const call = command.onBehalfOf ?? command.leg;
  if (!(await book.claim(command.leg))) {
    const row = await book.read(command.leg);
    if (row?.state !== 'asked' || row.ref || (await findLost(desk, row))) return;
    if (!row.askedAt || desk.now().getTime() - row.askedAt.getTime() < lookedForMs)
      throw new Error('Bandwidth is asked in a moment whether it rings this leg.');
    return ended(desk, command.leg, call, 'failed');
  }
  if ((await book.read(command.leg))?.doing.kind === 'hangup')
    return ended(desk, command.leg, call, 'cancelled');
  const to = addressOf(desk, command.to);
  if (to === null) {
    desk.log.warn(
      { leg: command.leg },
      'Bandwidth rings no browsers by itself: SIP_PUBLIC is not set',
    );
    return ended(desk, command.leg, call, 'failed', 'refused');
  }
  let answer;
  try {
    answer = await desk.api.ask('voice', 'POST', calls(desk), {
      type: 'application/json',
      text: JSON.stringify({
        applicationId: settings.voiceApplicationId,
        to,
        ...(await shownAs(desk, command)),
        answerUrl: desk.places.voice(command.leg),
        answerMethod: 'POST',
        disconnectUrl: statusAddress(desk, command.leg),
        disconnectMethod: 'POST',
        ...settings.webhook,
        callTimeout: Math.min(300, Math.max(1, Math.round(command.timeoutSeconds))),
        callbackTimeout: 15,
        priority: 1,
        tag: command.leg,
      }),
    });
  } catch (error) {
    if (wasNeverTaken(error)) await book.unclaim(command.leg);
    throw error;
  }
  const { callId, description } = read(answer.body) as { callId?: string; description?: string };
  if (answer.status < 300 && callId) {
    const row = await book.name(command.leg, callId);
    // It was cancelled while Bandwidth was being asked.
    if (row?.doing.kind === 'hangup')
      await desk.api.ask('voice', 'POST', `${calls(desk)}/${callId}`, {
        type: 'application/json',
        text: JSON.stringify({ state: 'completed' }),
      });
    return;
  }
  // "Not now" is said before anything is done; any other trouble of theirs says nothing about the call.
  if (answer.status === 429 || answer.status === 503) await book.unclaim(command.leg);
  if (answer.status < 400 || answer.status === 429 || answer.status >= 500)
    throw new Error(`Bandwidth answered ${answer.status} when it was to ring.`);
  desk.log.warn(
    { leg: command.leg, status: answer.status, reason: description },
    'Bandwidth refused to ring',
  );
  await ended(desk, command.leg, call, 'failed', 'refused');
}

/** Nobody will report the end of a call that was never made: we do. */
async function ended(
  desk: Desk,
  leg: LegId,
  call: LegId,
  cause: 'failed' | 'cancelled',
  notTaken?: 'refused',
): Promise<void> {
  await desk.book.moved(leg, 'ended', cause);
  await desk.hear?.voice([
    {
      id: `${leg}:refused`,
      call,
      leg,
      seq: 1,
      at: desk.now().getTime(),
      type: 'legEnded',
      cause,
      ...(notTaken ? { notTaken } : {}),
    },
  ]);
}

/** A call whose making was never answered, found among Bandwidth's by both ends and the time. */
export async function findLost(desk: Desk, row: BookedLeg<Doing>): Promise<string | null> {
  if (!row.askedAt || !row.to) return null;
  const to = addressOf(desk, JSON.parse(row.to) as Destination);
  if (to === null) return null;
  const since = new Date(row.askedAt.getTime() - 3000).toISOString();
  const { status, body } = await desk.api.ask(
    'voice',
    'GET',
    `${calls(desk)}?${new URLSearchParams({ to, minStartTime: since, pageSize: '50' })}`,
  );
  if (status >= 300) throw new Error(`Bandwidth answered ${status} for its list of calls.`);
  const list: unknown = JSON.parse(body.toString('utf8'));
  if (!Array.isArray(list)) throw new Error('Bandwidth’s list of calls is none.');
  for (const made of list as CallState[]) {
    if (typeof made?.callId !== 'string') throw new Error('Bandwidth’s list of calls is none.');
    if (await desk.book.byRef(made.callId)) continue;
    await desk.book.name(row.leg, made.callId);
    return made.callId;
  }
  return null;
}

export const statusAddress = (desk: Desk, leg: LegId) =>
  desk.places.voice(leg).replace('/voice?', '/voice/status?');

function addressOf(desk: Desk, to: Destination): string | null {
  if (to.kind === 'line') return desk.lineAddress(to.line);
  return to.kind === 'phone' ? to.number : to.kind === 'sip' ? to.uri : null;
}

/**
 * Bandwidth shows only numbers of the account. A caller's own number cannot be passed on: our number that they called is
 * shown, with theirs as the name.
 */
async function shownAs(
  desk: Desk,
  command: CreateLeg,
): Promise<{ from: string; displayName?: string }> {
  const caller = command.onBehalfOf ? await desk.book.read(command.onBehalfOf) : undefined;
  const theirs = caller?.inbound === true && caller.from === command.callerId;
  if (theirs && caller.to) return { from: caller.to, displayName: command.callerId };
  return {
    from: command.callerId,
    ...(command.callerName
      ? { displayName: command.callerName.replace(/\p{Cc}/gu, ' ').slice(0, 256) }
      : {}),
  };
}

function read(bytes: Buffer): Record<string, unknown> {
  try {
    return JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
  } catch {
    return {};
  }
}
