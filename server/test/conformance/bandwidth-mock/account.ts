import { randomUUID } from 'node:crypto';
import type { TrunkCall } from '../sip-trunk.ts';
import type { BadResponse } from '../twilio-mock/account.ts';

/** One second of this Bandwidth, in milliseconds. */
export const second = 20;
export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
export type Body = Record<string, unknown>;

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
  /** What the far end heard, and the conferences it was in. */
  heard: string[];
  keys: string;
  /** Counts the documents it was given; only the newest one runs. */
  run: number;
  /** Ends the verb that is waiting. */
  wake: () => void;
  room: string | null;
  recording: { id: string; url: string; began: number } | null;
  message: { url: string; began: number } | null;
  /** How long its message is; measured when null. */
  messageSeconds: number | null;
  /** Set when it was dialed by SIP. */
  sip?: TrunkCall;
}

export const newCall = (
  about: Pick<
    BandwidthCall,
    'from' | 'to' | 'direction' | 'state' | 'answerUrl' | 'disconnectUrl' | 'tag'
  >,
): BandwidthCall => ({
  ...about,
  callId: `c-${randomUUID()}`,
  cause: null,
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
});

interface BandwidthFaults {
  twice: boolean;
  reordered: boolean;
  lateMs: number;
  /** How many responses to new calls are lost. */
  loseAnswers: number;
  /** Every request is answered 503 and does nothing. */
  away: boolean;
  answers: BadResponse;
  /** Calls to these are refused. */
  refuses: Set<string>;
  /** Calls to SIP addresses are created, but not dialed. */
  trunksLate: boolean;
  /** Recordings can only be fetched once this is over. */
  soundWaits: Promise<void> | null;
}

export interface BandwidthOptions {
  accountId: string;
  username: string;
  password: string;
  publicUrl: string;
  /** What webhooks authenticate with. */
  webhook: { username: string; password: string };
  /** The secret part of the webhooks' path. */
  key: string;
  /** Delivers a webhook to the product. */
  deliver: (
    path: string,
    body: string,
    headers: Record<string, string>,
  ) => Promise<{ status: number; body: string }>;
}

/** What the mock knows, and its webhooks. */
export class BandwidthAccount {
  readonly calls = new Map<string, BandwidthCall>();
  readonly rooms = new Map<string, { callback: string; members: Set<string>; id: string }>();
  readonly recordings = new Map<string, { id: string; callId: string }>();
  /** Transcripts by recording. */
  readonly transcripts = new Map<string, object>();
  readonly requests: { method: string; path: string; body: Body }[] = [];
  /** Every BXML document that ran. */
  readonly documents: string[] = [];
  readonly errors: string[] = [];
  /**
   * How long a second is while keys are awaited, in milliseconds: longer where the caller is a script
   * and the machine may be slow.
   */
  readonly pace = { keys: second };
  readonly faults: BandwidthFaults = {
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
  /** Destinations that are busy. */
  readonly busy = new Set<string>();
  /** Where the product receives webhooks. */
  readonly webhookUrl: string;
  /** The base URL of the voice API, known once the server listens. */
  apiUrl = '';
  closed = false;

  constructor(readonly options: BandwidthOptions) {
    this.webhookUrl = `${options.publicUrl}/carriers/bandwidth/${options.key}`;
  }

  callUrl(call: BandwidthCall): string {
    return `${this.apiUrl}/accounts/${this.options.accountId}/calls/${call.callId}`;
  }

  /** Runs work that nothing waits for; what it throws is kept in `errors`. */
  inBackground(work: () => Promise<unknown>): void {
    void work().catch((error: unknown) => this.errors.push(String(error)));
  }

  /** Posts a webhook, and again while the product answers 5xx. */
  async post(url: string, body: Body): Promise<{ status: number; body: string }> {
    const { webhook, publicUrl, deliver } = this.options;
    const credentials = Buffer.from(`${webhook.username}:${webhook.password}`).toString('base64');
    const headers = { 'content-type': 'application/json', authorization: `Basic ${credentials}` };
    for (let attempt = 0; ; attempt++) {
      const answer = await deliver(url.slice(publicUrl.length), JSON.stringify(body), headers);
      if (answer.status < 500 || attempt === 3 || this.closed) {
        if (answer.status >= 300) this.errors.push(`${url} answered ${answer.status}`);
        return answer;
      }
      await pause(100);
    }
  }

  /** Posts what is only for information: late, twice or in another order, as the faults say. */
  notify(url: string, body: Body): void {
    const { lateMs, reordered, twice } = this.faults;
    this.inBackground(async () => {
      if (lateMs) await pause(lateMs);
      if (reordered) await pause(Math.random() * 120);
      await Promise.all(Array.from({ length: twice ? 2 : 1 }, () => this.post(url, body)));
    });
  }

  about(call: BandwidthCall, eventType: string): Body {
    return {
      eventType,
      eventTime: new Date().toISOString(),
      accountId: this.options.accountId,
      applicationId: 'voice-app',
      callId: call.callId,
      callUrl: this.callUrl(call),
      from: call.from,
      to: call.to,
      direction: call.direction,
      startTime: call.enqueuedTime,
      ...(call.answerTime ? { answerTime: call.answerTime } : {}),
      ...(call.tag ? { tag: call.tag } : {}),
    };
  }
}
