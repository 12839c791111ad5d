import { calls as contract } from '#contract';
import type { Ctx } from '../../../platform/context.ts';
import { billableMinutes } from '../rules.ts';
import type { CallWithNames } from './store.ts';
import type { RecordingRow } from '../recordings/store.ts';
import type { hitsOfCall } from '../phrases/store.ts';
import { presentReading } from '../readings/present.ts';
import type { ReadingRow } from '../readings/store.ts';
import type { TranscriptionRow } from '../transcripts/store.ts';

type Call = contract.Call;
const iso = (at: Date) => new Date(at).toISOString();
const isoOrNull = (at: Date | null) => (at ? iso(at) : null);

/** A transcription as A9.3 describes it; state `none` when there is none. */
function presentTranscription(row: TranscriptionRow | undefined): Call['transcription'] {
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
  const fileId = row?.state === 'ready' ? row.file_id : null;
  const playable = row !== undefined && fileId !== null;
  return {
    url: playable ? ctx.files.signUrl(row.company_id, fileId, ctx.now) : null,
    expires_at: playable
      ? new Date(Math.ceil((ctx.now.getTime() / 1000 + 900) / 60) * 60_000).toISOString()
      : null,
    duration: row ? Math.round(row.duration_ms / 100) / 10 : 0,
    peaks: playable ? row.peaks : [],
    speakers: row?.speakers ?? [],
    state: recordingState(row, pending),
  };
}

function recordingState(
  row: RecordingRow | undefined,
  pending: boolean,
): Call['recording']['state'] {
  if (!row) return pending ? 'pending' : 'none';
  return row.state === 'failed' ? 'none' : row.state;
}

/** Everything a call's presentation is made from. */
interface CallDetails {
  row: CallWithNames;
  /** A recording of this call is still expected from the carrier. */
  awaited: boolean;
  recordings: RecordingRow[];
  transcriptions: TranscriptionRow[];
  voicemail: { id: number; recording_id: number; duration_seconds: number } | undefined;
  tags: { id: number; name: string; color: string }[];
  values: Call['eavAttributeValues'];
  hits: Awaited<ReturnType<typeof hitsOfCall>>;
  reading: ReadingRow | undefined;
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

/** The call as A9.1 describes it. */
export function presentCall(ctx: Ctx, details: CallDetails): Call {
  const { row, awaited, recordings, transcriptions, voicemail, tags, values, history } = details;
  const transcriptionOf = (recording: RecordingRow | undefined) =>
    presentTranscription(transcriptions.find((t) => t.recording_id === recording?.id));
  const recording = recordings.findLast((r) => r.kind === 'call');
  const message = voicemail && recordings.find((r) => r.id === voicemail.recording_id);
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
      voicemail && message
        ? presentVoicemail(ctx, voicemail.id, message, transcriptionOf(message))
        : null,
    transcription: transcriptionOf(recording ?? message),
    tags,
    note: row.note,
    qualified: row.qualified ? 1 : 0,
    lead: row.lead ? 1 : 0,
    outcome_tags: row.outcome_tags as Call['outcome_tags'],
    department: row.department as Call['department'],
    sentiment: sentimentOf(transcriptions, details.reading),
    summary: row.summary,
    value_cents: row.value_cents,
    spam: row.spam ? 1 : 0,
    source: row.source as Call['source'],
    dni_pool_id: row.dni_pool_id,
    enhanced_caller_id: row.caller_identity as Call['enhanced_caller_id'],
    eavAttributeValues: values,
    history: presentHistory(history),
    legs: presentLegs(ctx, details),
    path: presentPath(history),
    ...presentSaid(details),
    abandoned: row.abandoned,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}

function presentVoicemail(
  ctx: Ctx,
  id: number,
  message: RecordingRow,
  transcription: Call['transcription'],
): Call['voicemail'] {
  const { url, duration, peaks } = presentRecording(ctx, message);
  return { id, url, duration, peaks, transcription };
}

/** The mood of the newest transcript; its score is known as long as no person changed it. */
function sentimentOf(
  transcriptions: readonly TranscriptionRow[],
  reading: ReadingRow | undefined,
): Call['sentiment'] {
  const newest = transcriptions
    .filter(({ state }) => state === 'ready')
    .toSorted((a, b) => b.id - a.id)[0];
  const mood = (newest?.metadata as Call['transcription']['metadata'])?.sentiment?.overall;
  const found = reading?.found?.sentiment;
  return {
    label: (mood ?? 'unknown') as Call['sentiment']['label'],
    score: found && found.label === mood ? found.score : null,
  };
}

/** What lists and AI found in what was said. */
const presentSaid = ({ hits, reading }: CallDetails): Pick<Call, 'phrases' | 'ai'> => ({
  phrases: presentHits(hits),
  ai: reading ? presentReading(reading) : null,
});

/** What was said of each list, of call and voicemail together. */
const presentHits = (hits: CallDetails['hits']): Call['phrases'] =>
  [...new Map(hits.map((hit) => [hit.list_id, hit.name]))].map(([id, name]) => ({
    list: { id, name },
    spoken: hits
      .filter((hit) => hit.list_id === id)
      .flatMap(({ kind, spoken }) => spoken.map((one) => ({ ...one, recording: kind }))),
  }));

const presentHistory = (history: CallDetails['history']): Call['history'] =>
  history
    .filter((h) => h.kind === 'history')
    .map((h) => ({
      at: iso(h.at),
      code: h.code,
      label: h.label,
      leg: h.leg,
      target: h.target,
      detail: h.detail,
      actor: h.actor,
    }));

const presentPath = (history: CallDetails['history']): Call['path'] =>
  history
    .filter((h) => h.kind === 'path')
    .map((h) => ({
      at: iso(h.at),
      node: h.node ?? '',
      rule: h.label,
      matched: h.matched ?? false,
      because: h.detail ?? '',
      target: h.target,
    }));

function presentLegs(ctx: Ctx, { row, legs }: CallDetails): Call['legs'] {
  // A leg without a reported end ended with its call.
  const secondsBetween = (from: Date, to: Date | null) =>
    Math.max(0, Math.round(((to ?? row.ended_at ?? ctx.now).getTime() - from.getTime()) / 1000));
  return legs.map((leg) => {
    // We answer the caller's leg for the menu; it counts as answered when a person answers.
    const answeredAt =
      leg.role === 'caller' && !leg.answered_at ? row.answered_at : leg.answered_at;
    return {
      id: leg.leg,
      role: leg.role as Call['legs'][number]['role'],
      label: leg.label,
      target: leg.target,
      state: leg.state,
      cause: leg.cause,
      started_at: iso(leg.started_at),
      answered_at: isoOrNull(answeredAt),
      ended_at: isoOrNull(leg.ended_at),
      ring_seconds:
        leg.role === 'caller' ? 0 : secondsBetween(leg.started_at, answeredAt ?? leg.ended_at),
      talk_seconds: answeredAt ? secondsBetween(answeredAt, leg.ended_at) : 0,
    };
  });
}
