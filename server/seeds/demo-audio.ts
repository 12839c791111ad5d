import { sql } from 'kysely';
import { z } from 'zod';
import type { TxCtx } from '../src/platform/context.ts';
import type { Tx } from '../src/platform/db.ts';
import { jobKind } from '../src/platform/job-kind.ts';
import { runJob } from '../src/platform/jobs.ts';
import type { SpeechGateway } from '../src/gateways/speech.ts';
import { sampleRate } from '../src/platform/audio/resample.ts';
import { writeWav } from '../src/platform/audio/wav.ts';
import { idAt, insertInBatches, type SeedCompany, type SeededCall } from './demo-rows.ts';
import { voiceSpans } from '../src/platform/audio/voice-activity.ts';
import { applyOutcomeRules } from '../src/modules/calls/outcome-rules/apply-rules.ts';
import { queueReading } from '../src/modules/calls/readings/queue-reading.ts';
import { spotInTranscript } from '../src/modules/calls/phrases/spot-in-transcript.ts';
import { statisticsOf } from '../src/modules/calls/transcripts/speaking-statistics.ts';
import { transcriptMetadata, waveformPeaks, type SpokenLine } from './demo-transcript.ts';

/**
 * Synthesizes a dialog: the caller on channel 0, our side on channel 1, one line after the other
 * with a short pause between.
 */
async function speakDialog(
  speech: SpeechGateway,
  lines: readonly string[],
): Promise<{ channels: Int16Array[]; lines: SpokenLine[]; durationMs: number }> {
  const spoken = await Promise.all(
    lines.map((line) =>
      speech.synthesize({ text: line.slice(2), voice: line.startsWith('<') ? 'noah' : 'ava' }),
    ),
  );
  const breath = sampleRate * 0.35;
  const total = spoken.reduce((n, s) => n + s.pcm16k.length + breath, sampleRate);
  const channels = [new Int16Array(total), new Int16Array(total)];
  const said: SpokenLine[] = [];
  let at = sampleRate / 2;
  spoken.forEach((s, i) => {
    const channel = lines[i]!.startsWith('<') ? 0 : 1;
    channels[channel]!.set(s.pcm16k, at);
    said.push({
      channel,
      text: lines[i]!.slice(2),
      startMs: Math.round((at / sampleRate) * 1000),
      endMs: Math.round(((at + s.pcm16k.length) / sampleRate) * 1000),
    });
    at += s.pcm16k.length + breath;
  });
  return { channels, lines: said, durationMs: Math.round((total / sampleRate) * 1000) };
}

/**
 * One recording to synthesize. It is done after the start, because speech synthesis would delay it.
 */
const speechPlan = z.object({
  companyId: z.number(),
  kind: z.enum(['call', 'voicemail']),
  script: z.array(z.string()),
  call: z.object({
    id: z.number(),
    numberId: z.number(),
    conversationId: z.number(),
    startedAt: z.coerce.date(),
  }),
});
type SpeechPlan = z.infer<typeof speechPlan>;

/**
 * Queues recordings with transcripts for the newest answered calls and voicemails for the newest
 * calls with that outcome. The worker makes them.
 */
export async function enqueueAudio(
  tx: Tx,
  company: SeedCompany,
  calls: readonly SeededCall[],
): Promise<void> {
  const { dialogs, voicemails } = company.trade;
  const answered = calls
    .filter((c) => !c.outbound && c.outcome === 1 && c.talkSeconds > 20)
    .slice(0, dialogs.length);
  const boxed = calls.filter((c) => c.outcome === 3).slice(0, voicemails.length);
  const plans = [
    ...answered.map((call, i) => ({ call, kind: 'call', script: dialogs[i] })),
    ...boxed.map((call, i) => ({ call, kind: 'voicemail', script: [`< ${voicemails[i]}`] })),
  ];
  for (const plan of plans)
    await sql`select enqueue_job('demo.speak',
        ${JSON.stringify({ companyId: company.id, ...plan })}::json, 'demo',
        null, 5, null, null)`.execute(tx);
}

export const jobs = [
  runJob(
    jobKind('demo.speak', speechPlan, {
      queue: 'default',
      timeoutSeconds: 600,
      overlap: () => 'demo',
      retries: 4,
    }),
    async (ctx, plan) => {
      const spoken = await speakDialog(ctx.gateways.speech, plan.script);
      await ctx.transaction((t) => attachRecording(t, plan, spoken));
    },
  ),
];

