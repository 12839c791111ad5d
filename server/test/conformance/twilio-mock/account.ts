import { createHmac, randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { TrunkCall } from '../sip-trunk.ts';

/** One second of this Twilio, in milliseconds. */
export const second = 20;
export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
export const sidOf = (kind: string) => kind + randomBytes(16).toString('hex');
export type Form = Record<string, string>;

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
  /** What the far end heard, and the conferences it was in. */
  heard: string[];
  keys: string;
  /** Counts the documents it was given; only the newest one runs. */
  run: number;
  /** Ends the verb that is waiting. */
  wake: () => void;
  room: string | null;
  recording: { sid: string; callback: string; began: number } | null;
  message: { action: string; callback: string; began: number } | null;
  /** How long its message is; measured when null. */
  messageSeconds: number | null;
  /** Set when it was dialed by SIP. */
  sip?: TrunkCall;
}

export const newCall = (
  about: Pick<
    SimulatedCall,
    'from' | 'to' | 'direction' | 'status' | 'url' | 'statusCallback' | 'token'
  >,
): SimulatedCall => ({
  ...about,
  sid: sidOf('CA'),
  createdAt: new Date(),
  sequence: 0,
  heard: [],
  keys: '',
  run: 0,
  wake: () => {},
  room: null,
  recording: null,
  message: null,
  messageSeconds: null,
});

export interface Message {
  sid: string;
  from: string;
  to: string;
  body: string;
  status: string;
  callback: string | null;
  createdAt: Date;
  media: string[];
}

interface TwilioFaults {
  twice: boolean;
  reordered: boolean;
  lateMs: number;
  /** How many responses to new calls, texts and recordings are lost. */
  loseAnswers: { calls: number; texts: number; recordings: number };
  /** Every request is answered 503 and does nothing. */
  away: boolean;
  answers: BadResponse;
  /** Calls to SIP addresses are created, but not dialed. */
  trunksLate: boolean;
}

/**
 * How requests about calls are answered. `tooMany` does nothing and asks for 20 seconds without
 * requests; the others do what was asked and then send nonsense or a response that never ends.
 */
export type BadResponse = 'well' | 'tooMany' | 'nonsense' | 'drip';
/** Sends a bad response. True when it did. */
export function sendBadResponse(how: BadResponse, response: ServerResponse): boolean {
  if (how === 'well') return false;
  response.writeHead(how === 'tooMany' ? 429 : 200, {
    'content-type': how === 'nonsense' ? 'text/html' : 'application/json',
    ...(how === 'tooMany' ? { 'retry-after': '20' } : {}),
  });
  if (how === 'tooMany') response.end('{"code":20429,"message":"Too Many Requests","status":429}');
  else if (how === 'nonsense') response.end('<html><body>Welcome to our proxy</body></html>');
  else {
    const drip = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(drip));
  }
  return true;
}

export interface TwilioOptions {
  accountSid: string;
  authToken: string;
  publicUrl: string;
  /** Delivers a webhook to the product. */
  deliver: (
    path: string,
    body: string,
    headers: Record<string, string>,
  ) => Promise<{ status: number; body: string }>;
}

/** What the mock knows, and its signed webhooks. */
export class TwilioAccount {
  readonly calls = new Map<string, SimulatedCall>();
  readonly rooms = new Map<string, { callback: string; members: Set<string>; sid: string }>();
  readonly messages = new Map<string, Message>();
  readonly recordings = new Map<string, { sid: string; status: string; callSid: string }>();
  readonly owned = new Map<string, { sid: string; form: Form }>();
  readonly requests: { method: string; path: string; form: Form; host: string }[] = [];
  /** Every TwiML document that ran. */
  readonly documents: string[] = [];
  readonly errors: string[] = [];
  /**
   * How long a second is while keys are awaited, in milliseconds: longer where the caller is a script
   * and the machine may be slow.
   */
  readonly pace = { keys: second };
  readonly faults: TwilioFaults = {
    twice: false,
    reordered: false,
    lateMs: 0,
    loseAnswers: { calls: 0, texts: 0, recordings: 0 },
    away: false,
    answers: 'well',
    trunksLate: false,
  };
  /** Destinations that are busy. */
  readonly busy = new Set<string>();
  /** Destinations that reject texts, with the error code. */
  readonly rejectsTexts = new Map<string, number>();
  closed = false;

  constructor(readonly options: TwilioOptions) {}

  recordingUrl(sid: string): string {
    return `https://api.twilio.com/2010-04-01/Accounts/${this.options.accountSid}/Recordings/${sid}`;
  }

  /** Runs work that nothing waits for; what it throws is kept in `errors`. */
  inBackground(work: () => Promise<unknown>): void {
    void work().catch((error: unknown) => this.errors.push(String(error)));
  }

  /** Posts a signed webhook, and again while the product answers 5xx. */
  async post(url: string, form: Form): Promise<{ status: number; body: string }> {
    const { authToken, publicUrl, deliver } = this.options;
    const sortedFields = Object.keys(form)
      .sort()
      .map((key) => key + form[key])
      .join('');
    const signature = createHmac('sha1', authToken)
      .update(url + sortedFields)
      .digest('base64');
    const path = url.slice(publicUrl.length);
    for (let attempt = 0; ; attempt++) {
      const answer = await deliver(path, new URLSearchParams(form).toString(), {
        'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
        'x-twilio-signature': signature,
      });
      if (answer.status < 500 || attempt === 3 || this.closed) {
        if (answer.status >= 300) this.errors.push(`${path} answered ${answer.status}`);
        return answer;
      }
      await pause(100);
    }
  }

  /** Posts what is only for information: late, twice or in another order, as the faults say. */
  notify(url: string, form: Form): void {
    const { lateMs, reordered, twice } = this.faults;
    this.inBackground(async () => {
      if (lateMs) await pause(lateMs);
      if (reordered) await pause(Math.random() * 120);
      await Promise.all(Array.from({ length: twice ? 2 : 1 }, () => this.post(url, form)));
    });
  }

  about(call: SimulatedCall): Form {
    return {
      AccountSid: this.options.accountSid,
      ApiVersion: '2010-04-01',
      CallSid: call.sid,
      CallStatus: call.status,
      Direction: call.direction,
      From: call.from,
      To: call.to,
      ...(call.token ? { CallToken: call.token } : {}),
    };
  }

  /** Reports a call's progress. */
  report(call: SimulatedCall, status: string, more: Form = {}): void {
    if (!call.statusCallback) return;
    this.notify(call.statusCallback, {
      ...this.about(call),
      CallStatus: status,
      SequenceNumber: String(call.sequence++),
      Timestamp: new Date().toUTCString(),
      CallbackSource: 'call-progress-events',
      ...more,
    });
  }
}
