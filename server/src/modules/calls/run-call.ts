import { calls as contract } from '#contract';
import type { VoiceCommand, VoiceEvent } from '../../gateways/voice.ts';
import type { TxCtx } from '../../platform/context.ts';
import { failOverLeg, endInterconnectOf } from './carrier-failover/failover-leg.ts';
import { interconnectsOf, type Interconnect } from './carrier-failover/store.ts';
import { bridgeToBrowsers } from './carrier-failover/bridge-to-browsers.ts';
import {
  answerInterconnect,
  routeCommands,
  type RoutedCommand,
} from './carrier-failover/route-commands.ts';
import {
  saveRoundRobin,
  step,
  withRoundRobin,
  type CallState,
  type EngineEvent,
  type HistoryEntry,
  type PathStep,
  type StepResult,
  type Timer,
} from '../routing/index.ts';
import { addRecording } from './add-recording.ts';
import { publishLiveCall } from './live/publish-live.ts';
import { notifyPhones } from './notify-phones.ts';
import { recordFields, legLabel } from './rules.ts';
import { addHistory, lockCall, patchCall, type CallRow, type HistoryRow } from './store.ts';
import {
  addCommands,
  deleteTimer,
  insertEvent,
  lockLive,
  storeLegs,
  storeLive,
  storeTimers,
  markHeard,
} from './store-live.ts';

/** After commit: perform what is pending, and wake at these times. */
export interface RunResult {
  timers: readonly Timer[];
  state: CallState;
  /** False: nothing of it meant anything (now). */ changed: boolean;
}

const isCarrierReport = (e: EngineEvent): e is VoiceEvent => 'seq' in e;

/**
 * Let events happen to one call, in this transaction: lock it, step the engine, and store everything that follows.
 * A carrier's report that came before changes nothing. `by`: the carrier that reports, where it is not the call's own. undefined = the call no longer runs (its state was cleared away).
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
  const batch = emptyBatch(before, live.tied ? await interconnectsOf(ctx.tx, callRef) : []);
  let anyNew = false;
  for (const event of events) {
    if (isCarrierReport(event)) {
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
    // A lost leg ended when it was lost, not when that was noticed.
    const at = event.type === 'legEnded' && event.lost ? event.at : ctx.now.getTime();
    addStep(batch, step(await withRoundRobin(ctx, batch.state), event, at));
  }
  if (batch.state === before && !batch.extraCommands.length && !batch.history.length) {
    if (anyNew) await markHeard(ctx.tx, ctx.companyId, callId, ctx.now);
    return { timers: before.timers, state: before, changed: false };
  }
  await storeLive(ctx.tx, ctx.companyId, callId, live.version, batch.state, ctx.now);
  const row = (await lockCall(ctx.tx, ctx.companyId, callId))!;
  await storeBatch(ctx, row, before, batch);
  return { timers: batch.state.timers, state: batch.state, changed: true };
}

/** Several steps as one: what they add up to. */
export interface StepBatch {
  state: CallState;
  commands: VoiceCommand[];
  history: HistoryEntry[];
  path: PathStep[];
  /** Legs at another carrier, and what is to be done because of them. */ interconnects: Interconnect[];
  extraCommands: RoutedCommand[];
}
export const emptyBatch = (state: CallState, interconnects: Interconnect[] = []): StepBatch => ({
  state,
  commands: [],
  history: [],
  path: [],
  interconnects,
  extraCommands: [],
});
export function addStep(batch: StepBatch, result: StepResult): void {
  batch.state = result.state;
  batch.commands.push(...result.commands);
  batch.history.push(...result.history);
  batch.path.push(...result.path);
}

/** Store what a turn changed and say it. `before` null: the call has just begun. */
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
    answered_by: facts.answered_by ? JSON.stringify(facts.answered_by) : null,
    updated_at: ctx.now,
  } as never);
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

/** What the events about a call have in common. */
export const callEventData = (
  row: Pick<CallRow, 'id' | 'number_id' | 'party' | 'outbound' | 'contact_id' | 'started_at'>,
) => ({
  callId: row.id,
  numberId: row.number_id,
  party: row.party,
  outbound: row.outbound,
  contactId: row.contact_id,
  startedAt: new Date(row.started_at).toISOString(),
});

/** call.started, call.answered and call.ended, each exactly once: they follow from what the state says now and did not before. */
async function publishCallEvents(
  ctx: TxCtx,
  row: CallRow,
  before: CallState | null,
  state: CallState,
): Promise<void> {
  const about = { numberId: row.number_id };
  if (!before) await ctx.publish(contract.callStarted, callEventData(row), about);
  const answeredBy = state.facts.answeredBy;
  if (state.facts.connectedAt !== null && (before?.facts.connectedAt ?? null) === null)
    await ctx.publish(contract.callAnswered, { ...callEventData(row), answeredBy }, about);
  if (state.outcome && !before?.outcome) {
    await ctx.publish(
      contract.callEnded,
      {
        ...callEventData(row),
        status: row.status,
        outcome: row.outcome,
        because: state.outcome.because,
        endedAt: new Date(state.outcome.at).toISOString(),
        durationSeconds: row.duration_seconds,
        ringSeconds: row.ring_seconds,
        talkSeconds: row.talk_seconds,
        answeredBy,
        extensionLabel: row.extension_label,
        recordingFileId: null,
        alertEmails: row.alert_emails,
      },
      about,
    );
    const legs = state.legs.flatMap((leg) =>
      leg.role === 'target' && leg.target?.forwardId
        ? [{ leg: leg.id, forwardId: leg.target.forwardId, answered: leg.answeredAt !== null }]
        : [],
    );
    if (legs.length > 0)
      await ctx.publish(
        contract.destinationsRung,
        {
          callId: row.id,
          numberId: row.number_id,
          at: new Date(state.outcome.at).toISOString(),
          legs,
        },
        about,
      );
  }
}
