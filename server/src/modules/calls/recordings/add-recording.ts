import { companySettingsOf } from '#contract/settings/rules';
import type { VoiceEvent } from '../../../gateways/voice.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { companyRow } from '../../companies/index.ts';
import { externalLegOf, type CallState } from '../../routing/index.ts';
import { speakersOf } from '../rules.ts';
import { lockExistingCall } from '../records/store.ts';
import { insertRecording } from './store.ts';
import { fetchRecordingJob } from '../job-kinds.ts';

/** Stores a recording the carrier has and queues the job that copies it. A duplicate is ignored. */
export async function addRecording(
  ctx: TxCtx,
  callId: number,
  state: CallState,
  event: Extract<VoiceEvent, { type: 'recordingReady' }>,
): Promise<void> {
  const kind = state.facts.recordings.find((r) => r.recordingId === event.recordingId)?.kind;
  if (!kind) return;
  const row = await lockExistingCall(ctx.tx, ctx.companyId, callId);
  const days =
    row.recording_retention_days ??
    retentionDays((await companyRow(ctx.tx, ctx.companyId))?.settings);
  const id = await insertRecording(ctx.tx, {
    company_id: ctx.companyId,
    call_id: callId,
    carrier_recording: event.recordingId,
    kind,
    fetch_url: event.url,
    content_type: event.contentType,
    duration_ms: Math.round(event.durationMs),
    channels: event.channels,
    speakers: speakersOf(state, kind, event.channels),
    speech:
      event.speech?.map((s) => ({
        channel:
          event.channels === 1 || (s.leg === externalLegOf(state)) === (state.kind === 'inbound')
            ? 0
            : 1,
        text: s.text,
        startMs: s.startMs,
      })) ?? null,
    peaks: event.peaks ?? [],
    delete_after: new Date(ctx.now.getTime() + days * 86_400_000),
    created_at: ctx.now,
  });
  if (id !== undefined) await ctx.enqueue(fetchRecordingJob, { recordingId: id });
}

/**
 * The company's retention, days: 30 to 3650, default 365 (A20). A number's own setting overrides.
 */
const retentionDays = (settings: unknown): number =>
  companySettingsOf(settings).recording_retention_days;
