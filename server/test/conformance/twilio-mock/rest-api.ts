import { tone } from '../../../src/platform/audio/tones.ts';
import { writeWav } from '../../../src/platform/audio/wav.ts';
import {
  newCall,
  pause,
  sidOf,
  type Form,
  type Message,
  type SimulatedCall,
  type TwilioAccount,
} from './account.ts';
import { isOver, type CallRunner } from './call-runner.ts';

interface RestResponse {
  status: number;
  body?: object;
  bytes?: Buffer;
}
interface RestRequest {
  method: string;
  path: string;
  form: Form;
  query: Form;
}
/** The parts of a path after the account: `Calls/CA…/Recordings/RE…`. */
interface ResourceIds {
  sid: string | undefined;
  sub: string | undefined;
  subSid: string | undefined;
}

const resourcePath =
  /^\/2010-04-01\/Accounts\/[^/]+\/(\w+)(?:\/([\w+]+))?(?:\/([\w]+))?(?:\/([\w]+))?(?:\.json)?$/;
const stamp = (at: Date) => at.toUTCString().replace('GMT', '+0000');
const ok = (body: object): RestResponse => ({ status: 200, body });
const page = (name: string, rows: object[]): RestResponse =>
  ok({ [name]: rows, page: 0, page_size: 50, next_page_uri: null });
export const refusal = (status: number, code: number, message: string): RestResponse => ({
  status,
  body: { code, message, more_info: '', status },
});
const notFound = () => refusal(404, 20404, 'not found');

/** The REST API of the mock, version 2010-04-01. */
export class RestApi {
  constructor(
    private readonly account: TwilioAccount,
    private readonly runner: CallRunner,
  ) {}

  handle(request: RestRequest): RestResponse {
    const [, resource = '', sid, sub, subSid] = resourcePath.exec(request.path) ?? [];
    const ids = { sid, sub, subSid };
    switch (resource) {
      case 'Calls':
        return this.#calls(request, ids);
      case 'Messages':
        return this.#messages(request, ids);
      case 'Recordings':
        return this.#recordings(request, ids);
      case 'IncomingPhoneNumbers':
        return this.#ownNumbers(request, ids);
      case 'AvailablePhoneNumbers':
        return availableNumbers(request, ids);
      default:
        return refusal(404, 20404, `this Twilio knows no ${request.method} ${request.path}`);
    }
  }

  #calls({ method, form, query }: RestRequest, { sid, sub, subSid }: ResourceIds): RestResponse {
    const { calls } = this.account;
    if (method === 'POST' && !sid) return this.#createCall(form);
    if (method === 'GET' && !sid) {
      const matches = (call: SimulatedCall) =>
        (!query['To'] || call.to === query['To']) &&
        (!query['From'] || call.from === query['From']);
      const found = [...calls.values()].filter(matches).reverse();
      return page(
        'calls',
        found.map((call) => this.#presentCall(call)),
      );
    }
    const call = calls.get(sid ?? '');
    if (!call) return refusal(404, 20404, 'The requested resource was not found');
    if (sub === 'Recordings') return this.#callRecordings(call, method, form, subSid);
    if (method === 'GET') return ok(this.#presentCall(call));
    return this.#updateCall(call, form);
  }

  /** Stricter than Twilio: a call that was not answered can't be redirected (21220). */
  #updateCall(call: SimulatedCall, form: Form): RestResponse {
    const notInProgress = refusal(400, 21220, 'Call is not in-progress. Cannot redirect.');
    if (isOver(call)) return notInProgress;
    if (form['Status']) {
      this.runner.end(call, call.status === 'in-progress' ? 'completed' : 'canceled');
      return ok(this.#presentCall(call));
    }
    if (call.status !== 'in-progress') return notInProgress;
    const document = form['Twiml']!;
    this.account.documents.push(document);
    call.wake();
    this.account.inBackground(() => this.runner.run(call, document));
    return ok(this.#presentCall(call));
  }

  #callRecordings(
    call: SimulatedCall,
    method: string,
    form: Form,
    sid: string | undefined,
  ): RestResponse {
    const { recordings } = this.account;
    if (sid) {
      const found = recordings.get(sid);
      if (!found) return notFound();
      found.status = 'stopped';
      return ok({ sid, status: 'stopped' });
    }
    if (method === 'GET') {
      const own = [...recordings.values()].filter((one) => one.callSid === call.sid);
      return page(
        'recordings',
        own.map((recording) => this.#presentRecording(recording, call)),
      );
    }
    if (call.status !== 'in-progress')
      return refusal(400, 21220, 'Requested resource is not eligible for recording');
    const created = sidOf('RE');
    recordings.set(created, { sid: created, status: 'in-progress', callSid: call.sid });
    const callback = form['RecordingStatusCallback']!;
    call.recording = { sid: created, callback, began: Date.now() };
    const body = { sid: created, call_sid: call.sid, status: 'in-progress', channels: 2 };
    return { status: 201, body };
  }

  #createCall(form: Form): RestResponse {
    const [from, to] = [form['From']!, form['To']!];
    if (/555000\d$/.test(to))
      return refusal(400, 21211, 'The phone number you are attempting to call is not valid.');
    const call = newCall({
      from,
      to,
      direction: 'outbound-api',
      status: 'queued',
      url: form['Url']!,
      statusCallback: form['StatusCallback'] ?? null,
      token: null,
    });
    this.account.calls.set(call.sid, call);
    this.account.inBackground(() => this.runner.ring(call));
    return { status: 201, body: this.#presentCall(call) };
  }

  #messages({ method, form, query }: RestRequest, { sid }: ResourceIds): RestResponse {
    const { messages } = this.account;
    if (method === 'POST') return this.#createMessage(form);
    if (sid) {
      const message = messages.get(sid);
      return message ? ok(this.#presentMessage(message)) : notFound();
    }
    const found = [...messages.values()]
      .filter((one) => one.to === query['To'] && one.from === query['From'])
      .reverse();
    return page(
      'messages',
      found.map((message) => this.#presentMessage(message)),
    );
  }

  #createMessage(form: Form): RestResponse {
    const { account } = this;
    const to = form['To']!;
    const code = account.rejectsTexts.get(to);
    if (code !== undefined && code < 30000) return refusal(400, code, `refused with ${code}`);
    const message: Message = {
      sid: sidOf('SM'),
      from: form['From']!,
      to,
      body: form['Body'] ?? '',
      status: 'queued',
      callback: form['StatusCallback'] ?? null,
      createdAt: new Date(),
      media: form['MediaUrl'] ? [form['MediaUrl']] : [],
    };
    account.messages.set(message.sid, message);
    account.inBackground(async () => {
      await pause(5);
      this.#reportMessage(message, 'sent');
      if (code) this.#reportMessage(message, 'undelivered', { ErrorCode: String(code) });
      else this.#reportMessage(message, 'delivered');
    });
    return { status: 201, body: this.#presentMessage(message) };
  }

  #reportMessage(message: Message, status: string, more: Form = {}): void {
    message.status = status;
    if (!message.callback) return;
    this.account.notify(message.callback, {
      AccountSid: this.account.options.accountSid,
      MessageSid: message.sid,
      MessageStatus: status,
      From: message.from,
      To: message.to,
      ...more,
    });
  }

  #recordings({ method }: RestRequest, { sid = '' }: ResourceIds): RestResponse {
    const { recordings } = this.account;
    const found = recordings.has(sid);
    if (method === 'DELETE') {
      recordings.delete(sid);
      return { status: found ? 204 : 404 };
    }
    if (!found) return notFound();
    const channels = [tone([440], 500), tone([660], 500)];
    return { status: 200, bytes: writeWav({ sampleRate: 8000, channels }) };
  }

  #ownNumbers({ method, form, query }: RestRequest, { sid }: ResourceIds): RestResponse {
    const { owned } = this.account;
    if (method === 'POST') {
      const number = form['PhoneNumber']!;
      if (number.endsWith('0000')) return refusal(400, 21422, `${number} is not available`);
      const bought = { sid: sidOf('PN'), form };
      owned.set(number, bought);
      return { status: 201, body: presentNumber(number, bought) };
    }
    if (method === 'DELETE') {
      for (const [number, one] of owned) if (one.sid === sid) owned.delete(number);
      return { status: 204 };
    }
    const wanted = query['PhoneNumber'] ?? '';
    const found = [...owned].filter(([number]) => number.includes(wanted));
    return page(
      'incoming_phone_numbers',
      found.map(([number, one]) => presentNumber(number, one)),
    );
  }

