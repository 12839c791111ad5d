import type {
  WebhookResponse,
  WebhookRequest,
  CarrierWebhook,
  CarrierEventSink,
} from '../../gateways/carrier.ts';
import type { LegId, VoiceEvent } from '../../gateways/voice.ts';
import { answerWebhook as converseWith, unknownLeg } from '../answer-webhook.ts';
import { legEndCause } from './codes.ts';
import { legTwiml, webhookPath, type TwilioClient } from './client.ts';
import type { LegInstruction } from '../leg-instruction.ts';
import { startPendingRecordings } from './record-call.ts';
import { readSignedForm } from './signature.ts';
import { soundFile } from '../sounds.ts';
import { deliverInstruction } from '../sync-leg.ts';
import { updateLeg } from './voice.ts';

type Fields = Readonly<Record<string, string>>;
type EventBody = VoiceEvent extends infer E
  ? E extends unknown
    ? Omit<E, 'call' | 'leg' | 'seq' | 'at'>
    : never
  : never;

export function voiceWebhooks(client: TwilioClient): CarrierWebhook[] {
  const authenticated = (
    path: string,
    answer: (
      fields: Fields,
      request: WebhookRequest,
      sink: CarrierEventSink,
    ) => Promise<WebhookResponse>,
  ): CarrierWebhook => ({
    path: webhookPath(path),
    handle: async (request, sink) => {
      const fields = readSignedForm(request, client.settings.authToken);
      return fields ? answer(fields, request, sink) : { status: 403 };
    },
  });
  return [
    authenticated('voice', (fields, request, sink) =>
      request.query.get('leg')
        ? onInstructionRequest(client, request.query.get('leg')!, fields, sink)
        : onInboundCall(client, fields, sink),
    ),
    authenticated('voice/status', async (fields, request, sink) => {
      await onCallStatus(client, request.query.get('leg'), fields, sink);
      return noContent;
    }),
    authenticated('voice/gather', (fields, request, sink) =>
      onPromptEnded(
        client,
        request.query.get('leg') ?? '',
        request.query.get('command') ?? '',
        fields,
        sink,
      ),
    ),
    authenticated('voice/recording', (fields, request, sink) =>
      onRecording(
        client,
        request.query.get('leg') ?? '',
        request.query.get('recording') ?? '',
        fields,
        sink,
      ),
    ),
    authenticated('voice/transcription', async (fields, request, sink) => {
      await onTranscription(
        client,
        request.query.get('leg') ?? '',
        request.query.get('recording') ?? '',
        fields,
        sink,
      );
      return noContent;
    }),
    authenticated('voice/dial', (fields, request, sink) =>
      onConferenceEvent(client, request.query.get('leg') ?? '', fields, sink),
    ),
    {
      method: 'GET',
      path: webhookPath('sounds/:name'),
      handle: async ({ params }) => soundAnswer(params['name'] ?? ''),
    },
  ];
}
const noContent: WebhookResponse = { status: 204 };
const twimlAnswer = (body: string): WebhookResponse => ({ status: 200, type: 'text/xml', body });
const soundAnswer = (name: string): WebhookResponse => {
  const wav = soundFile(name.replace(/\.wav$/, ''));
  return wav ? { status: 200, type: 'audio/wav', body: wav } : { status: 404 };
};

const voiceEvent = (
  client: TwilioClient,
  target: { leg: LegId; call: LegId },
  body: EventBody,
  seq?: string,
): VoiceEvent =>
  ({
    ...body,
    call: target.call,
    leg: target.leg,
    seq: Number(seq) || 0,
    at: client.now().getTime(),
  }) as VoiceEvent;

/** Twilio wrote a recording down (its "TranscriptionText", one text for all who spoke). */
async function onTranscription(
  client: TwilioClient,
  leg: LegId,
  recording: string,
  fields: Fields,
  sink: CarrierEventSink,
): Promise<void> {
  const row = await client.store.read(leg);
  if (!row || !recording || !['completed', 'failed'].includes(fields['TranscriptionStatus'] ?? ''))
    return;
  const ready = fields['TranscriptionStatus'] === 'completed';
  await sink.onTranscripts?.([
    {
      call: row.call,
      recording,
      state: ready ? 'ready' : 'failed',
      engine: 'Twilio',
      language: fields['LanguageCode'] ?? 'en-US',
      confidence: null,
      text: ready ? (fields['TranscriptionText'] ?? '').trim() : '',
      ...(ready ? {} : { error: 'Twilio couldn’t transcribe it.' }),
    },
  ]);
}

