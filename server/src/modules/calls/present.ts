import { calls as contract } from '#contract';
import type { Ctx } from '../../platform/context.ts';
import { billableMinutes } from './rules.ts';
import type { CallWithNames } from './store.ts';
import type { RecordingRow, TranscriptionRow } from './store-audio.ts';

type Call = contract.Call;
const iso = (at: Date) => new Date(at).toISOString();
const isoOrNull = (at: Date | null) => (at ? iso(at) : null);

export function presentTranscription(row: TranscriptionRow | undefined): Call['transcription'] {
  if (!row)
    return { id: null, state: 'none', text: '', raw: null, metadata: null, statistics: null };
  return {
    id: row.id,
    state: row.state,
    text: row.text,
    raw: row.raw ?? null,
    metadata: row.metadata as Call['transcription']['metadata'],
    statistics: row.statistics as Call['transcription']['statistics'],
  };
}

function presentRecording(
  ctx: Ctx,
  row: RecordingRow | undefined,
  pending = false,
): Call['recording'] {
  const playable = row?.state === 'ready' && row.file_id !== null;
  return {
    url: playable ? ctx.files.signUrl(row.company_id, row.file_id!, ctx.now) : null,
    expires_at: playable
      ? new Date(Math.ceil((ctx.now.getTime() / 1000 + 900) / 60) * 60_000).toISOString()
      : null,
    duration: row ? Math.round(row.duration_ms / 100) / 10 : 0,
    peaks: playable ? row.peaks : [],
    speakers: row?.speakers ?? [],
    state: !row ? (pending ? 'pending' : 'none') : row.state === 'failed' ? 'none' : row.state,
  };
}

export interface CallDetails {
  row: CallWithNames;
  /** The carrier still owes us a recording of this call. */
  awaited: boolean;
  recordings: RecordingRow[];
  transcriptions: TranscriptionRow[];
  voicemail: { id: number; recording_id: number; duration_seconds: number } | undefined;
  tags: { id: number; name: string; color: string }[];
  values: Call['eavAttributeValues'];
  history: {
    kind: string;
    at: Date;
    code: number | null;
    label: string;
    leg: string | null;
    target: string | null;
    detail: string | null;
    actor: string | null;
    node: string | null;
    matched: boolean | null;
  }[];
  legs: {
    leg: string;
    role: string;
    label: string;
    target: string | null;
    state: string;
    cause: string | null;
    started_at: Date;
    answered_at: Date | null;
    ended_at: Date | null;
  }[];
}

/** A9.1. */
export function presentCall(
  ctx: Ctx,
  { row, awaited, recordings, transcriptions, voicemail, tags, values, history, legs }: CallDetails,
): Call {
  const wordsOf = (recording: RecordingRow | undefined) =>
    presentTranscription(transcriptions.find((t) => t.recording_id === recording?.id));
  const recording = recordings.filter((r) => r.kind === 'call').at(-1);
  const message = voicemail && recordings.find((r) => r.id === voicemail.recording_id);
  const heard = message ? presentRecording(ctx, message) : null;
  // A leg whose end nobody told ended with its call.
  const seconds = (from: Date | null, to: Date | null) =>
    from
      ? Math.max(0, Math.round(((to ?? row.ended_at ?? ctx.now).getTime() - from.getTime()) / 1000))
      : 0;
  return {
    id: row.id,
    company_id: row.company_id,
    number: { id: row.number_id, number: row.number, label: row.number_label ?? '' },
    outbound: row.outbound ? 1 : 0,
    from: row.from_number,
    to: row.to_number,
    caller_name: row.caller_name,
    caller_city: row.caller_city,
    caller_state: row.caller_state,
    contact: row.contact_id ? { id: row.contact_id, name: row.contact_name ?? '' } : null,
    conversation_id: row.conversation_id,
    status: row.status,
    outcome: row.outcome,
    started_at: iso(row.started_at),
    answered_at: isoOrNull(row.answered_at),
    ended_at: isoOrNull(row.ended_at),
    ring_seconds: row.ring_seconds,
    talk_seconds: row.talk_seconds,
    duration: row.duration_seconds,
    billable_minutes: billableMinutes(row),
    first_contact: row.first_contact,
    answered_by: row.answered_by as Call['answered_by'],
    extension: row.extension,
    extension_label: row.extension_label,
    recording: presentRecording(ctx, recording, awaited),
    voicemail:
      voicemail && heard
        ? {
            id: voicemail.id,
            url: heard.url,
            duration: heard.duration,
            peaks: heard.peaks,
            transcription: wordsOf(message),
          }
        : null,
    transcription: wordsOf(recording ?? message),
    tags,
    note: row.note,
    qualified: row.qualified ? 1 : 0,
    lead: row.lead ? 1 : 0,
    outcome_tags: row.outcome_tags as Call['outcome_tags'],
    department: row.department as Call['department'],
    sentiment: { label: 'unknown', score: null },
    summary: row.summary,
    value_cents: row.value_cents,
    spam: row.spam ? 1 : 0,
    source: row.source as Call['source'],
    dni_pool_id: row.dni_pool_id,
    enhanced_caller_id: row.caller_identity as Call['enhanced_caller_id'],
    eavAttributeValues: values,
    history: history
      .filter((h) => h.kind === 'history')
      .map((h) => ({
        at: iso(h.at),
        code: h.code,
        label: h.label,
        leg: h.leg,
        target: h.target,
        detail: h.detail,
        actor: h.actor,
      })),
    // The caller's own phone is answered by us, not by a person: for people it begins to talk when somebody picks up.
    legs: legs
      .map((l) =>
        l.role === 'caller' && !l.answered_at ? { ...l, answered_at: row.answered_at } : l,
      )
      .map((l) => ({
        id: l.leg,
        role: l.role as 'caller' | 'agent' | 'target' | 'monitor',
        label: l.label,
        target: l.target,
        state: l.state,
        cause: l.cause,
        started_at: iso(l.started_at),
        answered_at: isoOrNull(l.answered_at),
        ended_at: isoOrNull(l.ended_at),
        ring_seconds: l.role === 'caller' ? 0 : seconds(l.started_at, l.answered_at ?? l.ended_at),
        talk_seconds: l.answered_at ? seconds(l.answered_at, l.ended_at) : 0,
      })),
    path: history
      .filter((h) => h.kind === 'path')
      .map((h) => ({
        at: iso(h.at),
        node: h.node ?? '',
        rule: h.label,
        matched: h.matched ?? false,
        because: h.detail ?? '',
        target: h.target,
      })),
    abandoned: row.abandoned,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}
