/**
 * A small Bandwidth for tests: takes our voice requests, runs our BXML, plays the far ends, and posts reports with Basic
 * credentials. It is stricter than kind: a call that was not picked up takes no new document (409), what is over is not found
 * when it is changed, recordings want credentials, a verb it does not know ends the call. Seconds pass fifty times faster.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { XMLParser } from 'fast-xml-parser';
import { tone } from '../../../src/exchange/tones.ts';
import { dialSip, type TrunkCall } from '../sip-trunk.ts';
import { bridgeAudio } from '../audio-bridge.ts';
import { writeWav } from '../../../src/platform/audio/wav.ts';
import { sendBadResponse, type BadResponse } from '../twilio-mock/voice-and-messaging.ts';

/** One second of Bandwidth's, in milliseconds. */
const second = 20;
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
interface Verb {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: Verb[];
}
type Body = Record<string, unknown>;

export interface BandwidthCall {
  callId: string;
  from: string;
  to: string;
  direction: 'inbound' | 'outbound';
  state: 'queued' | 'initiated' | 'answered' | 'disconnected';
  cause: string | null;
  answerUrl: string;
  disconnectUrl: string | null;
  tag: string | null;
  enqueuedTime: string;
  answerTime: string | null;
  heard: string[];
  keys: string;
  run: number;
  wake: () => void;
  room: string | null;
  recording: { id: string; url: string; began: number } | null;
  message: { url: string; began: number } | null;
  /** How long its message is; measured when null. */ messageSeconds: number | null;
  /** It was dialled by SIP. */ sip?: TrunkCall;
}
export interface BandwidthFaults {
  twice: boolean;
  reordered: boolean;
  lateMs: number;
  /** So many answers to new calls are lost. */ loseAnswers: number;
  /** Every request is answered 503 and does nothing. */ away: boolean;
  answers: BadResponse;
  /** Calls to these are refused. */ refuses: Set<string>;
  /** Lines by SIP are made, and not dialled. */ trunksLate: boolean;
  /** Sound is handed out when this is over. */ soundWaits: Promise<void> | null;
}

