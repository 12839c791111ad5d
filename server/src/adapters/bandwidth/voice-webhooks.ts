import { readParty } from '#contract/read-party';
import type {
  WebhookResponse,
  WebhookRequest,
  CarrierWebhook,
  CarrierEventSink,
} from '../../gateways/carrier.ts';
import type { LegId, VoiceEvent } from '../../gateways/voice.ts';
import { answerWebhook, unknownLeg } from '../shared/answer-webhook.ts';
import type { LegInstruction } from '../shared/leg-instruction.ts';
import { soundFile } from '../shared/sounds.ts';
import { onCallStatus } from './call-status.ts';
import { legBxml, isAuthentic, webhookPath, type BandwidthClient } from './client.ts';
import { receiveTranscription } from './transcription-webhook.ts';
import {
  millisecondsOf,
  parseEvent,
  voiceEvent,
  type BandwidthVoiceEvent,
} from './voice-events.ts';
import { updateLeg } from './voice.ts';

/** All voice webhooks, authenticated by URL and password. */
export function voiceWebhooks(client: BandwidthClient): CarrierWebhook[] {
  const authenticated = (
    path: string,
    answer: (
      event: BandwidthVoiceEvent,
      request: WebhookRequest,
      sink: CarrierEventSink,
    ) => Promise<WebhookResponse>,
  ): CarrierWebhook => ({
    path: webhookPath(path),
    handle: async (request, sink) => {
      if (!isAuthentic(client, request)) return { status: 403 };
      const event = parseEvent(request.body);
      return event ? answer(event, request, sink) : { status: 400 };
    },
  });
  const legOf = (request: WebhookRequest) => request.query.get('leg') ?? '';
  return [
    // initiate, answer, redirect, transferComplete: events that need a document in response.
    authenticated('voice', (event, request, sink) =>
      legOf(request)
        ? onInstructionRequest(client, legOf(request), event, sink)
        : onInboundCall(client, event, sink),
    ),
    authenticated('voice/gather', (event, request, sink) =>
      onPromptEnded(client, legOf(request), request.query.get('command') ?? '', event, sink),
    ),
    authenticated('voice/recording', (event, request, sink) =>
      onRecording(client, legOf(request), request.query.get('recording') ?? '', event, sink),
    ),
    authenticated('voice/status', async (event, request, sink) => {
      await onCallStatus(client, legOf(request), event, sink);
      return noContent;
    }),
    authenticated('voice/conference', async () => noContent),
    // Our own engine transcribes. Where Bandwidth does, too, the first result is used.
    authenticated('voice/transcription', async (event, request, sink) => {
      await receiveTranscription(
        client,
        legOf(request),
        request.query.get('recording') ?? '',
        event,
        sink,
      );
      return noContent;
    }),
    {
      method: 'GET',
      path: webhookPath('sounds/:name'),
      handle: async ({ params }) => soundAnswer(params['name'] ?? ''),
    },
  ];
}
const noContent: WebhookResponse = { status: 204 };
const bxmlAnswer = (body: string): WebhookResponse => ({
  status: 200,
  type: 'application/xml',
  body,
});
const soundAnswer = (name: string): WebhookResponse => {
  const wav = soundFile(name.replace(/\.wav$/, ''));
  return wav ? { status: 200, type: 'audio/wav', body: wav } : { status: 404 };
};
const answerLeg = (
  client: BandwidthClient,
  leg: LegId,
  events: VoiceEvent[] | (() => Promise<VoiceEvent[]>),
  sink: CarrierEventSink,
  isFinished?: (instruction: LegInstruction) => boolean,
): Promise<WebhookResponse> =>
  answerWebhook(client, leg, {
    events,
    sink,
    isFinished,
    writeAnswer: async (row, instruction) => bxmlAnswer(await legBxml(client, row, instruction)),
    updateLeg: (row, leaving) => updateLeg(client, row, leaving),
  });
const answerHangup = async (client: BandwidthClient, leg: LegId): Promise<WebhookResponse> =>
  bxmlAnswer(await legBxml(client, unknownLeg(leg), { kind: 'hangup' }));

