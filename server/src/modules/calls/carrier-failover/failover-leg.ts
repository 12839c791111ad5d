import { formatPhone } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import type { VoiceEvent } from '../../../gateways/voice.ts';
import { readNumber, failoverNumber } from '../../numbers/index.ts';
import type { HistoryEntry, Leg } from '../../routing/index.ts';
import type { CallRef } from '../call-ref.ts';
import type { StepBatch } from '../run-call.ts';
import { lockCall } from '../store.ts';
import type { LiveRow } from '../store-live.ts';
import {
  insertInterconnect,
  moveCallToCarrier,
  createLegCommandOf,
  endInterconnect,
} from './store.ts';
import { isSipInterconnect, hangUpInterconnect } from './route-commands.ts';

type Ended = Extract<VoiceEvent, { type: 'legEnded' }>;
/** Above every number the engine gives out in a call: names of lines. */
const INTERCONNECT_OFFSET = 1_000_000;
/** The name of a leg's line. */
export const interconnectLegOf = (leg: string): string =>
  `${leg.slice(0, leg.lastIndexOf('.'))}.${INTERCONNECT_OFFSET + Number(leg.slice(leg.lastIndexOf('.') + 1))}`;

/**
 * A carrier did not take a leg, and says that nobody was rung. Where a rule of the number allows it, the leg goes by the
 * other carrier, shown as the company's number there, and the engine never hears of the refusal. False: it does.
 */
export async function failOverLeg(
  ctx: TxCtx,
  callRef: CallRef,
  live: LiveRow,
  batch: StepBatch,
  carrier: string,
  event: Ended,
): Promise<boolean> {
  if (!event.notTaken) return false;
  const leg = batch.state.legs.find((one) => one.id === event.leg);
  if (!leg || leg.endedAt !== null || leg.answeredAt !== null || leg.state === 'leaving')
    return false;
  // A second refusal is the other carrier's own, unless the first one's comes late.
  const gone = batch.interconnects.find((failover) => failover.leg === leg.id);
  if (gone) return gone.carrier !== carrier;
  if (carrier !== live.carrier) return false;
  const call = (await lockCall(ctx.tx, ctx.companyId, callRef.callId))!;
  const number = await readNumber(ctx.tx, ctx.companyId, call.number_id);
  const way = number && (await failoverNumber(ctx, call.number_id, 'calls'));
  if (
    !number ||
    !way ||
    way.carrier === carrier ||
    (way.calls === 'away' && event.notTaken === 'refused')
  )
    return false;
  const createLeg = await createLegCommandOf(ctx.tx, callRef, leg.id);
  if (!createLeg) return false;

  const isFirstLeg = batch.state.kind === 'outbound' && leg.id === batch.state.firstLeg;
  if (!isFirstLeg && leg.target?.to.kind !== 'phone') return false;
  const labels = {
    own: ctx.gateways.carriers.byName(carrier)?.label ?? carrier,
    other: ctx.gateways.carriers.byName(way.carrier)?.label ?? way.carrier,
  };
  if (isFirstLeg) {
    // Nothing of the call is at its carrier yet: all of it goes.
    await moveCallToCarrier(ctx.tx, callRef, way.carrier, way.number);
    live.carrier = way.carrier;
    batch.state = replaceCallerId(batch.state, number.number, way.number);
    batch.extraCommands.push({
      carrier: way.carrier,
      command: { ...createLeg, id: `${createLeg.id}:other`, callerId: way.number },
    });
  } else {
    const interconnectLeg = interconnectLegOf(leg.id);
    const interconnect = {
      leg: leg.id,
      carrier: way.carrier,
      via_number_id: way.id,
      via_number: way.number,
      line: interconnectLeg,
      far_line: null,
      from_number: number.number,
      state: 'asked' as const,
      ring: { ...createLeg, id: `${createLeg.id}:other`, callerId: way.number, onBehalfOf: null },
    };
    if (!(await insertInterconnect(ctx.tx, callRef, interconnect, ctx.now))) return false;
    batch.interconnects.push(interconnect);
    // First the line, so that nobody picks up who could not be heard.
    batch.extraCommands.push({
      carrier: null,
      command: {
        id: `${createLeg.id}:line`,
        do: 'createLeg',
        leg: interconnectLeg,
        to: { kind: 'phone', number: way.number },
        callerId: number.number,
        timeoutSeconds: createLeg.timeoutSeconds + 20,
        onBehalfOf: null,
      },
    });
  }
  batch.history.push(
    historyEntry(
      ctx,
      leg,
      `${labels.own} ${event.notTaken === 'away' ? 'could not be reached' : 'rejected it'}, so the call uses ${labels.other}, shown as ${formatPhone(way.number)}.`,
    ),
  );
  return true;
}

/**
 * What else follows for the line of a leg: it is let go when the leg is over, and the leg when the line breaks. Answers
 * what the engine must hear because no carrier will say it.
 */
export async function endInterconnectOf(
  ctx: TxCtx,
  callRef: CallRef,
  batch: StepBatch,
  event: Ended,
): Promise<Ended | null> {
  const interconnect = batch.interconnects.find(
    (one) => one.state !== 'over' && [one.leg, one.line, one.far_line].includes(event.leg),
  );
  if (!interconnect) return null;
  const neverRang = interconnect.state === 'asked';
  interconnect.state = 'over';
  await endInterconnect(ctx.tx, callRef, interconnect.leg);
  batch.extraCommands.push(...hangUpInterconnect(`${interconnect.line}:over`, interconnect));
  if (event.leg === interconnect.leg) return null;
  const leg = batch.state.legs.find((one) => one.id === interconnect.leg);
  if (!leg || leg.endedAt !== null) return null;
  batch.extraCommands.push({
    carrier: interconnect.carrier,
    command: { id: `${interconnect.line}:end`, do: 'hangup', leg: interconnect.leg },
  });
  if (!neverRang) return null;
  // It was never rung over there.
  batch.history.push(
    historyEntry(
      ctx,
      leg,
      isSipInterconnect(interconnect)
        ? 'The carrier couldn’t reach our exchange, so no browser rang.'
        : 'The connection to the other carrier couldn’t be set up.',
    ),
  );
  return { ...event, id: `${interconnect.line}:none`, leg: interconnect.leg, cause: 'failed' };
}

const historyEntry = (ctx: TxCtx, leg: Leg, detail: string): HistoryEntry => ({
  at: ctx.now.getTime(),
  code: null,
  label: 'Sent through failover',
  leg: leg.id,
  target: leg.target?.key ?? null,
  detail,
});

/** The state with another number of ours shown to whoever is rung. */
function replaceCallerId<T>(value: T, from: string, to: string): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one: unknown) => replaceCallerId(one, from, to)) as T;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'callerId' && inner === from ? to : replaceCallerId(inner as unknown, from, to),
    ]),
  ) as T;
}