/** A stranger calls. Twilio names the leg; saying it again finds it there. */
async function onInboundCall(
  client: TwilioClient,
  fields: Fields,
  sink: CarrierEventSink,
): Promise<WebhookResponse> {
  const leg = fields['CallSid'] ?? '';
  // A browser that dials by itself is not taken: calls from the app are placed by the product.
  if (!leg || fields['From']?.startsWith('client:'))
    return twimlAnswer(
      await legTwiml(client, unknownLeg(leg), { kind: 'reject', because: 'declined' }),
    );
  const from = fields['From']?.startsWith('+')
    ? fields['From']
    : fields['From']?.startsWith('sip:')
      ? fields['From']
      : 'anonymous';
  const { row } = await client.store.open({
    leg,
    call: leg,
    ref: leg,
    from,
    to: fields['To'] ?? '',
    inbound: true,
    state: 'ringing',
    doing: { kind: 'wait' },
    facts: fields['CallToken'] ? { callToken: fields['CallToken'] } : {},
  });
  return answerLeg(
    client,
    row.leg,
    [
      voiceEvent(client, row, {
        id: `${leg}:inbound`,
        type: 'inbound',
        from,
        to: fields['To'] ?? '',
        ...(fields['CallerName'] ? { callerName: fields['CallerName'] } : {}),
      }),
    ],
    sink,
  );
}

/** A leg asks what to do: a phone we rang that was picked up, or somebody who waits. */
async function onInstructionRequest(
  client: TwilioClient,
  leg: LegId,
  fields: Fields,
  sink: CarrierEventSink,
): Promise<WebhookResponse> {
  const row = await client.store.read(leg);
  if (!row) return twimlAnswer(await legTwiml(client, unknownLeg(leg), { kind: 'hangup' }));
  if (row.inbound) return answerLeg(client, leg, [], sink);
  if (fields['CallSid']) await client.store.setRef(leg, fields['CallSid']);
  return answerLeg(
    client,
    leg,
    async () =>
      (await client.store.advance(leg, 'answered')) || row.doingN === 0
        ? [voiceEvent(client, row, { id: `${leg}:answered`, type: 'legAnswered' })]
        : [],
    sink,
  );
}

/** What it heard is over. The same words are not said again while the engine thinks about what follows. */
async function onPromptEnded(
  client: TwilioClient,
  leg: LegId,
  command: string,
  fields: Fields,
  sink: CarrierEventSink,
): Promise<WebhookResponse> {
  const row = await client.store.read(leg);
  if (!row) return twimlAnswer(await legTwiml(client, unknownLeg(leg), { kind: 'hangup' }));
  const gathered = row.doing.kind === 'gather' && row.doing.command === command;
  const digits = fields['Digits'] ?? '';
  const reason = digits ? 'digits' : gathered || 'Digits' in fields ? 'timeout' : 'done';
  return answerLeg(
    client,
    leg,
    [
      voiceEvent(client, row, {
        id: `${leg}:${command}:heard`,
        type: 'promptEnded',
        commandId: command,
        reason,
        digits,
      }),
    ],
    sink,
    (instruction) =>
      (instruction.kind === 'gather' || instruction.kind === 'play') &&
      instruction.command === command,
  );
}

