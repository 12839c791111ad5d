import type {
  CarrierAnswer,
  CarrierRequest,
  CarrierWebhook,
  Hearing,
} from '../../ports/carrier.ts';
import type { LegId, VoiceEvent } from '../../ports/voice.ts';
import { converse as converseWith, lostLeg } from '../converse.ts';
import type { Doing } from '../doing.ts';
import { soundOf } from '../sounds.ts';
import { deliver } from '../tell-leg.ts';
import { causeOf } from './codes.ts';
import { documentFor, isGenuine, webhookPath, type Desk } from './desk.ts';
import { hearWords, type WordsSaid } from './hear-words.ts';
import { askBandwidth } from './voice.ts';
import { readReport } from '../../platform/wire.ts';

/** What we read of Bandwidth's voice events (its document's callback schemas). */
interface Said {
  eventType?: string;
  eventTime?: string;
  callId?: string;
  from?: string;
  to?: string;
  cause?: string;
  answerTime?: string | null;
  digits?: string;
  recordingId?: string;
  transcription?: WordsSaid['transcription'];
  mediaUrl?: string;
  status?: string;
  duration?: string;
  channels?: number;
  displayName?: string;
}
type Words = VoiceEvent extends infer E
  ? E extends unknown
    ? Omit<E, 'call' | 'leg' | 'seq' | 'at'>
    : never
  : never;

export function voiceWebhooks(desk: Desk): CarrierWebhook[] {
  const proven = (
    what: string,
    answer: (said: Said, request: CarrierRequest, hear: Hearing) => Promise<CarrierAnswer>,
  ): CarrierWebhook => ({
    path: webhookPath(what),
    answer: async (request, hear) => {
      if (!isGenuine(desk, request)) return { status: 403 };
      const said = read(request.body);
      return said ? answer(said, request, hear) : { status: 400 };
    },
  });
  const leg = (request: CarrierRequest) => request.query.get('leg') ?? '';
  return [
    // initiate, answer, redirect, transferComplete: whatever wants a document.
    proven('voice', (said, request, hear) =>
      leg(request) ? asks(desk, leg(request), said, hear) : calls(desk, said, hear),
    ),
    proven('voice/gather', (said, request, hear) =>
      hasHeard(desk, leg(request), request.query.get('command') ?? '', said, hear),
    ),
    proven('voice/recording', (said, request, hear) =>
      recorded(desk, leg(request), request.query.get('recording') ?? '', said, hear),
    ),
    proven('voice/status', async (said, request, hear) => {
      await ended(desk, leg(request), said, hear);
      return heard;
    }),
    proven('voice/conference', async () => heard),
    // Words are written down by our own engine; where somebody has Bandwidth do it too, whoever is first is taken.
    proven('voice/transcription', async (said, request, hear) => {
      await hearWords(desk, leg(request), request.query.get('recording') ?? '', said, hear);
      return heard;
    }),
    {
      method: 'GET',
      path: webhookPath('sounds/:name'),
      answer: async ({ params }) => sound(params['name'] ?? ''),
    },
  ];
}
const heard: CarrierAnswer = { status: 204 };
const bxml = (body: string): CarrierAnswer => ({ status: 200, type: 'application/xml', body });
const sound = (name: string): CarrierAnswer => {
  const wav = soundOf(name.replace(/\.wav$/, ''));
  return wav ? { status: 200, type: 'audio/wav', body: wav } : { status: 404 };
};
function read(bytes: Buffer): Said | null {
  try {
    const said: unknown = readReport(bytes);
    return typeof said === 'object' && said !== null && !Array.isArray(said) ? said : null;
  } catch {
    return null;
  }
}

/** Bandwidth numbers nothing; its clock orders what it says of one leg. */
const event = (
  desk: Desk,
  of: { leg: LegId; call: LegId },
  words: Words,
  said: Said,
): VoiceEvent => {
  const at = Date.parse(said.eventTime ?? '') || desk.now().getTime();
  return { ...words, call: of.call, leg: of.leg, seq: at, at } as VoiceEvent;
};
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
    write: async (row, doing) => bxml(await documentFor(desk, row, doing)),
    ask: (row, leaving) => askBandwidth(desk, row, leaving),
  });
const goodbye = async (desk: Desk, leg: LegId): Promise<CarrierAnswer> =>
  bxml(await documentFor(desk, lostLeg(leg), { kind: 'hangup' }));

