import { readParty } from '#contract/read-party';
import type {
  WebhookResponse,
  WebhookRequest,
  CarrierWebhook,
  CarrierEventSink,
} from '../../gateways/carrier.ts';
import type { LegId, VoiceEvent } from '../../gateways/voice.ts';
import { answerWebhook, unknownLeg } from '../shared/answer-webhook.ts';
import { onCallStatus } from './call-status.ts';
import { legTwiml, webhookPath, type TwilioClient } from './client.ts';
import type { LegInstruction } from '../shared/leg-instruction.ts';
import { startPendingRecordings } from './record-call.ts';
import { readSignedForm } from './signature.ts';
import { soundFile } from '../shared/sounds.ts';
import { onTranscription } from './transcription-webhook.ts';
import { voiceEvent, type Fields } from './voice-events.ts';
import { updateLeg } from './voice.ts';

/** All voice webhooks; requests without Twilio's signature are answered 403. */
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
  const legOf = (request: WebhookRequest) => request.query.get('leg') ?? '';
  const recordingOf = (request: WebhookRequest) => request.query.get('recording') ?? '';
  return [
    authenticated('voice', (fields, request, sink) =>
      legOf(request)
        ? onInstructionRequest(client, legOf(request), fields, sink)
        : onInboundCall(client, fields, sink),
    ),
    authenticated('voice/status', async (fields, request, sink) => {
      await onCallStatus(client, request.query.get('leg'), fields, sink);
      return noContent;
    }),
    authenticated('voice/gather', (fields, request, sink) => {
      const command = request.query.get('command') ?? '';
      return onPromptEnded(client, legOf(request), command, fields, sink);
    }),
    authenticated('voice/recording', (fields, request, sink) =>
      onRecording(client, legOf(request), recordingOf(request), fields, sink),
    ),
    authenticated('voice/transcription', async (fields, request, sink) => {
      await onTranscription(client, legOf(request), recordingOf(request), fields, sink);
      return noContent;
    }),
    authenticated('voice/dial', (fields, request, sink) =>
      onConferenceEvent(client, legOf(request), fields, sink),
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

/** An inbound call. Twilio's call id is the leg's, so a repeated webhook finds it. */
async function onInboundCall(
  client: TwilioClient,
  fields: Fields,
  sink: CarrierEventSink,
): Promise<WebhookResponse> {
  const leg = fields['CallSid'] ?? '';
  // A browser may not dial through Twilio: calls from the app are placed by the product.
  if (!leg || fields['From']?.startsWith('client:'))
    return twimlAnswer(
      await legTwiml(client, unknownLeg(leg), { kind: 'reject', because: 'declined' }),
    );
  const from = readParty(fields['From'], fields['SipHeader_Privacy']);
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

/** A leg requests its instruction: a phone we rang has answered, or a waiting leg polls. */
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

/** A prompt has ended. It is not played again while the engine decides what follows. */
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
  // With a status, only the finished file is reported; without one, Twilio also requests what
  // follows.
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

/**
 * A leg joined or left a conference, or (without an event) has left it and requests its
 * instruction.
 */
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

/** Reports the events and responds with the leg's instruction. */
const answerLeg = (
  client: TwilioClient,
  leg: LegId,
  events: VoiceEvent[] | (() => Promise<VoiceEvent[]>),
  sink: CarrierEventSink,
  isFinished?: (instruction: LegInstruction) => boolean,
): Promise<WebhookResponse> =>
  answerWebhook(client, leg, {
    events,
    sink,
    isFinished,
    writeAnswer: async (row, instruction) => twimlAnswer(await legTwiml(client, row, instruction)),
    updateLeg: (row, leaving) => updateLeg(client, row, leaving),
  });
