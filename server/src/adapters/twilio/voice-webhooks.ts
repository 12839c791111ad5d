import type {
  CarrierAnswer,
  CarrierRequest,
  CarrierWebhook,
  Hearing,
} from '../../ports/carrier.ts';
import type { LegId, VoiceEvent } from '../../ports/voice.ts';
import { converse as converseWith, lostLeg } from '../converse.ts';
import { causeOf } from './codes.ts';
import { documentFor, pathOf, type Desk } from './desk.ts';
import type { Doing } from '../doing.ts';
import { recordWhatWaits } from './record-call.ts';
import { readSigned } from './signature.ts';
import { soundOf } from '../sounds.ts';
import { deliver } from '../tell-leg.ts';
import { askTwilio } from './voice.ts';

type Fields = Readonly<Record<string, string>>;
type Words = VoiceEvent extends infer E
  ? E extends unknown
    ? Omit<E, 'call' | 'leg' | 'seq' | 'at'>
    : never
  : never;

export function voiceWebhooks(desk: Desk): CarrierWebhook[] {
  const signed = (
    what: string,
    answer: (fields: Fields, request: CarrierRequest, hear: Hearing) => Promise<CarrierAnswer>,
  ): CarrierWebhook => ({
    path: pathOf(what),
    answer: async (request, hear) => {
      const fields = readSigned(request, desk.settings.authToken);
      return fields ? answer(fields, request, hear) : { status: 403 };
    },
  });
  return [
    signed('voice', (fields, request, hear) =>
      request.query.get('leg')
        ? asks(desk, request.query.get('leg')!, fields, hear)
        : calls(desk, fields, hear),
    ),
    signed('voice/status', async (fields, request, hear) => {
      await status(desk, request.query.get('leg'), fields, hear);
      return heard;
    }),
    signed('voice/gather', (fields, request, hear) =>
      hasHeard(
        desk,
        request.query.get('leg') ?? '',
        request.query.get('command') ?? '',
        fields,
        hear,
      ),
    ),
    signed('voice/recording', (fields, request, hear) =>
      recorded(
        desk,
        request.query.get('leg') ?? '',
        request.query.get('recording') ?? '',
        fields,
        hear,
      ),
    ),
    signed('voice/transcription', async (fields, request, hear) => {
      await words(
        desk,
        request.query.get('leg') ?? '',
        request.query.get('recording') ?? '',
        fields,
        hear,
      );
      return heard;
    }),
    signed('voice/dial', (fields, request, hear) =>
      conference(desk, request.query.get('leg') ?? '', fields, hear),
    ),
    {
      method: 'GET',
      path: pathOf('sounds/:name'),
      answer: async ({ params }) => sound(params['name'] ?? ''),
    },
  ];
}
const heard: CarrierAnswer = { status: 204 };
const twiml = (body: string): CarrierAnswer => ({ status: 200, type: 'text/xml', body });
const sound = (name: string): CarrierAnswer => {
  const wav = soundOf(name.replace(/\.wav$/, ''));
  return wav ? { status: 200, type: 'audio/wav', body: wav } : { status: 404 };
};

const event = (
  desk: Desk,
  of: { leg: LegId; call: LegId },
  words: Words,
  seq?: string,
): VoiceEvent =>
  ({
    ...words,
    call: of.call,
    leg: of.leg,
    seq: Number(seq) || 0,
    at: desk.now().getTime(),
  }) as VoiceEvent;

/** Twilio wrote a recording down (its "TranscriptionText", one text for all who spoke). */
async function words(
  desk: Desk,
  leg: LegId,
  recording: string,
  f: Fields,
  hear: Hearing,
): Promise<void> {
  const row = await desk.book.read(leg);
  if (!row || !recording || !['completed', 'failed'].includes(f['TranscriptionStatus'] ?? ''))
    return;
  const ready = f['TranscriptionStatus'] === 'completed';
  await hear.words?.([
    {
      call: row.call,
      recording,
      state: ready ? 'ready' : 'failed',
      engine: 'Twilio',
      language: f['LanguageCode'] ?? 'en-US',
      confidence: null,
      text: ready ? (f['TranscriptionText'] ?? '').trim() : '',
      ...(ready ? {} : { error: 'Twilio could not write it down.' }),
    },
  ]);
}

