import type { VoiceEvent } from '../../../gateways/voice.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { failOverLeg, endInterconnectOf } from '../carrier-failover/failover-leg.ts';
import { interconnectsOf } from '../carrier-failover/store.ts';
import { bridgeToBrowsers } from '../carrier-failover/bridge-to-browsers.ts';
import { answerInterconnect, routeCommands } from '../carrier-failover/route-commands.ts';
import {
  saveRoundRobin,
  step,
  withRoundRobin,
  type CallState,
  type EngineEvent,
  type HistoryEntry,
  type PathStep,
  type Timer,
} from '../../routing/index.ts';
import { addRecording } from '../recordings/add-recording.ts';
import { publishLiveCall } from '../live/publish-live.ts';
import { publishCallEvents } from './publish-call-events.ts';
import { addStep, emptyBatch, type StepBatch } from './step-batch.ts';
import { notifyPhones } from '../phones/notify-phones.ts';
import { recordFields, legLabel } from '../rules.ts';
import { addHistory, type HistoryRow } from '../records/store-history.ts';
import { lockExistingCall, patchCall, type CallRow } from '../records/store.ts';
import { addCommands } from './store-commands.ts';
import { insertEvent } from './store-directory.ts';
import {
  deleteTimer,
  lockLive,
  storeLegs,
  storeLive,
  storeTimers,
  markHeard,
} from './store-live.ts';

/** After commit the caller performs pending commands and arms these timers. */
interface RunResult {
  timers: readonly Timer[];
  state: CallState;
  /** False when no event changed the state. */
  changed: boolean;
}

const isCarrierEvent = (event: EngineEvent): event is VoiceEvent => 'seq' in event;

/**
 * Applies events to one call in this transaction: locks it, steps the engine and stores the result.
 * A duplicate carrier event changes nothing.
 * @param reportingCarrier the carrier of the events, if not the call's own.
 * @returns undefined when the call's state was purged.
 */
export async function runCall(
  ctx: TxCtx,
  callId: number,
  events: readonly EngineEvent[],
  reportingCarrier?: string,
): Promise<RunResult | undefined> {
  const live = await lockLive(ctx.tx, ctx.companyId, callId);
  if (!live) return undefined;
  const before = live.state;
  const callRef = { companyId: ctx.companyId, callId };
  const carrier = reportingCarrier ?? live.carrier;
  const batch = emptyBatch(
    before,
    live.has_interconnect ? await interconnectsOf(ctx.tx, callRef) : [],
  );
  let anyNew = false;
  for (const event of events) {
    if (isCarrierEvent(event)) {
      if (!(await insertEvent(ctx.tx, ctx.companyId, carrier, callId, event, ctx.now))) continue;
      anyNew = true;
      if (event.type === 'legEnded') {
        if (await failOverLeg(ctx, callRef, live, batch, carrier, event)) continue;
        const followUp = await endInterconnectOf(ctx, callRef, batch, event);
        if (followUp) addStep(batch, step(batch.state, followUp, ctx.now.getTime()));
      } else if (event.type === 'legAnswered')
        batch.extraCommands.push(...answerInterconnect(event.leg, batch.interconnects));
    } else if (event.type === 'timer') await deleteTimer(ctx.tx, ctx.companyId, callId, event.id);
    if (event.type === 'recordingReady') await addRecording(ctx, callId, batch.state, event);
    // A lost leg ended when it was lost, not when that was detected.
    const at = event.type === 'legEnded' && event.lost ? event.at : ctx.now.getTime();
    addStep(batch, step(await withRoundRobin(ctx, batch.state), event, at));
  }
  if (batch.state === before && !batch.extraCommands.length && !batch.history.length) {
    if (anyNew) await markHeard(ctx.tx, ctx.companyId, callId, ctx.now);
    return { timers: before.timers, state: before, changed: false };
  }
  await storeLive(ctx.tx, ctx.companyId, callId, batch.state, ctx.now);
  const row = await lockExistingCall(ctx.tx, ctx.companyId, callId);
  await storeBatch(ctx, row, before, batch);
  return { timers: batch.state.timers, state: batch.state, changed: true };
}

/** Stores what the batch changed and publishes it. `before` null: the call has just begun. */
export async function storeBatch(
  ctx: TxCtx,
  row: CallRow,
  before: CallState | null,
  batch: StepBatch,
): Promise<void> {
  const { state } = batch;
  const facts = recordFields(state);
  await bridgeToBrowsers(ctx, row, batch);
  await saveRoundRobin(ctx, before, state);
  await patchCall(ctx.tx, ctx.companyId, row.id, {
    ...facts,
    answered_by: facts.answered_by && JSON.stringify(facts.answered_by),
    updated_at: ctx.now,
  });
  const known = new Map((before?.legs ?? []).map((leg) => [leg.id, JSON.stringify(leg)]));
  await storeLegs(
    ctx.tx,
    ctx.companyId,
    row.id,
    state.legs
      .map((leg, n) => ({ leg, n, label: legLabel(leg, row) }))
      .filter(({ leg }) => known.get(leg.id) !== JSON.stringify(leg)),
  );
  await storeTimers(ctx.tx, ctx.companyId, row.id, before?.timers ?? [], state.timers);
  await addCommands(
    ctx.tx,
    ctx.companyId,
    row.id,
    [...routeCommands(batch.commands, batch.interconnects), ...batch.extraCommands],
    ctx.now,
  );
  await addHistory(
    ctx.tx,
    ctx.companyId,
    row.id,
    [...batch.path.map(pathRow), ...batch.history.map(historyRow)].sort(
      (a, b) => a.at.getTime() - b.at.getTime(),
    ),
  );
  await notifyPhones(ctx, row, before, state);
  await publishLiveCall(ctx, row, before, state);
  await publishCallEvents(ctx, { ...row, ...facts }, before, state);
}

const historyRow = (h: HistoryEntry): HistoryRow => ({
  kind: 'history',
  at: new Date(h.at),
  code: h.code,
  label: h.label,
  leg: h.leg,
  target: h.target,
  detail: h.detail,
  actor: null,
  node: null,
  matched: null,
});
const pathRow = (p: PathStep): HistoryRow => ({
  kind: 'path',
  at: new Date(p.at),
  code: null,
  label: p.rule,
  leg: null,
  target: p.target,
  detail: p.because,
  actor: null,
  node: p.node,
  matched: p.matched,
});