  #presentCall(call: SimulatedCall) {
    return {
      sid: call.sid,
      account_sid: this.account.options.accountSid,
      from: call.from,
      to: call.to,
      status: call.status,
      direction: call.direction,
      date_created: stamp(call.createdAt),
      date_updated: stamp(call.createdAt),
      start_time: stamp(call.createdAt),
      end_time: null,
      duration: null,
      api_version: '2010-04-01',
      uri: '',
    };
  }

  #presentRecording(recording: { sid: string; status: string }, call: SimulatedCall) {
    return {
      sid: recording.sid,
      call_sid: call.sid,
      account_sid: this.account.options.accountSid,
      status: recording.status,
      channels: 2,
      date_created: stamp(call.createdAt),
      date_updated: stamp(call.createdAt),
      start_time: stamp(call.createdAt),
      uri: '',
    };
  }

  #presentMessage(message: Message) {
    return {
      sid: message.sid,
      account_sid: this.account.options.accountSid,
      from: message.from,
      to: message.to,
      body: message.body,
      status: message.status,
      direction: 'outbound-api',
      date_created: stamp(message.createdAt),
      date_sent: stamp(message.createdAt),
      date_updated: stamp(message.createdAt),
      num_segments: '1',
      num_media: String(message.media.length),
      error_code: null,
      error_message: null,
      uri: '',
    };
  }
}

const presentNumber = (number: string, { sid, form }: { sid: string; form: Form }) => ({
  sid,
  phone_number: number,
  friendly_name: form['FriendlyName'] ?? number,
  capabilities: { voice: true, sms: true, mms: true, fax: false },
});

function availableNumbers({ query }: RestRequest, { sub }: ResourceIds): RestResponse {
  const areaCode = query['AreaCode'] ?? (sub === 'TollFree' ? '888' : '415');
  const pattern = new RegExp((query['Contains'] ?? '').replace(/\*/g, '.'));
  const numbers = Array.from(
    { length: 20 },
    (_, i) => `+1${areaCode}555${String(3300 + i * 7).padStart(4, '0')}`,
  );
  return ok({
    available_phone_numbers: numbers
      .filter((number) => pattern.test(number))
      .map((number) => ({
        phone_number: number,
        friendly_name: number,
        region: 'CA',
        locality: 'SAN FRANCISCO',
        rate_center: 'SNFC CNTRL',
        iso_country: 'US',
        capabilities: { voice: true, SMS: true, MMS: true, fax: false },
      })),
  });
}