async function onRecording(
  client: TwilioClient,
  leg: LegId,
  recordingId: string,
  fields: Fields,
  sink: CarrierEventSink,
): Promise<WebhookResponse> {
  const row = await client.store.read(leg);
  const sid = fields['RecordingSid'];
  const ready: VoiceEvent[] = [];
  if (row && sid && fields['RecordingUrl'] && fields['RecordingStatus'] !== 'absent') {
    await client.store.put('recording', recordingId, { ref: sid, facts: { leg } });
    const channels = fields['RecordingChannels'] === '2' ? 2 : 1;
    ready.push(
      voiceEvent(client, row, {
        id: `${recordingId}:ready`,
        type: 'recordingReady',
        recordingId,
        url: `${fields['RecordingUrl']}.wav${channels === 2 ? '?RequestedChannels=2' : ''}`,
        contentType: 'audio/wav',
        durationMs: Math.round(Number(fields['RecordingDuration'] ?? 0) * 1000),
        channels,
      }),
    );
  }
  // A file that is done is only reported; the end of a message also asks what to do now.
  if (fields['RecordingStatus']) {
    if (ready.length) await sink.onVoiceEvents(ready);
    return noContent;
  }
  if (!row) return twimlAnswer(await legTwiml(client, unknownLeg(leg), { kind: 'hangup' }));
  return answerLeg(
    client,
    leg,
    ready,
    sink,
    (instruction) => instruction.kind === 'record' && instruction.recordingId === recordingId,
  );
}

/** Somebody joined or left a conference (told about the whole conference), or a leg came out of it and asks what to do. */
async function onConferenceEvent(
  client: TwilioClient,
  leg: LegId,
  fields: Fields,
  sink: CarrierEventSink,
): Promise<WebhookResponse> {
  if (!fields['StatusCallbackEvent']) return answerLeg(client, leg, [], sink);
  const row = fields['CallSid'] ? await client.store.byRef(fields['CallSid']) : undefined;
  if (row && fields['StatusCallbackEvent'] === 'participant-join')
    await startPendingRecordings(client, row.leg);
  if (row && fields['StatusCallbackEvent'] === 'participant-leave')
    await client.store.mergeFacts(row.leg, { joined: false });
  return noContent;
}

/** Progress of a leg, in whatever order it comes: `SequenceNumber` orders it, and a leg only moves forward. */
async function onCallStatus(
  client: TwilioClient,
  legName: string | null,
  fields: Fields,
  sink: CarrierEventSink,
): Promise<void> {
  const sid = fields['CallSid'] ?? '';
  const row =
    (legName ? await client.store.setRef(legName, sid) : undefined) ??
    (await client.store.byRef(sid));
  const target = row ?? { leg: legName ?? sid, call: legName ?? sid };
  const said = fields['CallStatus'] ?? '';
  if (said === 'ringing' && row && !row.inbound) {
    await client.store.advance(row.leg, 'ringing');
    await sink.onVoiceEvents([
      voiceEvent(
        client,
        target,
        { id: `${target.leg}:ringing`, type: 'legRinging' },
        fields['SequenceNumber'],
      ),
    ]);
  }
  // Cancelled while it was being made: now that it has a name it can be told.
  if (
    row &&
    (said === 'queued' || said === 'initiated' || said === 'ringing') &&
    row.doing.kind === 'hangup'
  )
    await deliverInstruction(client, row.leg, (one, leaving) =>
      updateLeg(client, one, leaving),
    ).catch(() => {});
  if (!['completed', 'busy', 'no-answer', 'canceled', 'failed'].includes(said)) return;
  const refused = row?.inbound && row.doing.kind === 'reject';
  const cause = refused
    ? 'rejected'
    : row?.inbound
      ? 'hangup'
      : legEndCause(said, fields['SipResponseCode'], row?.state === 'answered');
  if (row) await client.store.advance(row.leg, 'ended', cause);
  await sink.onVoiceEvents([
    voiceEvent(
      client,
      target,
      {
        id: `${target.leg}:ended`,
        type: 'legEnded',
        cause,
        ...(cause === 'failed' && row && !row.inbound && row.state === 'asked'
          ? { notTaken: 'refused' as const }
          : {}),
      },
      fields['SequenceNumber'],
    ),
  ]);
}

/** Hear, then answer with what the leg should do now. */
const answerLeg = (
  client: TwilioClient,
  leg: LegId,
  events: VoiceEvent[] | (() => Promise<VoiceEvent[]>),
  sink: CarrierEventSink,
  isFinished?: (instruction: LegInstruction) => boolean,
): Promise<WebhookResponse> =>
  converseWith(client, leg, {
    events,
    sink,
    isFinished,
    writeAnswer: async (row, instruction) => twimlAnswer(await legTwiml(client, row, instruction)),
    updateLeg: (row, leaving) => updateLeg(client, row, leaving),
  });
