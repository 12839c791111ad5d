/**
 * A small Twilio for tests: takes our REST requests, runs our TwiML, plays the far ends, and posts signed webhooks. It is
 * stricter than kind: a call that was not picked up cannot be redirected (21220), what is over is not found, recordings want
 * credentials. Seconds pass fifty times faster in it.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { XMLParser } from 'fast-xml-parser';
import { tone } from '../../../src/exchange/tones.ts';
import { dialSip, type TrunkCall } from '../sip-trunk.ts';
import { bridgeAudio } from '../audio-bridge.ts';
import { writeWav } from '../../../src/platform/audio/wav.ts';

/** One second of Twilio's, in milliseconds. */
const second = 20;
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const sidOf = (kind: string) => kind + randomBytes(16).toString('hex');
type Form = Record<string, string>;
interface Verb {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: Verb[];
}

export interface SimulatedCall {
  sid: string;
  from: string;
  to: string;
  direction: 'inbound' | 'outbound-api';
  status: string;
  url: string;
  statusCallback: string | null;
  createdAt: Date;
  sequence: number;
  token: string | null;
  heard: string[];
  keys: string;
  run: number;
  wake: () => void;
  room: string | null;
  recording: { sid: string; callback: string; began: number } | null;
  message: { action: string; callback: string; began: number } | null;
  /** How long its message is; measured when null. */ messageSeconds: number | null;
  /** It was dialled by SIP. */ sip?: TrunkCall;
}
interface Message {
  sid: string;
  from: string;
  to: string;
  body: string;
  status: string;
  callback: string | null;
  createdAt: Date;
  media: string[];
}
export interface TwilioFaults {
  twice: boolean;
  reordered: boolean;
  lateMs: number;
  /** So many answers to new ones are lost. */ loseAnswers: {
    calls: number;
    texts: number;
    recordings: number;
  };
  /** Every request is answered 503 and does nothing. */ away: boolean;
  answers: BadResponse;
  /** Lines by SIP are made, and not dialled. */ trunksLate: boolean;
}
/** How requests about calls are answered: `tooMany` does nothing and wants 20 seconds of peace; the others do what was asked, and then talk nonsense or never come to an end. */
export type BadResponse = 'well' | 'tooMany' | 'nonsense' | 'drip';
/** Answer badly. True when it did. */
export function sendBadResponse(how: BadResponse, response: ServerResponse): boolean {
  if (how === 'well') return false;
  response.writeHead(how === 'tooMany' ? 429 : 200, {
    'content-type': how === 'nonsense' ? 'text/html' : 'application/json',
    ...(how === 'tooMany' ? { 'retry-after': '20' } : {}),
  });
  if (how === 'tooMany') response.end('{"code":20429,"message":"Too Many Requests","status":429}');
  else if (how === 'nonsense') response.end('<html><body>Welcome to our proxy</body></html>');
  else {
    const drop = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(drop));
  }
  return true;
}