/** A stranger calls. Twilio names the leg; saying it again finds it there. */
async function calls(desk: Desk, f: Fields, hear: Hearing): Promise<CarrierAnswer> {
  const leg = f['CallSid'] ?? '';
  // A browser that dials by itself is not taken: calls from the app are placed by the product.
  if (!leg || f['From']?.startsWith('client:'))
    return twiml(await documentFor(desk, lostLeg(leg), { kind: 'reject', because: 'declined' }));
  const from = f['From']?.startsWith('+')
    ? f['From']
    : f['From']?.startsWith('sip:')
      ? f['From']
      : 'anonymous';
  const { row } = await desk.book.open({
    leg,
    call: leg,
    ref: leg,
    from,
    to: f['To'] ?? '',
    inbound: true,
    state: 'ringing',
    doing: { kind: 'wait' },
    facts: f['CallToken'] ? { callToken: f['CallToken'] } : {},
  });
  return converse(
    desk,
    row.leg,
    [
      event(desk, row, {
        id: `${leg}:inbound`,
        type: 'inbound',
        from,
        to: f['To'] ?? '',
        ...(f['CallerName'] ? { callerName: f['CallerName'] } : {}),
      }),
    ],
    hear,
  );
}

/** A leg asks what to do: a phone we rang that was picked up, or somebody who waits. */
async function asks(desk: Desk, leg: LegId, f: Fields, hear: Hearing): Promise<CarrierAnswer> {
  const row = await desk.book.read(leg);
  if (!row) return twiml(await documentFor(desk, lostLeg(leg), { kind: 'hangup' }));
  if (row.inbound) return converse(desk, leg, [], hear);
  if (f['CallSid']) await desk.book.name(leg, f['CallSid']);
  return converse(
    desk,
    leg,
    async () =>
      (await desk.book.moved(leg, 'answered')) || row.doingN === 0
        ? [event(desk, row, { id: `${leg}:answered`, type: 'legAnswered' })]
        : [],
    hear,
  );
}

/** What it heard is over. The same words are not said again while the engine thinks about what follows. */
async function hasHeard(
  desk: Desk,
  leg: LegId,
  command: string,
  f: Fields,
  hear: Hearing,
): Promise<CarrierAnswer> {
  const row = await desk.book.read(leg);
  if (!row) return twiml(await documentFor(desk, lostLeg(leg), { kind: 'hangup' }));
  const gathered = row.doing.kind === 'gather' && row.doing.command === command;
  const digits = f['Digits'] ?? '';
  const reason = digits ? 'digits' : gathered || 'Digits' in f ? 'timeout' : 'done';
  return converse(
    desk,
    leg,
    [
      event(desk, row, {
        id: `${leg}:${command}:heard`,
        type: 'promptEnded',
        commandId: command,
        reason,
        digits,
      }),
    ],
    hear,
    (doing) => (doing.kind === 'gather' || doing.kind === 'play') && doing.command === command,
  );
}