async function attachRecording(
  t: TxCtx,
  { call, kind }: SpeechPlan,
  { channels, lines, durationMs }: Awaited<ReturnType<typeof speakDialog>>,
) {
  const { tx, companyId, files } = t;
  const heard = kind === 'call' ? channels : [channels[0]!];
  const file = await files.save(
    tx,
    companyId,
    {
      name: `${kind}-${call.id}.wav`,
      contentType: 'audio/wav',
      bytes: writeWav({ sampleRate, channels: heard }),
      purpose: 'recording',
    },
    call.startedAt,
  );
  const at = new Date(call.startedAt.getTime() + durationMs);
  const recordingId = idAt(at.getTime());
  const transcriptionId = idAt(at.getTime() + 1);
  const voice = heard.map((samples) => voiceSpans(samples, sampleRate));
  const speakers = kind === 'call' ? ([2, 1] as const) : ([2] as const);
  const metadata = transcriptMetadata(lines, { durationMs, channels: heard.length, at });
  await insertInBatches(tx, 'recording', [
    {
      company_id: companyId,
      id: recordingId,
      call_id: call.id,
      carrier_recording: `demo-${recordingId}`,
      kind,
      state: 'ready',
      content_type: 'audio/wav',
      duration_ms: durationMs,
      channels: heard.length,
      speakers: [...speakers],
      peaks: heard.map((c) => waveformPeaks(c)),
      voice,
      file_id: file.id,
      created_at: at,
      ready_at: at,
      delete_after: new Date(at.getTime() + 365 * 86_400_000),
    },
  ]);
  await insertInBatches(tx, 'transcription', [
    {
      company_id: companyId,
      id: transcriptionId,
      recording_id: recordingId,
      call_id: call.id,
      state: 'ready',
      text: lines.map((l) => l.text).join(' '),
      created_at: at,
      finished_at: at,
      metadata,
      statistics: statisticsOf({ duration_ms: durationMs, speakers, voice }, metadata.segments),
    },
  ]);
  const made = { recordingId, fileId: file.id, durationMs, at };
  if (kind === 'call') await updateCall(tx, companyId, call, made);
  else await insertVoicemail(tx, companyId, call, { ...made, text: lines[0]!.text });
  await spotInTranscript(t, {
    id: transcriptionId,
    call_id: call.id,
    called_at: call.startedAt,
    kind,
    engine: metadata.engine,
    segments: metadata.segments,
  });
  await applyOutcomeRules(t, call.id);
  await queueReading(t, { id: call.id, number_id: call.numberId });
}

interface MadeRecording {
  recordingId: number;
  fileId: number;
  durationMs: number;
  at: Date;
}

async function updateCall(
  tx: Tx,
  companyId: number,
  call: SpeechPlan['call'],
  { fileId, durationMs }: MadeRecording,
): Promise<void> {
  // The call lasted as long as its dialog.
  const talked = Math.round(durationMs / 1000);
  await sql`update call set talk_seconds = ${talked}, duration_seconds = ring_seconds + ${talked},
    ended_at = answered_at + ${talked} * interval '1 second'
    where company_id = ${companyId} and id = ${call.id}`.execute(tx);
  await sql`update conversation_item i set details = i.details
    || jsonb_build_object('recordingFileId', ${fileId}::bigint, 'duration', c.duration_seconds,
      'recordingSeconds', ${durationMs / 1000}::numeric)
    from call c where i.company_id = ${companyId} and i.source = ${`call:${call.id}`}
    and c.company_id = i.company_id and c.id = ${call.id}`.execute(tx);
  await sql`update conversation v
    set latest_details = v.latest_details || jsonb_build_object('duration', c.duration_seconds)
    from call c where v.company_id = ${companyId}
    and v.id = ${call.conversationId} and v.latest_details ->> 'callId' = ${String(call.id)}
    and c.company_id = v.company_id and c.id = ${call.id}`.execute(tx);
}

/** The voicemail of a call, with its item in the conversation. */
async function insertVoicemail(
  tx: Tx,
  companyId: number,
  call: SpeechPlan['call'],
  { recordingId, fileId, durationMs, at, text }: MadeRecording & { text: string },
): Promise<void> {
  const voicemailId = idAt(at.getTime() + 2);
  const duration = Math.round(durationMs / 1000);
  await insertInBatches(tx, 'voicemail', [
    {
      company_id: companyId,
      id: voicemailId,
      call_id: call.id,
      number_id: call.numberId,
      recording_id: recordingId,
      duration_seconds: duration,
      received_at: at,
    },
  ]);
  const itemId = idAt(at.getTime() + 3);
  const details = {
    callId: call.id,
    voicemailId,
    duration,
    fileId,
    transcription: text,
    transcriptionState: 'ready',
  };
  await insertInBatches(tx, 'conversation_item', [
    {
      company_id: companyId,
      id: itemId,
      conversation_id: call.conversationId,
      number_id: call.numberId,
      kind: 'voicemail',
      is_inbound: true,
      created_at: at,
      read_at: null,
      details,
      text,
      tries: 0,
      source: `voicemail:${voicemailId}`,
    },
  ]);
  await sql`update conversation set unread_voicemails = unread_voicemails + 1,
    latest_item_id = ${itemId}, latest_kind = 'voicemail', latest_at = ${at},
    latest_details = ${JSON.stringify(details)}::jsonb, last_activity_at = ${at}
    where company_id = ${companyId} and id = ${call.conversationId}`.execute(tx);
  await sql`update number_activity set unread = unread + 1
    where company_id = ${companyId} and number_id = ${call.numberId}`.execute(tx);
}
