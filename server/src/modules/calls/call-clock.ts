import { systemCtx, type House, type Said } from '../../platform/context.ts';
import type { VoiceEvent } from '../../ports/voice.ts';
import { performCommands } from './perform-commands.ts';
import type { Place } from './place.ts';
import { receiveVoice } from './inbound.ts';
import { callsWithPendingCommands, dueTimers, readLive, silentCalls } from './store-live.ts';
import { fireTimer } from './timers.ts';

/** A command that was not performed this long after it was wanted lost its process. */
const COMMAND_LATE_MS = 2000;
/** A running call is asked about when nothing was heard of it for this long. */
const SILENT_MS = 20_000;

/** The worker's clock for calls: every second, what the processes that began it can no longer do. */
export function startCallClock(house: House, said: Said): { stop(): Promise<void> } {
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  const tick = async () => {
    try {
      await sweepCalls(house, said);
    } catch (error) {
      if (!stopped) house.log.warn({ err: error }, 'the clock of calls missed a beat');
    }
  };
  const timer = setInterval(() => { running = running.then(tick); }, 1000);
  timer.unref();
  return { stop: async () => { stopped = true; clearInterval(timer); await running; } };
}

/** Fire what is due, perform what is late, ask about what is silent. */
export async function sweepCalls(house: House, said: Said): Promise<void> {
  const now = house.now();
  for (const { timer, ...place } of await dueTimers(house.db, now)) await fireTimer(house, said, place, timer);
  for (const place of await callsWithPendingCommands(house.db, new Date(now.getTime() - COMMAND_LATE_MS))) await performCommands(house, place);
  for (const place of await silentCalls(house.db, new Date(now.getTime() - SILENT_MS), now)) await reconcileCall(house, said, place);
}

/**
 * Ask the carrier about the legs of a call it has been silent on; what it no longer knows has ended. So a call whose
 * media process died gets its one outcome.
 */
export async function reconcileCall(house: House, said: Said, place: Place): Promise<void> {
  const ctx = systemCtx(house, place.companyId, said, 'reconcile');
  const live = await ctx.transaction((t) => readLive(t.tx, place.companyId, place.callId));
  if (!live || live.over) return;
  const lost: VoiceEvent[] = [];
  for (const leg of live.state.legs.filter((l) => l.endedAt === null)) {
    const known = await house.ports.voice.askLeg(leg.id).catch(() => 'unreachable' as const);
    if (known === 'unreachable') return; // the carrier is away: it may still hold the call
    if (known === null || known.state === 'ended')
      lost.push({ id: `asked:${leg.id}`, call: live.carrier_call, leg: leg.id, seq: Number.MAX_SAFE_INTEGER, at: house.now().getTime(), type: 'legEnded', cause: known?.cause ?? 'failed' });
  }
  // The caller's own leg last: the others say who hung up.
  if (lost.length) await receiveVoice(house, said, live.carrier, lost.sort((a, b) => Number(a.leg === live.state.firstLeg) - Number(b.leg === live.state.firstLeg))).then((r) => r.performed);
}
