import { calls, type EventData, type numbers as contract } from '#contract';
import { partyName } from '#contract/party';
import type { TxCtx } from '../../../platform/context.ts';
import { describeCall, differences } from './rules.ts';
import { insertEvent } from './store.ts';

/** `at` defaults to now. An entry with a `source` is added once per number. */
interface NumberEventInput {
  type: contract.TimelineType;
  summary: string;
  before?: unknown;
  after?: unknown;
  at?: Date;
  source?: string;
}

/** Adds an entry to a number's timeline, in the transaction of the change. */
export async function recordNumberEvent(
  ctx: TxCtx,
  numberId: number,
  event: NumberEventInput,
): Promise<void> {
  const { actor } = ctx;
  const kind = ctx.role === 'platform' && actor.kind === 'user' ? 'platform' : actor.kind;
  await insertEvent(ctx.tx, ctx.companyId, {
    number_id: numberId,
    at: event.at ?? ctx.now,
    type: event.type,
    actor_type: kind,
    actor_id: actor.userId || null,
    actor_name: actor.kind === 'system' ? '' : actor.name,
    summary: event.summary,
    before: event.before ?? null,
    after: event.after ?? null,
    source: event.source ?? null,
  });
}

/** Adds one entry for each kind of change. */
export async function recordNumberChanges(
  ctx: TxCtx,
  numberId: number,
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Promise<void> {
  for (const entry of differences(before, after)) await recordNumberEvent(ctx, numberId, entry);
}

/** Adds a call that ended or was rejected; once, even if the event is delivered again. */
export async function recordCall(
  ctx: TxCtx,
  call: EventData<typeof calls.callEnded>,
): Promise<void> {
  const who = partyName(call.party, 'A withheld number');
  await recordNumberEvent(ctx, call.numberId, {
    type: call.outcome === 4 ? 'blocked_call' : 'call',
    summary: describeCall(call, who),
    after: {
      callId: call.callId,
      party: call.party,
      outcome: call.outcome,
      talkSeconds: call.talkSeconds,
      outbound: call.outbound,
    },
    at: new Date(call.endedAt),
    source: `call:${call.callId}`,
  });
}