/** A stranger calls. Bandwidth names the leg; saying it again finds it there. */
async function calls(desk: Desk, said: Said, hear: Hearing): Promise<CarrierAnswer> {
  const leg = said.callId ?? '';
  if (!leg || said.eventType !== 'initiate') return goodbye(desk, leg);
  const from =
    said.from?.startsWith('+') || said.from?.startsWith('sip:') ? said.from : 'anonymous';
  const { row } = await desk.book.open({
    leg,
    call: leg,
    ref: leg,
    from,
    to: said.to ?? '',
    inbound: true,
    state: 'ringing',
    doing: { kind: 'wait' },
  });
  return converse(
    desk,
    row.leg,
    [
      event(
        desk,
        row,
        {
          id: `${leg}:inbound`,
          type: 'inbound',
          from,
          to: said.to ?? '',
          ...(said.displayName ? { callerName: said.displayName } : {}),
        },
        said,
      ),
    ],
    hear,
  );
}

/** A leg asks what to do: a phone we rang that was picked up, or somebody who waits. */
async function asks(desk: Desk, leg: LegId, said: Said, hear: Hearing): Promise<CarrierAnswer> {
  const row = await desk.book.read(leg);
  // Given up meanwhile: who picks up now hears nothing of ours.
  if (!row || row.state === 'ended') return goodbye(desk, leg);
  if (row.inbound) return converse(desk, leg, [], hear);
  if (said.callId) await desk.book.name(leg, said.callId);
  return converse(
    desk,
    leg,
    async () =>
      (await desk.book.moved(leg, 'answered')) || row.doingN === 0
        ? [event(desk, row, { id: `${leg}:answered`, type: 'legAnswered' }, said)]
        : [],
    hear,
  );
}

/** What it heard is over. The same words are not said again while the engine thinks about what follows. */
async function hasHeard(
  desk: Desk,
  leg: LegId,
  command: string,
  said: Said,
  hear: Hearing,
): Promise<CarrierAnswer> {
  const row = await desk.book.read(leg);
  if (!row) return goodbye(desk, leg);
  const digits = said.digits ?? '';
  const reason = digits ? 'digits' : said.eventType === 'gather' ? 'timeout' : 'done';
  return converse(
    desk,
    leg,
    [
      event(
        desk,
        row,
        { id: `${leg}:${command}:heard`, type: 'promptEnded', commandId: command, reason, digits },
        said,
      ),
    ],
    hear,
    (doing) => (doing.kind === 'gather' || doing.kind === 'play') && doing.command === command,
  );
}

/** `recordComplete` asks what to do after a message; `recordingAvailable` says where the sound is. */
async function recorded(
  desk: Desk,
  leg: LegId,
  recordingId: string,
  said: Said,
  hear: Hearing,
): Promise<CarrierAnswer> {
  const row = await desk.book.read(leg);
  if (said.eventType !== 'recordingAvailable')
    return row
      ? converse(
          desk,
          leg,
          [],
          hear,
          (doing) => doing.kind === 'record' && doing.recordingId === recordingId,
        )
      : goodbye(desk, leg);
  if (!row || !said.mediaUrl || !['complete', 'partial', undefined].includes(said.status))
    return heard;
  if (said.recordingId) {
    await desk.book.keep('recording', recordingId, { facts: { leg } });
    await desk.book.change('recording', recordingId, { ref: said.recordingId });
  }
  await hear.voice([
    event(
      desk,
      row,
      {
        id: `${recordingId}:ready`,
        type: 'recordingReady',
        recordingId,
        url: said.mediaUrl,
        contentType: 'audio/wav',
        durationMs: millisecondsOf(said.duration),
        channels: said.channels === 2 ? 2 : 1,
      },
      said,
    ),
  ]);
  return heard;
}

/** A leg is over, whatever else was said of it before or will be after. */
async function ended(desk: Desk, named: string, said: Said, hear: Hearing): Promise<void> {
  const ref = said.callId ?? '';
  const row =
    (named ? await desk.book.name(named, ref) : undefined) ?? (await desk.book.byRef(ref));
  if (said.eventType !== 'disconnect') {
    // Something on the way; cancelled while it was being made, it can be told now that it has a name.
    if (row?.doing.kind === 'hangup')
      await deliver(desk, row.leg, (one, leaving) => askBandwidth(desk, one, leaving)).catch(
        () => {},
      );
    return;
  }
  const of = row ?? { leg: named || ref, call: named || ref };
  const refused = row?.inbound && row.doing.kind === 'reject';
  const cause = refused
    ? 'rejected'
    : row?.inbound
      ? 'hangup'
      : causeOf(said.cause ?? '', row?.state === 'answered' || Boolean(said.answerTime));
  if (row) await desk.book.moved(row.leg, 'ended', cause);
  await hear.voice([event(desk, of, { id: `${of.leg}:ended`, type: 'legEnded', cause }, said)]);
}

/** `PT1M13.67S` and the like. */
export function millisecondsOf(duration: string | undefined): number {
  const [, h = '0', m = '0', s = '0'] =
    /^PT(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?$/.exec(duration ?? '') ??
    [];
  return Math.round((Number(h) * 3600 + Number(m) * 60 + Number(s)) * 1000);
}
