import { calls as contract } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import type { CallState, Outcome } from '../../routing/index.ts';
import type { CallRow } from '../records/store.ts';

/** The fields that all call events share. */
export const callEventData = (
  row: Pick<
    CallRow,
    'id' | 'number_id' | 'party' | 'outbound' | 'contact_id' | 'started_at' | 'source'
  >,
) => ({
  callId: row.id,
  numberId: row.number_id,
  party: row.party,
  outbound: row.outbound,
  contactId: row.contact_id,
  startedAt: new Date(row.started_at).toISOString(),
  source: row.source as contract.Call['source'],
});

/**
 * Publishes call.started, call.answered and call.ended, each exactly once: when the state first
 * implies it. `before` null: the call has just begun.
 */
export async function publishCallEvents(
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
  if (state.outcome && !before?.outcome) await publishCallEnded(ctx, row, state, state.outcome);
}

async function publishCallEnded(
  ctx: TxCtx,
  row: CallRow,
  state: CallState,
  outcome: Outcome,
): Promise<void> {
  const about = { numberId: row.number_id };
  const endedAt = new Date(outcome.at).toISOString();
  await ctx.publish(
    contract.callEnded,
    {
      ...callEventData(row),
      status: row.status,
      outcome: row.outcome,
      because: outcome.because,
      endedAt,
      durationSeconds: row.duration_seconds,
      ringSeconds: row.ring_seconds,
      talkSeconds: row.talk_seconds,
      answeredBy: state.facts.answeredBy,
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
      { callId: row.id, numberId: row.number_id, at: endedAt, legs },
      about,
    );
}
