import { calls as contract } from '#contract';
import type { VoiceCommand, VoiceEvent } from '../../ports/voice.ts';
import type { TxCtx } from '../../platform/context.ts';
import { goOtherWay, linesHear } from './other-way/go-other-way.ts';
import { waysOf, type Way } from './other-way/store.ts';
import { reachBrowsers } from './other-way/reach-browsers.ts';
import { pickUpLine, throughWays, type Told } from './other-way/through-ways.ts';
import {
  keepMemory,
  step,
  withMemory,
  type CallState,
  type EngineEvent,
  type HistoryEntry,
  type PathStep,
  type StepResult,
  type Timer,
} from '../routing/index.ts';
import { enterRecording } from './enter-recording.ts';
import { sayLive } from './live/say-live.ts';
import { tellPhones } from './tell-phones.ts';
import { factsOf, legLabel } from './rules.ts';
import { addHistory, callForChange, patchCall, type CallRow, type HistoryRow } from './store.ts';
import {
  addCommands,
  dropTimer,
  keepEvent,
  lockLive,
  storeLegs,
  storeLive,
  storeTimers,
  touchLive,
} from './store-live.ts';

/** After commit: perform what is pending, and wake at these times. */
export interface Ran {
  timers: readonly Timer[];
  state: CallState;
  /** False: nothing of it meant anything (now). */ changed: boolean;
}

const isReport = (e: EngineEvent): e is VoiceEvent => 'seq' in e;

/**
 * Let events happen to one call, in this transaction: lock it, step the engine, and store everything that follows.
 * A carrier's report that came before changes nothing. `by`: the carrier that reports, where it is not the call's own. undefined = the call no longer runs (its state was cleared away).
 */
export async function runCall(
  ctx: TxCtx,
  callId: number,
  events: readonly EngineEvent[],
  by?: string,
): Promise<Ran | undefined> {
  const live = await lockLive(ctx.tx, ctx.companyId, callId);
  if (!live) return undefined;
  const before = live.state;
  const place = { companyId: ctx.companyId, callId };
  const carrier = by ?? live.carrier;
  const turn = emptyTurn(before, live.tied ? await waysOf(ctx.tx, place) : []);
  let heard = false;
  for (const event of events) {
    if (isReport(event)) {
      if (!(await keepEvent(ctx.tx, ctx.companyId, carrier, callId, event, ctx.now))) continue;
      heard = true;
      if (event.type === 'legEnded') {
        if (await goOtherWay(ctx, place, live, turn, carrier, event)) continue;
        const more = await linesHear(ctx, place, turn, event);
        if (more) take(turn, step(turn.state, more, ctx.now.getTime()));
      } else if (event.type === 'legAnswered') turn.extra.push(...pickUpLine(event.leg, turn.ways));
    } else if (event.type === 'timer') await dropTimer(ctx.tx, ctx.companyId, callId, event.id);
    if (event.type === 'recordingReady') await enterRecording(ctx, callId, turn.state, event);
    // A lost leg ended when it was lost, not when that was noticed.
    const at = event.type === 'legEnded' && event.lost ? event.at : ctx.now.getTime();
    take(turn, step(await withMemory(ctx, turn.state), event, at));
  }
  if (turn.state === before && !turn.extra.length && !turn.history.length) {
    if (heard) await touchLive(ctx.tx, ctx.companyId, callId, ctx.now);
    return { timers: before.timers, state: before, changed: false };
  }
  await storeLive(ctx.tx, ctx.companyId, callId, live.version, turn.state, ctx.now);
  const row = (await callForChange(ctx.tx, ctx.companyId, callId))!;
  await storeStep(ctx, row, before, turn);
  return { timers: turn.state.timers, state: turn.state, changed: true };
}

/** Several steps as one: what they add up to. */
export interface Turn {
  state: CallState;
  commands: VoiceCommand[];
  history: HistoryEntry[];
  path: PathStep[];
  /** Legs at another carrier, and what is to be done because of them. */ ways: Way[];
  extra: Told[];
}
export const emptyTurn = (state: CallState, ways: Way[] = []): Turn => ({
  state,
  commands: [],
  history: [],
  path: [],
  ways,
  extra: [],
});
export function take(turn: Turn, result: StepResult): void {
  turn.state = result.state;
  turn.commands.push(...result.commands);
  turn.history.push(...result.history);
  turn.path.push(...result.path);
}

/** Store what a turn changed and say it. `before` null: the call has just begun. */
export async function storeStep(
  ctx: TxCtx,
  row: CallRow,
  before: CallState | null,
  turn: Turn,
): Promise<void> {
  const { state } = turn;
  const facts = factsOf(state);
  await reachBrowsers(ctx, row, turn);
  await keepMemory(ctx, before, state);
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
    [...throughWays(turn.commands, turn.ways), ...turn.extra],
    ctx.now,
  );
  await addHistory(
    ctx.tx,
    ctx.companyId,
    row.id,
    [...turn.path.map(pathRow), ...turn.history.map(historyRow)].sort(
      (a, b) => a.at.getTime() - b.at.getTime(),
    ),
  );
  await tellPhones(ctx, row, before, state);
  await sayLive(ctx, row, before, state);
  await sayWhatHappened(ctx, { ...row, ...facts }, before, state);
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
export const ofACall = (
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
async function sayWhatHappened(
  ctx: TxCtx,
  row: CallRow,
  before: CallState | null,
  state: CallState,
): Promise<void> {
  const about = { numberId: row.number_id };
  if (!before) await ctx.say(contract.callStarted, ofACall(row), about);
  const answeredBy = state.facts.answeredBy;
  if (state.facts.connectedAt !== null && (before?.facts.connectedAt ?? null) === null)
    await ctx.say(contract.callAnswered, { ...ofACall(row), answeredBy }, about);
  if (state.outcome && !before?.outcome) {
    await ctx.say(
      contract.callEnded,
      {
        ...ofACall(row),
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
      await ctx.say(
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
