import { formatPhone } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import type { VoiceEvent } from '../../../ports/voice.ts';
import { readNumber, wayAround } from '../../numbers/index.ts';
import type { HistoryEntry, Leg } from '../../routing/index.ts';
import type { Place } from '../place.ts';
import type { Turn } from '../run-call.ts';
import { callForChange } from '../store.ts';
import type { LiveRow } from '../store-live.ts';
import { enterWay, moveCall, ringOf, wayIsOver } from './store.ts';
import { bySip, letGo } from './through-ways.ts';

type Ended = Extract<VoiceEvent, { type: 'legEnded' }>;
/** Above every number the engine gives out in a call: names of lines. */
const LINES = 1_000_000;
/** The name of a leg's line. */
export const lineOf = (leg: string): string =>
  `${leg.slice(0, leg.lastIndexOf('.'))}.${LINES + Number(leg.slice(leg.lastIndexOf('.') + 1))}`;

/**
 * A carrier did not take a leg, and says that nobody was rung. Where a rule of the number allows it, the leg goes by the
 * other carrier, shown as the company's number there, and the engine never hears of the refusal. False: it does.
 */
export async function goOtherWay(
  ctx: TxCtx,
  place: Place,
  live: LiveRow,
  turn: Turn,
  carrier: string,
  event: Ended,
): Promise<boolean> {
  if (!event.notTaken) return false;
  const leg = turn.state.legs.find((one) => one.id === event.leg);
  if (!leg || leg.endedAt !== null || leg.answeredAt !== null || leg.state === 'leaving')
    return false;
  // A second refusal is the other carrier's own, unless the first one's comes late.
  const gone = turn.ways.find((way) => way.leg === leg.id);
  if (gone) return gone.carrier !== carrier;
  if (carrier !== live.carrier) return false;
  const call = (await callForChange(ctx.tx, ctx.companyId, place.callId))!;
  const number = await readNumber(ctx.tx, ctx.companyId, call.number_id);
  const way = number && (await wayAround(ctx, call.number_id, 'calls'));
  if (
    !number ||
    !way ||
    way.carrier === carrier ||
    (way.calls === 'away' && event.notTaken === 'refused')
  )
    return false;
  const ring = await ringOf(ctx.tx, place, leg.id);
  if (!ring) return false;

  const first = turn.state.kind === 'outbound' && leg.id === turn.state.firstLeg;
  if (!first && leg.target?.to.kind !== 'phone') return false;
  const labels = {
    own: ctx.ports.carriers.named(carrier)?.label ?? carrier,
    other: ctx.ports.carriers.named(way.carrier)?.label ?? way.carrier,
  };
  if (first) {
    // Nothing of the call is at its carrier yet: all of it goes.
    await moveCall(ctx.tx, place, way.carrier, way.number);
    live.carrier = way.carrier;
    turn.state = shownAs(turn.state, number.number, way.number);
    turn.extra.push({
      carrier: way.carrier,
      command: { ...ring, id: `${ring.id}:other`, callerId: way.number },
    });
  } else {
    const line = lineOf(leg.id);
    const entered = {
      leg: leg.id,
      carrier: way.carrier,
      via_number_id: way.id,
      via_number: way.number,
      line,
      far_line: null,
      from_number: number.number,
      state: 'asked' as const,
      ring: { ...ring, id: `${ring.id}:other`, callerId: way.number, onBehalfOf: null },
    };
    if (!(await enterWay(ctx.tx, place, entered, ctx.now))) return false;
    turn.ways.push(entered);
    // First the line, so that nobody picks up who could not be heard.
    turn.extra.push({
      carrier: null,
      command: {
        id: `${ring.id}:line`,
        do: 'createLeg',
        leg: line,
        to: { kind: 'phone', number: way.number },
        callerId: number.number,
        timeoutSeconds: ring.timeoutSeconds + 20,
        onBehalfOf: null,
      },
    });
  }
  turn.history.push(
    note(
      ctx,
      leg,
      `${labels.own} ${event.notTaken === 'away' ? 'could not be reached' : 'refused it'}, so it goes over ${labels.other}, shown as ${formatPhone(way.number)}.`,
    ),
  );
  return true;
}

/**
 * What else follows for the line of a leg: it is let go when the leg is over, and the leg when the line breaks. Answers
 * what the engine must hear because no carrier will say it.
 */
export async function linesHear(
  ctx: TxCtx,
  place: Place,
  turn: Turn,
  event: Ended,
): Promise<Ended | null> {
  const way = turn.ways.find(
    (one) => one.state !== 'over' && [one.leg, one.line, one.far_line].includes(event.leg),
  );
  if (!way) return null;
  const wasAsked = way.state === 'asked';
  way.state = 'over';
  await wayIsOver(ctx.tx, place, way.leg);
  turn.extra.push(...letGo(`${way.line}:over`, way));
  if (event.leg === way.leg) return null;
  const leg = turn.state.legs.find((one) => one.id === way.leg);
  if (!leg || leg.endedAt !== null) return null;
  turn.extra.push({
    carrier: way.carrier,
    command: { id: `${way.line}:end`, do: 'hangup', leg: way.leg },
  });
  if (!wasAsked) return null;
  // It was never rung over there.
  turn.history.push(
    note(
      ctx,
      leg,
      bySip(way)
        ? 'The carrier could not reach our exchange, so no browser rang.'
        : 'The line to the other carrier could not be made.',
    ),
  );
  return { ...event, id: `${way.line}:none`, leg: way.leg, cause: 'failed' };
}

const note = (ctx: TxCtx, leg: Leg, detail: string): HistoryEntry => ({
  at: ctx.now.getTime(),
  code: null,
  label: 'Went another way',
  leg: leg.id,
  target: leg.target?.key ?? null,
  detail,
});

/** The state with another number of ours shown to whoever is rung. */
function shownAs<T>(value: T, from: string, to: string): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one: unknown) => shownAs(one, from, to)) as T;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'callerId' && inner === from ? to : shownAs(inner as unknown, from, to),
    ]),
  ) as T;
}