export async function mockBandwidthVoice(options: {
  accountId: string;
  username: string;
  password: string;
  publicUrl: string;
  webhook: { username: string; password: string };
  key: string;
  deliver: (
    path: string,
    body: string,
    headers: Record<string, string>,
  ) => Promise<{ status: number; body: string }>;
}) {
  const calls = new Map<string, BandwidthCall>();
  const rooms = new Map<string, { callback: string; members: Set<string>; id: string }>();
  const recordings = new Map<string, { id: string; callId: string }>();
  /** What was written down of recordings. */
  const transcripts = new Map<string, object>();
  const requests: { method: string; path: string; body: Body }[] = [];
  const documents: string[] = [];
  const errors: string[] = [];
  /** How long a second is where keys are waited for, in milliseconds: longer where the caller is a script and the machine may be slow. */
  const pace = { keys: second };
  const faults: BandwidthFaults = {
    twice: false,
    reordered: false,
    lateMs: 0,
    loseAnswers: 0,
    away: false,
    answers: 'well',
    refuses: new Set(),
    trunksLate: false,
    soundWaits: null,
  };
  const busy = new Set<string>();
  let closed = false;
  const here = `${options.publicUrl}/carriers/bandwidth/${options.key}`;

  // ---- reports ----
  const authorization = `Basic ${Buffer.from(`${options.webhook.username}:${options.webhook.password}`).toString('base64')}`;
  const post = async (address: string, body: Body): Promise<{ status: number; body: string }> => {
    for (let attempt = 0; ; attempt++) {
      const answer = await options.deliver(
        address.slice(options.publicUrl.length),
        JSON.stringify(body),
        { 'content-type': 'application/json', authorization },
      );
      if (answer.status < 500 || attempt === 3 || closed) {
        if (answer.status >= 300) errors.push(`${address} answered ${answer.status}`);
        return answer;
      }
      await pause(100);
    }
  };
  /** What nobody waits for comes late, twice, or in another order. */
  const notify = (address: string, body: Body): void =>
    void (async () => {
      if (faults.lateMs) await pause(faults.lateMs);
      if (faults.reordered) await pause(Math.random() * 120);
      await Promise.all(Array.from({ length: faults.twice ? 2 : 1 }, () => post(address, body)));
    })();
  const about = (call: BandwidthCall, eventType: string): Body => ({
    eventType,
    eventTime: new Date().toISOString(),
    accountId: options.accountId,
    applicationId: 'voice-app',
    callId: call.callId,
    callUrl: `${base()}/accounts/${options.accountId}/calls/${call.callId}`,
    from: call.from,
    to: call.to,
    direction: call.direction,
    startTime: call.enqueuedTime,
    ...(call.answerTime ? { answerTime: call.answerTime } : {}),
    ...(call.tag ? { tag: call.tag } : {}),
  });

  // ---- BXML ----
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: '',
    trimValues: true,
    parseTagValue: false,
  });
  const read = (xml: string): Verb[] => {
    const verbs = (nodes: Record<string, unknown>[]): Verb[] =>
      nodes.flatMap((node) => {
        const name = Object.keys(node).find((key) => key !== ':@');
        if (!name || name.startsWith('#') || name.startsWith('?')) return [];
        const inner = node[name] as Record<string, unknown>[];
        return [
          {
            name,
            attributes: (node[':@'] ?? {}) as Record<string, string>,
            text: inner
              .filter((n) => '#text' in n)
              .map((n) => String(n['#text']))
              .join(''),
            children: verbs(inner),
          },
        ];
      });
    const root = verbs(parser.parse(xml) as Record<string, unknown>[]).find(
      (v) => v.name === 'Bxml' || v.name === 'Response',
    );
    if (!root) throw new Error(`not a document: ${xml.slice(0, 80)}`);
    return root.children;
  };
  const fetchDocument = async (
    call: BandwidthCall,
    verb: Pick<Verb, 'attributes'> | null,
    address: string,
    eventType: string,
    more: Body = {},
  ): Promise<string> => {
    // Reports whose document names no credentials come without them, and are refused: that is ours to see.
    if (
      verb &&
      (verb.attributes['username'] !== options.webhook.username ||
        verb.attributes['password'] !== options.webhook.password)
    )
      errors.push(`a verb names no credentials for ${eventType}`);
    const asked = { ...about(call, eventType), ...more };
    const answers = await Promise.all(
      Array.from({ length: faults.twice ? 2 : 1 }, () => post(address, asked)),
    );
    documents.push(answers[0]!.body);
    return answers[0]!.body;
  };
  const over = (call: BandwidthCall) => call.state === 'disconnected';
  const pickUp = (call: BandwidthCall): void => {
    if (call.state === 'initiated') {
      call.state = 'answered';
      call.answerTime = new Date().toISOString();
    }
  };
  /** Sleep that a key, a new document or a hang-up ends. */
  const sleep = (call: BandwidthCall, ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      call.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  /** Run a document until it ends, is replaced (`run` changes) or the call is over. */
  async function run(call: BandwidthCall, xml: string): Promise<void> {
    const mine = ++call.run;
    const going = () => call.run === mine && !over(call) && !closed;
    leaveRoom(call);
    let document = xml;
    for (let rounds = 0; rounds < 3000 && going(); rounds++) {
      let next: string | null = null;
      for (const verb of read(document)) {
        if (!going()) return;
        next = await perform(call, verb, going);
        if (next !== null) break;
      }
      if (!going()) return;
      if (next === null) return end(call, 'hangup');
      document = next;
    }
  }
  async function perform(
    call: BandwidthCall,
    verb: Verb,
    going: () => boolean,
  ): Promise<string | null> {
    const { attributes: a } = verb;
    if (
      !['Ring', 'Redirect', 'Hangup'].includes(verb.name) ||
      (verb.name === 'Ring' && a['answerCall'] !== 'false')
    )
      pickUp(call);
    switch (verb.name) {
      case 'Ring':
      case 'Pause':
        await sleep(call, Number(a['duration'] ?? (verb.name === 'Ring' ? 5 : 1)) * second);
        return null;
      case 'Redirect':
        return fetchDocument(call, verb, a['redirectUrl']!, 'redirect');
      case 'SpeakSentence':
      case 'PlayAudio':
        call.heard.push(
          verb.name === 'SpeakSentence'
            ? `say ${verb.text}`
            : verb.text.endsWith('/beep.wav')
              ? 'beep'
              : `play ${verb.text.replace(options.publicUrl, '').split('?')[0]}`,
        );
        await sleep(call, verb.text.endsWith('/beep.wav') ? 5 : 100);
        return null;
      case 'SendDtmf':
        call.heard.push(`keys ${verb.text}`);
        return null;
      case 'StartRecording': {
        if (call.recording) errors.push('a recording was begun while one runs');
        const id = `r-${randomUUID()}`;
        recordings.set(id, { id, callId: call.callId });
        call.recording = { id, url: a['recordingAvailableUrl']!, began: Date.now() };
        return null;
      }
      case 'StopRecording':
        recordingDone(call);
        return null;
      case 'Gather': {
        for (const prompt of verb.children)
          if (going() && !call.keys) await perform(call, prompt, going);
        const [most, finish] = [Number(a['maxDigits'] ?? 50), a['terminatingDigits'] ?? ''];
        let until = Date.now() + Number(a['firstDigitTimeout'] ?? 5) * pace.keys;
        let had = call.keys.length;
        const enough = () =>
          call.keys.length >= most || (finish !== '' && call.keys.includes(finish));
        while (going() && !enough() && Date.now() < until) {
          await sleep(call, Math.max(1, until - Date.now()));
          if (call.keys.length > had) {
            had = call.keys.length;
            until = Date.now() + Number(a['interDigitTimeout'] ?? 5) * pace.keys;
          }
        }
        if (!going()) return '';
        const taken = call.keys.slice(0, most);
        call.keys = call.keys.slice(most);
        return fetchDocument(call, verb, a['gatherUrl']!, 'gather', {
          digits: finish === '' ? taken : taken.split(finish)[0]!,
          ...(finish && taken.includes(finish) ? { terminatingDigit: finish } : {}),
        });
      }
      case 'Record': {
        call.message = { url: a['recordingAvailableUrl']!, began: Date.now() };
        while (going() && !call.keys.includes('#')) await sleep(call, 120 * second);
        if (!going()) return '';
        call.keys = '';
        messageDone(call);
        return fetchDocument(call, verb, a['recordCompleteUrl']!, 'recordComplete');
      }
      case 'Conference': {
        const room = rooms.get(verb.text) ?? {
          callback: a['conferenceEventUrl']!,
          members: new Set<string>(),
          id: `conf-${randomUUID()}`,
        };
        rooms.set(verb.text, room);
        room.members.add(call.callId);
        call.room = verb.text;
        call.heard.push(`room ${verb.text}`);
        bridgeAudio([...room.members].flatMap((id) => calls.get(id) ?? []));
        notify(room.callback, {
          eventType: 'conferenceMemberJoin',
          eventTime: new Date().toISOString(),
          conferenceId: room.id,
          name: verb.text,
          callId: call.callId,
          from: call.from,
          to: call.to,
        });
        while (going()) await sleep(call, 600 * second);
        return '';
      }
      case 'Hangup':
        end(call, call.state === 'answered' ? 'hangup' : 'rejected');
        return '';
      default:
        errors.push(`this Bandwidth does not know <${verb.name}>`);
        end(call, 'invalid-bxml');
        return '';
    }
  }
  function leaveRoom(call: BandwidthCall): void {
    const room = call.room === null ? undefined : rooms.get(call.room);
    if (!room) return;
    room.members.delete(call.callId);
    bridgeAudio([call]);
    bridgeAudio([...room.members].flatMap((id) => calls.get(id) ?? []));
    if (!room.members.size) rooms.delete(call.room!);
    notify(room.callback, {
      eventType: 'conferenceMemberExit',
      eventTime: new Date().toISOString(),
      conferenceId: room.id,
      name: call.room,
      callId: call.callId,
      from: call.from,
      to: call.to,
    });
    call.room = null;
  }
  const available = (
    call: BandwidthCall,
    id: string,
    url: string,
    seconds: number,
    channels: number,
  ) => {
    recordings.set(id, { id, callId: call.callId });
    notify(url, {
      ...about(call, 'recordingAvailable'),
      recordingId: id,
      mediaUrl: `${base()}/accounts/${options.accountId}/calls/${call.callId}/recordings/${id}/media`,
      duration: `PT${seconds}S`,
      channels,
      fileFormat: 'wav',
      status: 'complete',
    });
  };
  function messageDone(call: BandwidthCall): void {
    const { url, began } = call.message!;
    call.message = null;
    available(
      call,
      `r-${randomUUID()}`,
      url,
      call.messageSeconds ?? Math.max(1, Math.floor((Date.now() - began) / second)),
      1,
    );
  }
  function recordingDone(call: BandwidthCall): void {
    if (!call.recording) return;
    available(call, call.recording.id, call.recording.url, 7, 2);
    call.recording = null;
  }
  function end(call: BandwidthCall, cause: string): void {
    if (over(call)) return;
    leaveRoom(call);
    call.state = 'disconnected';
    call.cause = cause;
    call.sip?.hangUp();
    call.run++;
    call.wake();
    if (call.message) messageDone(call);
    recordingDone(call);
    if (call.disconnectUrl)
      notify(call.disconnectUrl, {
        ...about(call, 'disconnect'),
        endTime: new Date().toISOString(),
        cause,
      });
  }

  // ---- REST ----
  type Said = { status: number; body?: object; bytes?: Buffer };
  const no = (status: number, description: string): Said => ({
    status,
    body: { type: 'validation', description },
  });
  const seen = (c: BandwidthCall) => ({
    callId: c.callId,
    accountId: options.accountId,
    applicationId: 'voice-app',
    from: c.from,
    to: c.to,
    direction: c.direction,
    state: c.state,
    enqueuedTime: c.enqueuedTime,
    startTime: c.enqueuedTime,
    answerTime: c.answerTime,
    endTime: null,
    disconnectCause: c.cause,
    lastUpdate: c.enqueuedTime,
  });
  function rest(
    method: string,
    path: string,
    query: URLSearchParams,
    body: Body,
    raw: string,
  ): Said {
    const [, callId, what, recordingId, part] =
      /^\/voice\/accounts\/\d+\/calls(?:\/([^/]+))?(?:\/(bxml|recordings))?(?:\/([^/]+))?(?:\/(media|transcription))?$/.exec(
        path,
      ) ?? [];
    if (!path.startsWith('/voice/')) return no(404, `this Bandwidth knows no ${method} ${path}`);
    if (!callId)
      return method === 'POST'
        ? createCall(body)
        : {
            status: 200,
            body: [...calls.values()]
              .filter(
                (c) =>
                  c.direction === 'outbound' &&
                  c.to === query.get('to') &&
                  c.enqueuedTime >= (query.get('minStartTime') ?? ''),
              )
              .map(seen),
          };
    const call = calls.get(callId);
    if (!call) return no(404, 'Call not found');
    if (what === 'recordings') {
      if (!recordings.has(recordingId ?? '')) return no(404, 'Recording not found');
      if (part === 'transcription')
        return transcripts.has(recordingId!)
          ? { status: 200, body: transcripts.get(recordingId!)! }
          : no(404, 'Transcription not found');
      if (method === 'DELETE') {
        recordings.delete(recordingId!);
        return { status: 204 };
      }
      return {
        status: 200,
        bytes: writeWav({ sampleRate: 8000, channels: [tone([440], 500), tone([660], 500)] }),
      };
    }
    if (method === 'GET') return { status: 200, body: seen(call) };
    if (over(call)) return no(404, 'Call not found');
    if (what === 'bxml') {
      if (call.state !== 'answered') return no(409, 'The call is not answered');
      documents.push(raw);
      call.wake();
      void run(call, raw).catch((error: unknown) => {
        errors.push(String(error));
      });
      return { status: 204 };
    }
    if (body['state'] === 'completed') {
      end(
        call,
        call.state === 'answered' ? 'hangup' : call.direction === 'inbound' ? 'rejected' : 'cancel',
      );
      return { status: 200 };
    }
    return no(400, 'not understood');
  }
  function createCall(body: Body): Said {
    const to = String(body['to']);
    if (faults.refuses.has(to)) return no(400, 'The destination cannot be called.');
    const call: BandwidthCall = {
      callId: `c-${randomUUID()}`,
      from: String(body['from']),
      to,
      direction: 'outbound',
      state: 'queued',
      cause: null,
      answerUrl: String(body['answerUrl']),
      disconnectUrl: body['disconnectUrl'] ? String(body['disconnectUrl']) : null,
      tag: body['tag'] ? String(body['tag']) : null,
      enqueuedTime: new Date().toISOString(),
      answerTime: null,
      heard: [],
      keys: '',
      run: 0,
      wake: () => {},
      room: null,
      recording: null,
      message: null,
      messageSeconds: null,
    };
    if (body['username'] !== options.webhook.username)
      errors.push('a call was made without credentials for its reports');
    calls.set(call.callId, call);
    void (async () => {
      await pause(5);
      if (over(call)) return;
      if (call.to.startsWith('sip:')) {
        if (faults.trunksLate) return;
        call.sip = dialSip(call.to, call.from, {
          ringing: () => {
            if (call.state === 'queued') call.state = 'initiated';
          },
          answered: () => answer(call),
          ended: (code) =>
            end(
              call,
              code === 0
                ? 'hangup'
                : code === 486 || code === 600
                  ? 'busy'
                  : code === 480 || code === 408 || code === 487
                    ? 'timeout'
                    : code === 603
                      ? 'rejected'
                      : 'error',
            ),
        });
        return;
      }
      call.state = 'initiated';
      if (busy.has(call.to)) end(call, 'busy');
    })();
    return {
      status: 201,
      body: {
        ...seen(call),
        callUrl: `${base()}/accounts/${options.accountId}/calls/${call.callId}`,
        answerUrl: call.answerUrl,
        answerMethod: 'POST',
        disconnectMethod: 'POST',
      },
    };
  }

  function answer(call: BandwidthCall, keys = ''): void {
    if (over(call)) return;
    call.state = 'answered';
    call.answerTime = new Date().toISOString();
    call.keys = keys;
    void (async () => run(call, await fetchDocument(call, null, call.answerUrl, 'answer')))().catch(
      (error: unknown) => {
        errors.push(String(error));
      },
    );
  }

  const wanted = `Basic ${Buffer.from(`${options.username}:${options.password}`).toString('base64')}`;
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const url = new URL(request.url!, 'http://bandwidth');
      if (url.pathname.endsWith('/media')) await faults.soundWaits;
      const raw = Buffer.concat(chunks).toString();
      const body = raw.startsWith('{') ? (JSON.parse(raw) as Body) : {};
      requests.push({ method: request.method!, path: url.pathname, body });
      const badResponse = url.pathname.startsWith('/voice/') ? faults.answers : 'well';
      if (badResponse === 'tooMany') return void sendBadResponse(badResponse, response);
      const said = faults.away
        ? no(503, 'Service unavailable')
        : request.headers.authorization === wanted
          ? rest(request.method!, url.pathname, url.searchParams, body, raw)
          : no(401, 'Unauthorized');
      if (faults.loseAnswers > 0 && request.method === 'POST' && url.pathname.endsWith('/calls')) {
        faults.loseAnswers--;
        request.socket.destroy();
        return;
      }
      if (sendBadResponse(badResponse, response)) return;
      response.writeHead(said.status, {
        'content-type': said.bytes ? 'audio/vnd.wave' : 'application/json',
      });
      response.end(said.bytes ?? (said.body ? JSON.stringify(said.body) : ''));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const base = () => `http://127.0.0.1:${port}/voice`;

  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    transcripts,
    recordings,
    requests,
    documents,
    errors,
    trouble: faults,
    pace,
    busy,
    rooms,
    post,
    here,
    /** An outside phone calls; resolves at once. */
    callIn(from: string, to: string): BandwidthCall {
      const call: BandwidthCall = {
        callId: `c-${randomUUID()}`,
        from,
        to,
        direction: 'inbound',
        state: 'initiated',
        cause: null,
        answerUrl: `${here}/voice`,
        disconnectUrl: `${here}/voice/status`,
        tag: null,
        enqueuedTime: new Date().toISOString(),
        answerTime: null,
        heard: [],
        keys: '',
        run: 0,
        wake: () => {},
        room: null,
        recording: null,
        message: null,
        messageSeconds: null,
      };
      calls.set(call.callId, call);
      void (async () =>
        run(call, await fetchDocument(call, null, call.answerUrl, 'initiate')))().catch(
        (error: unknown) => {
          errors.push(String(error));
        },
      );
      return call;
    },
    ringing: (to: string) =>
      [...calls.values()].filter(
        (c) => c.direction === 'outbound' && c.to === to && c.state === 'initiated',
      ),
    answer,
    end,
    press(call: BandwidthCall, keys: string): void {
      call.keys += keys;
      call.wake();
    },
    /** Both hear each other: alone together in one conference. */
    talking: (call: BandwidthCall) =>
      call.room !== null && (rooms.get(call.room)?.members.size ?? 0) > 1,
    close: async () => {
      closed = true;
      for (const call of calls.values()) {
        call.wake();
        call.sip?.hangUp();
      }
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
