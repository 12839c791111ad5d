import type { Destination, LegId, VoiceCommand } from '../../ports/voice.ts';
import type { BookedLeg } from '../leg-book.ts';
import { whatBecame } from './api.ts';
import type { Desk } from './desk.ts';
import { pathOf } from './desk.ts';
import type { Doing } from '../doing.ts';

type CreateLeg = Extract<VoiceCommand, { do: 'createLeg' }>;
/** A call that Twilio made shows in its list well within this. Milliseconds. */
const shownWithinMs = 4000;

/**
 * Ring a destination, once. Twilio has no key for calls, so whoever may ask is written down first; when an answer was lost
 * the call is looked for in Twilio's list, and only one that is certainly not there is asked for again.
 */
export async function createLeg(desk: Desk, command: CreateLeg): Promise<void> {
  const { book } = desk;
  if (!(await book.claim(command.leg))) {
    const row = await book.read(command.leg);
    if (row?.state !== 'asked' || row.ref) return;
    if (await findLost(desk, row)) return;
    if (!row.askedAt || desk.now().getTime() - row.askedAt.getTime() < shownWithinMs)
      throw new Error('Twilio is asked in a moment whether it rings this leg.');
    await book.unclaim(command.leg);
    return createLeg(desk, command);
  }
  if ((await book.read(command.leg))?.doing.kind === 'hangup')
    return ended(desk, command.leg, command.onBehalfOf ?? command.leg, 'cancelled');
  const to = addressOf(desk, command.to, command.leg);
  if (to === null) {
    desk.log.warn({ leg: command.leg }, 'Twilio cannot reach our exchange: SIP_PUBLIC is not set');
    return ended(desk, command.leg, command.onBehalfOf ?? command.leg, 'failed');
  }
  try {
    const call = await desk.api.client.calls.create({
      to,
      ...(await shownAs(desk, command)),
      timeout: Math.min(600, Math.max(5, Math.round(command.timeoutSeconds))),
      url: desk.places.voice(command.leg),
      method: 'POST',
      statusCallback: statusAddress(desk, command.leg),
      statusCallbackMethod: 'POST',
      statusCallbackEvent: ['initiated', 'ringing', 'answered', 'completed'],
    });
    // Whether it rings is not known then: it is looked for before anybody is asked again.
    if (!isCall(call.sid)) throw new Error('Twilio answered something that names no call.');
    const row = await book.name(command.leg, call.sid);
    // It was cancelled while Twilio was being asked.
    if (row?.doing.kind === 'hangup')
      await desk.api.client.calls(call.sid).update({ status: 'completed' });
  } catch (error) {
    const became = whatBecame(error);
    if (became.is === 'untouched') await book.unclaim(command.leg);
    if (became.is !== 'refused') throw error;
    desk.log.warn(
      { leg: command.leg, code: became.code, reason: became.reason },
      'Twilio refused to ring',
    );
    await ended(desk, command.leg, command.onBehalfOf ?? command.leg, 'failed', 'refused');
  }
}

const isCall = (sid: unknown): sid is string =>
  typeof sid === 'string' && /^CA[0-9a-f]{32}$/.test(sid);

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

/** A call whose creation was never answered, found among Twilio's by both ends and the time. */
export async function findLost(desk: Desk, row: BookedLeg<Doing>): Promise<string | null> {
  if (!row.askedAt || !row.to) return null;
  const to = addressOf(desk, JSON.parse(row.to) as Destination, row.leg);
  if (to === null) return null;
  const made = await desk.api.client.calls.list({
    to,
    ...(row.from ? { from: row.from } : {}),
    startTimeAfter: new Date(row.askedAt.getTime() - 86_400_000),
    limit: 50,
  });
  for (const call of made) {
    if (!isCall(call.sid)) throw new Error('Twilio’s list of calls is none.');
    if (call.dateCreated && call.dateCreated.getTime() < row.askedAt.getTime() - 3000) continue;
    if (await desk.book.byRef(call.sid)) continue;
    await desk.book.name(row.leg, call.sid);
    return call.sid;
  }
  return null;
}

export const statusAddress = (desk: Desk, leg: LegId) =>
  `${desk.publicUrl}${pathOf('voice/status')}?${new URLSearchParams({ leg })}`;

/** Somebody's browsers are known to Twilio by the identity in their token (`clientToken`). */
function addressOf(desk: Desk, to: Destination, leg: LegId): string | null {
  if (to.kind === 'phone') return to.number;
  if (to.kind === 'sip') return to.uri;
  if (to.kind === 'line') return desk.lineAddress(to.line);
  return `client:c${to.companyId ?? /^(\d+)-/.exec(leg)?.[1] ?? 0}u${to.userId}`;
}

/** The caller's own number may be shown only with the token that came with their call. A withheld one cannot be: ours is. */
async function shownAs(
  desk: Desk,
  command: CreateLeg,
): Promise<{ from: string; callToken?: string }> {
  const caller = command.onBehalfOf ? await desk.book.read(command.onBehalfOf) : undefined;
  const passed = caller?.inbound === true && caller.from === command.callerId;
  const token = caller?.facts['callToken'];
  if (!/^\+\d{6,15}$/.test(command.callerId)) return { from: caller?.to ?? command.callerId };
  return passed && typeof token === 'string'
    ? { from: command.callerId, callToken: token }
    : { from: command.callerId };
}