export async function mockTwilio(options: {
  accountSid: string;
  authToken: string;
  publicUrl: string;
  deliver: (
    path: string,
    body: string,
    headers: Record<string, string>,
  ) => Promise<{ status: number; body: string }>;
}) {
  const calls = new Map<string, SimulatedCall>();
  const rooms = new Map<string, { callback: string; members: Set<string>; sid: string }>();
  const messages = new Map<string, Message>();
  const recordings = new Map<string, { sid: string; status: string; callSid: string }>();
  const owned = new Map<string, { sid: string; form: Form }>();
  const requests: { method: string; path: string; form: Form; host: string }[] = [];
  const documents: string[] = [];
  const errors: string[] = [];
  /** How long a second is where keys are waited for, in milliseconds: longer where the caller is a script and the machine may be slow. */
  const pace = { keys: second };
  const faults: TwilioFaults = {
    twice: false,
    reordered: false,
    lateMs: 0,
    loseAnswers: { calls: 0, texts: 0, recordings: 0 },
    away: false,
    answers: 'well',
    trunksLate: false,
  };
  /** Destinations that are in use, refuse texts (by error code), or cannot be called. */
  const busy = new Set<string>();
  const rejectsTexts = new Map<string, number>();
  let closed = false;
  const waiting = new Set<Promise<unknown>>();
  const track = <T>(work: Promise<T>): Promise<T> => {
    waiting.add(work);
    void work.finally(() => waiting.delete(work)).catch(() => {});
    return work;
  };

  // ---- webhooks ----
  const post = async (address: string, form: Form): Promise<{ status: number; body: string }> => {
    const signed =
      address +
      Object.keys(form)
        .sort()
        .map((key) => key + form[key])
        .join('');
    const signature = createHmac('sha1', options.authToken).update(signed).digest('base64');
    const path = address.slice(options.publicUrl.length);
    for (let attempt = 0; ; attempt++) {
      const answer = await options.deliver(path, new URLSearchParams(form).toString(), {
        'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
        'x-twilio-signature': signature,
      });
      if (answer.status < 500 || attempt === 3 || closed) {
        if (answer.status >= 300) errors.push(`${path} answered ${answer.status}`);
        return answer;
      }
      await pause(100);
    }
  };
  /** What nobody waits for comes late, twice, or in another order. */
  const notify = (address: string, form: Form): void => {
    void track(
      (async () => {
        if (faults.lateMs) await pause(faults.lateMs);
        if (faults.reordered) await pause(Math.random() * 120);
        await Promise.all(Array.from({ length: faults.twice ? 2 : 1 }, () => post(address, form)));
      })(),
    );
  };
  const about = (call: SimulatedCall): Form => ({
    AccountSid: options.accountSid,
    ApiVersion: '2010-04-01',
    CallSid: call.sid,
    CallStatus: call.status,
    Direction: call.direction,
    From: call.from,
    To: call.to,
    ...(call.token ? { CallToken: call.token } : {}),
  });
  const report = (call: SimulatedCall, status: string, more: Form = {}): void => {
    if (call.statusCallback)
      notify(call.statusCallback, {
        ...about(call),
        CallStatus: status,
        SequenceNumber: String(call.sequence++),
        Timestamp: new Date().toUTCString(),
        CallbackSource: 'call-progress-events',
        ...more,
      });
  };

  // ---- TwiML ----
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: '',
    trimValues: true,
  });
  const read = (xml: string): Verb[] => {
    const verbs = (nodes: Record<string, unknown>[]): Verb[] =>
      nodes.flatMap((node) => {
        const name = Object.keys(node).find((key) => key !== ':@');
        if (!name || name === '#text' || name === '?xml') return [];
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
    return (
      verbs(parser.parse(xml) as Record<string, unknown>[]).find((v) => v.name === 'Response')
        ?.children ?? []
    );
  };
  const fetchDocument = async (
    call: SimulatedCall,
    address: string,
    form: Form = {},
  ): Promise<string> => {
    const asked = { ...about(call), ...form };
    const answers = await Promise.all(
      Array.from({ length: faults.twice ? 2 : 1 }, () => post(address, asked)),
    );
    documents.push(answers[0]!.body);
    return answers[0]!.body;
  };
  const over = (call: SimulatedCall) =>
    ['completed', 'busy', 'no-answer', 'canceled', 'failed'].includes(call.status);
  const pickUp = (call: SimulatedCall): void => {
    if (call.status === 'ringing') call.status = 'in-progress';
  };
  /** Sleep that a key, a redirect or a hang-up ends. */
  const sleep = (call: SimulatedCall, ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      call.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  /** Run a document until it ends, is replaced (`run` changes) or the call is over. */
  async function run(call: SimulatedCall, xml: string): Promise<void> {
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
      if (next === null) return end(call, 'completed');
      document = next;
    }
  }
  async function perform(
    call: SimulatedCall,
    verb: Verb,
    going: () => boolean,
  ): Promise<string | null> {
    const { attributes: a } = verb;
    switch (verb.name) {
      case 'Pause':
        await sleep(call, Number(a['length'] ?? 1) * second);
        return null;
      case 'Redirect':
        return fetchDocument(call, verb.text);
      case 'Say':
      case 'Play':
        pickUp(call);
        call.heard.push(
          verb.name === 'Say'
            ? `say ${verb.text}`
            : a['digits']
              ? `keys ${a['digits']}`
              : `play ${verb.text.replace(options.publicUrl, '').split('?')[0]}`,
        );
        if (a['loop'] === '0') while (going()) await sleep(call, 60 * second);
        else await sleep(call, a['digits'] ? 5 : 100);
        return null;
      case 'Gather': {
        pickUp(call);
        for (const prompt of verb.children)
          if (going() && !call.keys) await perform(call, prompt, going);
        const until = Date.now() + Number(a['timeout'] ?? 5) * pace.keys;
        const most = Number(a['numDigits'] ?? 1);
        const finish = a['finishOnKey'] ?? '#';
        const enough = () =>
          call.keys.length >= most || (finish !== '' && call.keys.includes(finish));
        while (going() && !enough() && Date.now() < until)
          await sleep(call, Math.max(1, until - Date.now()));
        if (!going()) return '';
        const taken = call.keys.slice(0, most);
        call.keys = call.keys.slice(most);
        const digits = finish === '' ? taken : taken.split(finish)[0]!;
        if (!taken && a['actionOnEmptyResult'] !== 'true') return null;
        return fetchDocument(call, a['action']!, { Digits: digits });
      }
      case 'Record': {
        pickUp(call);
        call.heard.push('beep');
        call.message = {
          action: a['action']!,
          callback: a['recordingStatusCallback']!,
          began: Date.now(),
        };
        while (going() && !call.keys.includes('#')) await sleep(call, 120 * second);
        if (!going()) return '';
        call.keys = '';
        return fetchDocument(call, call.message.action, await messageDone(call));
      }
      case 'Dial': {
        const conference = verb.children.find((c) => c.name === 'Conference');
        if (!conference) throw new Error('this Twilio dials conferences only');
        pickUp(call);
        call.room = conference.text;
        const room = rooms.get(conference.text) ?? {
          callback: conference.attributes['statusCallback']!,
          members: new Set<string>(),
          sid: sidOf('CF'),
        };
        rooms.set(conference.text, room);
        room.members.add(call.sid);
        call.heard.push(`room ${conference.text}`);
        bridgeAudio([...room.members].flatMap((sid) => calls.get(sid) ?? []));
        notify(room.callback, {
          AccountSid: options.accountSid,
          ConferenceSid: room.sid,
          CallSid: call.sid,
          StatusCallbackEvent: 'participant-join',
          SequenceNumber: '1',
        });
        while (going()) await sleep(call, 600 * second);
        return '';
      }
      case 'Hangup':
        end(call, 'completed');
        return '';
      case 'Reject':
        end(call, a['reason'] === 'busy' ? 'busy' : 'no-answer');
        return '';
      default:
        throw new Error(`this Twilio does not know <${verb.name}>`);
    }
  }
  function leaveRoom(call: SimulatedCall): void {
    const room = call.room === null ? undefined : rooms.get(call.room);
    if (!room) return;
    room.members.delete(call.sid);
    call.room = null;
    bridgeAudio([call]);
    bridgeAudio([...room.members].flatMap((sid) => calls.get(sid) ?? []));
    notify(room.callback, {
      AccountSid: options.accountSid,
      ConferenceSid: room.sid,
      CallSid: call.sid,
      StatusCallbackEvent: 'participant-leave',
      SequenceNumber: '2',
    });
  }
  async function messageDone(call: SimulatedCall): Promise<Form> {
    const { callback, began } = call.message!;
    call.message = null;
    const sid = sidOf('RE');
    recordings.set(sid, { sid, status: 'completed', callSid: call.sid });
    const form = {
      RecordingSid: sid,
      RecordingUrl: `https://api.twilio.com/2010-04-01/Accounts/${options.accountSid}/Recordings/${sid}`,
      RecordingDuration: String(
        call.messageSeconds ?? Math.max(1, Math.floor((Date.now() - began) / second)),
      ),
    };
    notify(callback, {
      ...about(call),
      ...form,
      RecordingStatus: 'completed',
      RecordingChannels: '1',
      RecordingSource: 'RecordVerb',
    });
    return form;
  }
  function end(call: SimulatedCall, status: string, sip?: string): void {
    if (over(call)) return;
    const message = call.message;
    leaveRoom(call);
    call.status = status;
    call.sip?.hangUp();
    call.run++;
    call.wake();
    if (message)
      void track(
        (async () => {
          call.message = message;
          const form = await messageDone(call);
          await post(message.action, { ...about(call), ...form });
        })(),
      );
    if (call.recording) {
      const { sid, callback } = call.recording;
      recordings.get(sid)!.status = 'completed';
      notify(callback, {
        ...about(call),
        RecordingSid: sid,
        RecordingUrl: `https://api.twilio.com/2010-04-01/Accounts/${options.accountSid}/Recordings/${sid}`,
        RecordingStatus: 'completed',
        RecordingDuration: '7',
        RecordingChannels: '2',
        RecordingSource: 'StartCallRecordingAPI',
      });
    }
    report(call, status, { CallDuration: '1', ...(sip ? { SipResponseCode: sip } : {}) });
  }

  // ---- REST ----
  const stamp = (at: Date) => at.toUTCString().replace('GMT', '+0000');
  const seenCall = (c: SimulatedCall) => ({
    sid: c.sid,
    account_sid: options.accountSid,
    from: c.from,
    to: c.to,
    status: c.status,
    direction: c.direction,
    date_created: stamp(c.createdAt),
    date_updated: stamp(c.createdAt),
    start_time: stamp(c.createdAt),
    end_time: null,
    duration: null,
    api_version: '2010-04-01',
    uri: '',
  });
  const seenMessage = (m: Message) => ({
    sid: m.sid,
    account_sid: options.accountSid,
    from: m.from,
    to: m.to,
    body: m.body,
    status: m.status,
    direction: 'outbound-api',
    date_created: stamp(m.createdAt),
    date_sent: stamp(m.createdAt),
    date_updated: stamp(m.createdAt),
    num_segments: '1',
    num_media: String(m.media.length),
    error_code: null,
    error_message: null,
    uri: '',
  });
  const seenNumber = (number: string, n: { sid: string; form: Form }) => ({
    sid: n.sid,
    phone_number: number,
    friendly_name: n.form['FriendlyName'] ?? number,
    capabilities: { voice: true, sms: true, mms: true, fax: false },
  });
  type Said = { status: number; body?: object; bytes?: Buffer };
  const no = (status: number, code: number, message: string): Said => ({
    status,
    body: { code, message, more_info: '', status },
  });

  function rest(method: string, path: string, form: Form, query: Form): Said {
    const [, what = '', sid, more, moreSid] =
      /^\/2010-04-01\/Accounts\/[^/]+\/(\w+)(?:\/([\w+]+))?(?:\/([\w]+))?(?:\/([\w]+))?(?:\.json)?$/.exec(
        path,
      ) ?? [];
    if (what === 'Calls') {
      if (method === 'POST' && !sid) return createCall(form);
      if (method === 'GET' && !sid)
        return {
          status: 200,
          body: {
            calls: [...calls.values()]
              .filter(
                (c) =>
                  (!query['To'] || c.to === query['To']) &&
                  (!query['From'] || c.from === query['From']),
              )
              .reverse()
              .map(seenCall),
            page: 0,
            page_size: 50,
            next_page_uri: null,
          },
        };
      const call = calls.get(sid ?? '');
      if (!call) return no(404, 20404, 'The requested resource was not found');
      if (more === 'Recordings') {
        if (moreSid) {
          const found = recordings.get(moreSid);
          if (found) found.status = 'stopped';
          return found
            ? { status: 200, body: { sid: moreSid, status: 'stopped' } }
            : no(404, 20404, 'not found');
        }
        if (method === 'GET')
          return {
            status: 200,
            body: {
              recordings: [...recordings.values()]
                .filter((r) => r.callSid === call.sid)
                .map((r) => ({
                  sid: r.sid,
                  call_sid: r.callSid,
                  account_sid: options.accountSid,
                  status: r.status,
                  channels: 2,
                  date_created: stamp(call.createdAt),
                  date_updated: stamp(call.createdAt),
                  start_time: stamp(call.createdAt),
                  uri: '',
                })),
              page: 0,
              page_size: 50,
              next_page_uri: null,
            },
          };
        if (call.status !== 'in-progress')
          return no(400, 21220, 'Requested resource is not eligible for recording');
        const re = sidOf('RE');
        recordings.set(re, { sid: re, status: 'in-progress', callSid: call.sid });
        call.recording = { sid: re, callback: form['RecordingStatusCallback']!, began: Date.now() };
        return {
          status: 201,
          body: { sid: re, call_sid: call.sid, status: 'in-progress', channels: 2 },
        };
      }
      if (method === 'GET') return { status: 200, body: seenCall(call) };
      if (over(call)) return no(400, 21220, 'Call is not in-progress. Cannot redirect.');
      if (form['Status']) {
        end(call, call.status === 'in-progress' ? 'completed' : 'canceled');
        return { status: 200, body: seenCall(call) };
      }
      if (call.status !== 'in-progress')
        return no(400, 21220, 'Call is not in-progress. Cannot redirect.');
      documents.push(form['Twiml']!);
      call.wake();
      void track(
        run(call, form['Twiml']!).catch((error: unknown) => {
          errors.push(String(error));
        }),
      );
      return { status: 200, body: seenCall(call) };
    }
    if (what === 'Messages') {
      if (method === 'POST') return createMessage(form);
      if (sid) {
        const m = messages.get(sid);
        return m ? { status: 200, body: seenMessage(m) } : no(404, 20404, 'not found');
      }
      return {
        status: 200,
        body: {
          messages: [...messages.values()]
            .filter((m) => m.to === query['To'] && m.from === query['From'])
            .reverse()
            .map(seenMessage),
          page: 0,
          page_size: 50,
          next_page_uri: null,
        },
      };
    }
    if (what === 'Recordings' && sid) {
      const found = recordings.get(sid);
      if (method === 'DELETE') {
        recordings.delete(sid);
        return { status: found ? 204 : 404 };
      }
      return found
        ? {
            status: 200,
            bytes: writeWav({ sampleRate: 8000, channels: [tone([440], 500), tone([660], 500)] }),
          }
        : no(404, 20404, 'not found');
    }
    if (what === 'IncomingPhoneNumbers') {
      if (method === 'POST') {
        const number = form['PhoneNumber']!;
        if (number.endsWith('0000')) return no(400, 21422, `${number} is not available`);
        owned.set(number, { sid: sidOf('PN'), form });
        return { status: 201, body: seenNumber(number, owned.get(number)!) };
      }
      if (method === 'DELETE') {
        for (const [number, n] of owned) if (n.sid === sid) owned.delete(number);
        return { status: 204 };
      }
      return {
        status: 200,
        body: {
          incoming_phone_numbers: [...owned]
            .filter(([number]) => !query['PhoneNumber'] || number.includes(query['PhoneNumber']))
            .map(([number, n]) => seenNumber(number, n)),
          page: 0,
          page_size: 50,
          next_page_uri: null,
        },
      };
    }
    if (what === 'AvailablePhoneNumbers') {
      const code = query['AreaCode'] ?? (more === 'TollFree' ? '888' : '415');
      const offers = Array.from(
        { length: 20 },
        (_, i) => `+1${code}555${String(3300 + i * 7).padStart(4, '0')}`,
      ).filter(
        (n) => !query['Contains'] || new RegExp(query['Contains'].replace(/\*/g, '.')).test(n),
      );
      return {
        status: 200,
        body: {
          available_phone_numbers: offers.map((phone_number) => ({
            phone_number,
            friendly_name: phone_number,
            region: 'CA',
            locality: 'SAN FRANCISCO',
            rate_center: 'SNFC CNTRL',
            iso_country: 'US',
            capabilities: { voice: true, SMS: true, MMS: true, fax: false },
          })),
        },
      };
    }
    return no(404, 20404, `this Twilio knows no ${method} ${path}`);
  }
  function createCall(form: Form): Said {
    if (/555000\d$/.test(form['To']!))
      return no(400, 21211, 'The phone number you are attempting to call is not valid.');
    const call: SimulatedCall = {
      sid: sidOf('CA'),
      from: form['From']!,
      to: form['To']!,
      direction: 'outbound-api',
      status: 'queued',
      url: form['Url']!,
      statusCallback: form['StatusCallback'] ?? null,
      createdAt: new Date(),
      sequence: 0,
      token: null,
      heard: [],
      keys: '',
      run: 0,
      wake: () => {},
      room: null,
      recording: null,
      message: null,
      messageSeconds: null,
    };
    calls.set(call.sid, call);
    void track(
      (async () => {
        await pause(5);
        if (over(call)) return;
        report(call, 'initiated');
        if (call.to.startsWith('sip:')) {
          if (faults.trunksLate) return;
          call.sip = dialSip(call.to, call.from, {
            ringing: () => {
              if (call.status === 'queued') {
                call.status = 'ringing';
                report(call, 'ringing');
              }
            },
            answered: () => answer(call),
            ended: (code) =>
              end(
                call,
                code === 0
                  ? 'completed'
                  : code === 486 || code === 600 || code === 603
                    ? 'busy'
                    : code === 480 || code === 408 || code === 487
                      ? 'no-answer'
                      : 'failed',
                code === 0 ? undefined : String(code),
              ),
          });
          return;
        }
        if (busy.has(call.to)) return end(call, 'busy', '486');
        call.status = 'ringing';
        report(call, 'ringing');
      })(),
    );
    return { status: 201, body: seenCall(call) };
  }
  function answer(call: SimulatedCall, keys = ''): void {
    if (over(call)) return;
    call.status = 'in-progress';
    call.keys = keys;
    report(call, 'in-progress');
    void track(
      (async () => run(call, await fetchDocument(call, call.url)))().catch((error: unknown) => {
        errors.push(String(error));
      }),
    );
  }
  function createMessage(form: Form): Said {
    const code = rejectsTexts.get(form['To']!);
    if (code !== undefined && code < 30000) return no(400, code, `refused with ${code}`);
    const message: Message = {
      sid: sidOf('SM'),
      from: form['From']!,
      to: form['To']!,
      body: form['Body'] ?? '',
      status: 'queued',
      callback: form['StatusCallback'] ?? null,
      createdAt: new Date(),
      media: form['MediaUrl'] ? [form['MediaUrl']] : [],
    };
    messages.set(message.sid, message);
    void track(
      (async () => {
        await pause(5);
        const says = (status: string, more: Form = {}) => {
          message.status = status;
          if (message.callback)
            notify(message.callback, {
              AccountSid: options.accountSid,
              MessageSid: message.sid,
              MessageStatus: status,
              From: message.from,
              To: message.to,
              ...more,
            });
        };
        says('sent');
        if (code) says('undelivered', { ErrorCode: String(code) });
        else says('delivered');
      })(),
    );
    return { status: 201, body: seenMessage(message) };
  }

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url!, 'http://twilio');
      const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
      requests.push({
        method: request.method!,
        path: url.pathname,
        form,
        host: String(request.headers['x-twilio-host'] ?? ''),
      });
      const known =
        request.headers.authorization ===
        `Basic ${Buffer.from(`${options.accountSid}:${options.authToken}`).toString('base64')}`;
      const badResponse = /\/Calls[./]/.test(url.pathname) ? faults.answers : 'well';
      if (badResponse === 'tooMany') return void sendBadResponse(badResponse, response);
      const said = faults.away
        ? no(503, 20503, 'Service unavailable')
        : known
          ? rest(
              request.method!,
              url.pathname.replace(/\.(json|wav)$/, ''),
              form,
              Object.fromEntries(url.searchParams),
            )
          : no(401, 20003, 'Authenticate');
      const lost =
        request.method !== 'POST'
          ? null
          : url.pathname.endsWith('/Calls.json')
            ? 'calls'
            : url.pathname.endsWith('/Messages.json')
              ? 'texts'
              : url.pathname.endsWith('/Recordings.json')
                ? 'recordings'
                : null;
      if (lost && faults.loseAnswers[lost] > 0) {
        faults.loseAnswers[lost]--;
        request.socket.destroy();
        return;
      }
      if (sendBadResponse(badResponse, response)) return;
      response.writeHead(said.status, {
        'content-type': said.bytes ? 'audio/x-wav' : 'application/json',
      });
      response.end(said.bytes ?? (said.body ? JSON.stringify(said.body) : ''));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };

  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    messages,
    recordings,
    owned,
    requests,
    documents,
    errors,
    trouble: faults,
    pace,
    busy,
    refusesTexts: rejectsTexts,
    rooms,
    post,
    /** An outside phone calls; resolves at once. */
    callIn(from: string, to: string): SimulatedCall {
      const call: SimulatedCall = {
        sid: sidOf('CA'),
        from,
        to,
        direction: 'inbound',
        status: 'ringing',
        url: `${options.publicUrl}/carriers/twilio/voice`,
        statusCallback: `${options.publicUrl}/carriers/twilio/voice/status`,
        createdAt: new Date(),
        sequence: 0,
        token: `token-${from}`,
        heard: [],
        keys: '',
        run: 0,
        wake: () => {},
        room: null,
        recording: null,
        message: null,
        messageSeconds: null,
      };
      calls.set(call.sid, call);
      void track(
        (async () => run(call, await fetchDocument(call, call.url)))().catch((error: unknown) => {
          errors.push(String(error));
        }),
      );
      return call;
    },
    ringing: (to: string) =>
      [...calls.values()].filter(
        (c) => c.direction === 'outbound-api' && c.to === to && c.status === 'ringing',
      ),
    answer,
    end,
    press(call: SimulatedCall, keys: string): void {
      call.keys += keys;
      call.wake();
    },
    /** Both hear each other: alone together in one conference. */
    talking: (call: SimulatedCall) =>
      call.room !== null && (rooms.get(call.room)?.members.size ?? 0) > 1,
    textIn: (from: string, to: string, body: string, media: { url: string; type: string }[] = []) =>
      post(`${options.publicUrl}/carriers/twilio/sms`, {
        AccountSid: options.accountSid,
        MessageSid: sidOf('SM'),
        From: from,
        To: to,
        Body: body,
        NumMedia: String(media.length),
        ...Object.fromEntries(
          media.flatMap((m, i) => [
            [`MediaUrl${i}`, m.url],
            [`MediaContentType${i}`, m.type],
          ]),
        ),
      }),
    /** Until nothing it began is under way, late reports included. Calls that talk or ring are not under way. */
    quiet: async () => {
      await pause(200);
    },
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