/** An inbound call. Bandwidth's call id is the leg's, so a repeated webhook finds it. */
async function onInboundCall(
  client: BandwidthClient,
  event: BandwidthVoiceEvent,
  sink: CarrierEventSink,
): Promise<WebhookResponse> {
  const leg = event.callId ?? '';
  if (!leg || event.eventType !== 'initiate') return answerHangup(client, leg);
  const from = readParty(event.from);
  const { row } = await client.store.open({
    leg,
    call: leg,
    ref: leg,
    from,
    to: event.to ?? '',
    inbound: true,
    state: 'ringing',
    doing: { kind: 'wait' },
  });
  return answerLeg(
    client,
    row.leg,
    [
      voiceEvent(
        client,
        row,
        {
          id: `${leg}:inbound`,
          type: 'inbound',
          from,
          to: event.to ?? '',
          ...(event.displayName ? { callerName: event.displayName } : {}),
        },
        event,
      ),
    ],
    sink,
  );
}

/** A leg requests its instruction: a phone we rang has answered, or a waiting leg polls. */
async function onInstructionRequest(
  client: BandwidthClient,
  leg: LegId,
  event: BandwidthVoiceEvent,
  sink: CarrierEventSink,
): Promise<WebhookResponse> {
  const row = await client.store.read(leg);
  // The leg was cancelled meanwhile.
  if (!row || row.state === 'ended') return answerHangup(client, leg);
  if (row.inbound) return answerLeg(client, leg, [], sink);
  if (event.callId) await client.store.setRef(leg, event.callId);
  return answerLeg(
    client,
    leg,
    async () =>
      (await client.store.advance(leg, 'answered')) || row.doingN === 0
        ? [voiceEvent(client, row, { id: `${leg}:answered`, type: 'legAnswered' }, event)]
        : [],
    sink,
  );
}

/** A prompt has ended. It is not played again while the engine decides what follows. */
async function onPromptEnded(
  client: BandwidthClient,
  leg: LegId,
  command: string,
  event: BandwidthVoiceEvent,
  sink: CarrierEventSink,
): Promise<WebhookResponse> {
  const row = await client.store.read(leg);
  if (!row) return answerHangup(client, leg);
  const digits = event.digits ?? '';
  const reason = digits ? 'digits' : event.eventType === 'gather' ? 'timeout' : 'done';
  return answerLeg(
    client,
    leg,
    [
      voiceEvent(
        client,
        row,
        { id: `${leg}:${command}:heard`, type: 'promptEnded', commandId: command, reason, digits },
        event,
      ),
    ],
    sink,
    (instruction) =>
      (instruction.kind === 'gather' || instruction.kind === 'play') &&
      instruction.command === command,
  );
}

/**
 * `recordComplete` requests what follows a voicemail; `recordingAvailable` has the URL of the file.
 */
async function onRecording(
  client: BandwidthClient,
  leg: LegId,
  recordingId: string,
  event: BandwidthVoiceEvent,
  sink: CarrierEventSink,
): Promise<WebhookResponse> {
  const row = await client.store.read(leg);
  if (event.eventType !== 'recordingAvailable')
    return row
      ? answerLeg(
          client,
          leg,
          [],
          sink,
          (instruction) => instruction.kind === 'record' && instruction.recordingId === recordingId,
        )
      : answerHangup(client, leg);
  if (!row || !event.mediaUrl || !['complete', 'partial', undefined].includes(event.status))
    return noContent;
  if (event.recordingId) {
    await client.store.put('recording', recordingId, { facts: { leg } });
    await client.store.change('recording', recordingId, { ref: event.recordingId });
  }
  await sink.onVoiceEvents([
    voiceEvent(
      client,
      row,
      {
        id: `${recordingId}:ready`,
        type: 'recordingReady',
        recordingId,
        url: event.mediaUrl,
        contentType: 'audio/wav',
        durationMs: millisecondsOf(event.duration),
        channels: event.channels === 2 ? 2 : 1,
      },
      event,
    ),
  ]);
  return noContent;
}
