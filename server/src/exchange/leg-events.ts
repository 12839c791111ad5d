import { randomBytes } from 'node:crypto';
import type { LegId, VoiceEvent } from '../gateways/voice.ts';
import type { Leg } from './leg.ts';
import type { WebhookReporter } from './webhook-reporter.ts';

/** An event without what is the same for all of them. */
type EventBody = VoiceEvent extends infer Event
  ? Event extends VoiceEvent
    ? Omit<Event, 'id' | 'call' | 'leg' | 'seq' | 'at'>
    : never
  : never;

/** Numbers the events of this exchange and hands them to the reporter. */
export class LegEvents {
  /** Keeps event ids unique across restarts. */
  readonly #prefix = randomBytes(6).toString('base64url');
  #count = 0;

  constructor(private readonly reporter: WebhookReporter) {}

  report(leg: Leg, body: EventBody): void {
    const { call, id } = leg;
    // The union of event bodies with these fields added is VoiceEvent, which TypeScript cannot see.
    this.reporter.enqueue({
      id: `${this.#prefix}-${++this.#count}`,
      call,
      leg: id,
      seq: leg.nextSeq(),
      at: Date.now(),
      ...body,
    } as VoiceEvent);
  }

  /** Reports a leg that the exchange does not know (it restarted) as failed. */
  reportLost(leg: LegId): void {
    const now = Date.now();
    this.reporter.enqueue({
      id: `lost-${leg}`,
      call: leg,
      leg,
      seq: now,
      at: now,
      type: 'legEnded',
      cause: 'failed',
    });
  }
}
