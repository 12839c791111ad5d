/**
 * Delivers events to the product by signed webhook, until they are acknowledged. A call's events go
 * in order and one batch at a time; calls do not wait for each other. Faults (late,
 * duplicate and reordered events, outage) are injected here.
 */
import { Agent } from 'undici';
import type { VoiceEvent } from '../gateways/voice.ts';
import { happens, type ExchangeFaults } from './faults.ts';
import { signatureHeader, signWebhook, voiceWebhookPath } from './protocol.ts';

const initialRetryMs = 100;
const maxRetryMs = 5000;
/** Events are dropped after this; the product then has to query its legs. */
const giveUpAfterMs = 60 * 60_000;

interface EventQueue {
  /** `notBeforeMs`: `performance.now()`. */
  waiting: { event: VoiceEvent; notBeforeMs: number }[];
  sending: boolean;
}

export class WebhookReporter {
  readonly #queues = new Map<string, EventQueue>();
  readonly #agent = new Agent({ connections: 16, headersTimeout: 15_000, bodyTimeout: 15_000 });
  #closed = false;

  constructor(
    /** Base URL of the web process, which may restart at another port. */
    private readonly webUrl: () => string,
    private readonly secret: string,
    private readonly log: (message: string, detail?: object) => void,
    private readonly faults: () => ExchangeFaults,
  ) {}

  enqueue(event: VoiceEvent): void {
    if (this.#closed) return;
    const queue = this.#queues.get(event.call) ?? { waiting: [], sending: false };
    this.#queues.set(event.call, queue);
    const { lateReceiptsMs, duplicateRate, reorderRate } = this.faults();
    const notBeforeMs = performance.now() + lateReceiptsMs;
    queue.waiting.push({ event, notBeforeMs });
    if (happens(duplicateRate)) queue.waiting.push({ event, notBeforeMs });
    // Swaps this event with the one before it.
    if (happens(reorderRate) && queue.waiting.length > 1)
      queue.waiting.splice(-2, 2, ...queue.waiting.slice(-2).reverse());
    else if (happens(reorderRate)) this.#delayNewest(queue, 300);
    if (!queue.sending) void this.#send(event.call, queue);
  }

  /** Holds the newest event back, so that the next one overtakes it. */
  #delayNewest(queue: EventQueue, byMs: number): void {
    const newest = queue.waiting.pop();
    if (!newest) return;
    setTimeout(() => {
      queue.waiting.push(newest);
      this.#queues.set(newest.event.call, queue);
      if (!queue.sending) void this.#send(newest.event.call, queue);
    }, byMs).unref();
  }

  async #send(call: string, queue: EventQueue): Promise<void> {
    queue.sending = true;
    // Events that one command caused go into one batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (queue.waiting.length > 0 && !this.#closed) {
      const now = performance.now();
      const due = queue.waiting.findIndex(({ notBeforeMs }) => notBeforeMs > now);
      const batch = due === -1 ? queue.waiting.splice(0) : queue.waiting.splice(0, due);
      if (batch.length === 0) await pause(Math.max(5, (queue.waiting[0]?.notBeforeMs ?? 0) - now));
      else await this.#deliver(batch.map(({ event }) => event));
    }
    queue.sending = false;
    if (queue.waiting.length === 0) this.#queues.delete(call);
  }

  async #deliver(events: VoiceEvent[]): Promise<void> {
    const body = JSON.stringify(events);
    const headers = {
      'content-type': 'application/json',
      [signatureHeader]: signWebhook(body, this.secret),
    };
    const startedMs = performance.now();
    for (let waitMs = initialRetryMs; !this.#closed; waitMs = Math.min(waitMs * 2, maxRetryMs)) {
      const because = this.faults().outage ? 'outage' : await this.#post(headers, body);
      if (because === null) return;
      if (performance.now() - startedMs > giveUpAfterMs)
        return this.log('The product did not accept these events for an hour; they are dropped', {
          events: events.map(({ id }) => id),
        });
      if (waitMs === initialRetryMs && because !== 'outage')
        this.log('The product did not accept an event; it will be sent again', { because });
      await pause(because === 'outage' ? 300 : waitMs);
    }
  }

  /** Null when the events were accepted, else why not. */
  async #post(headers: Record<string, string>, body: string): Promise<string | null> {
    try {
      const { origin, pathname } = new URL(this.webUrl());
      const answer = await this.#agent.request({
        origin,
        method: 'POST',
        path: `${pathname.replace(/\/$/, '')}${voiceWebhookPath}`,
        headers,
        body,
      });
      await answer.body.dump();
      return answer.statusCode < 300 ? null : `answered ${answer.statusCode}`;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** Whether events wait to be accepted. */
  get isWaiting(): boolean {
    return this.#queues.size > 0;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#agent.destroy();
  }
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms).unref());