async function recorded(
  desk: Desk,
  leg: LegId,
  recordingId: string,
  f: Fields,
  hear: Hearing,
): Promise<CarrierAnswer> {
  const row = await desk.book.read(leg);
  const sid = f['RecordingSid'];
  const ready: VoiceEvent[] = [];
  if (row && sid && f['RecordingUrl'] && f['RecordingStatus'] !== 'absent') {
    await desk.book.keep('recording', recordingId, { ref: sid, facts: { leg } });
    const channels = f['RecordingChannels'] === '2' ? 2 : 1;
    ready.push(
      event(desk, row, {
        id: `${recordingId}:ready`,
        type: 'recordingReady',
        recordingId,
        url: `${f['RecordingUrl']}.wav${channels === 2 ? '?RequestedChannels=2' : ''}`,
        contentType: 'audio/wav',
        durationMs: Math.round(Number(f['RecordingDuration'] ?? 0) * 1000),
        channels,
      }),
    );
  }
  // A file that is done is only reported; the end of a message also asks what to do now.
  if (f['RecordingStatus']) {
    if (ready.length) await hear.voice(ready);
    return heard;
  }
  if (!row) return twiml(await documentFor(desk, lostLeg(leg), { kind: 'hangup' }));
  return converse(
    desk,
    leg,
    ready,
    hear,
    (doing) => doing.kind === 'record' && doing.recordingId === recordingId,
  );
}

/** Somebody joined or left a conference (told about the whole conference), or a leg came out of it and asks what to do. */
async function conference(
  desk: Desk,
  leg: LegId,
  f: Fields,
  hear: Hearing,
): Promise<CarrierAnswer> {
  if (!f['StatusCallbackEvent']) return converse(desk, leg, [], hear);
  const row = f['CallSid'] ? await desk.book.byRef(f['CallSid']) : undefined;
  if (row && f['StatusCallbackEvent'] === 'participant-join') await recordWhatWaits(desk, row.leg);
  if (row && f['StatusCallbackEvent'] === 'participant-leave')
    await desk.book.remember(row.leg, { joined: false });
  return heard;
}

/** Progress of a leg, in whatever order it comes: `SequenceNumber` orders it, and a leg only moves forward. */
async function status(desk: Desk, named: string | null, f: Fields, hear: Hearing): Promise<void> {
  const sid = f['CallSid'] ?? '';
  const row =
    (named ? await desk.book.name(named, sid) : undefined) ?? (await desk.book.byRef(sid));
  const of = row ?? { leg: named ?? sid, call: named ?? sid };
  const said = f['CallStatus'] ?? '';
  if (said === 'ringing' && row && !row.inbound) {
    await desk.book.moved(row.leg, 'ringing');
    await hear.voice([
      event(desk, of, { id: `${of.leg}:ringing`, type: 'legRinging' }, f['SequenceNumber']),
    ]);
  }
  // Cancelled while it was being made: now that it has a name it can be told.
  if (
    row &&
    (said === 'queued' || said === 'initiated' || said === 'ringing') &&
    row.doing.kind === 'hangup'
  )
    await deliver(desk, row.leg, (one, leaving) => askTwilio(desk, one, leaving)).catch(() => {});
  if (!['completed', 'busy', 'no-answer', 'canceled', 'failed'].includes(said)) return;
  const refused = row?.inbound && row.doing.kind === 'reject';
  const cause = refused
    ? 'rejected'
    : row?.inbound
      ? 'hangup'
      : causeOf(said, f['SipResponseCode'], row?.state === 'answered');
  if (row) await desk.book.moved(row.leg, 'ended', cause);
  await hear.voice([
    event(
      desk,
      of,
      {
        id: `${of.leg}:ended`,
        type: 'legEnded',
        cause,
        ...(cause === 'failed' && row && !row.inbound && row.state === 'asked'
          ? { notTaken: 'refused' as const }
          : {}),
      },
      f['SequenceNumber'],
    ),
  ]);
}

/** Hear, then answer with what the leg should do now. */
const converse = (
  desk: Desk,
  leg: LegId,
  events: VoiceEvent[] | (() => Promise<VoiceEvent[]>),
  hear: Hearing,
  over?: (doing: Doing) => boolean,
): Promise<CarrierAnswer> =>
  converseWith(desk, leg, {
    events,
    hear,
    over,
    write: async (row, doing) => twiml(await documentFor(desk, row, doing)),
    ask: (row, leaving) => askTwilio(desk, row, leaving),
  });
