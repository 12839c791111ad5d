import type { Envelope } from '#contract';
import type { Services } from '../context.ts';
import type { PublishedEvent } from '../outbox-subscription.ts';
import { toEnvelope, type Subscription } from '../realtime-channels.ts';

/** Live events without the contact details that a subscriber may not see. */
export class EventMasks {
  /** Several people miss the same of an event, so it is masked once for each kind. */
  private readonly masked = new WeakMap<PublishedEvent, Map<boolean, Promise<Envelope>>>();

  constructor(private readonly services: Pick<Services, 'contactDetails' | 'db'>) {}

  /** The event as this subscriber may see it. */
  shownTo(subscription: Subscription, event: PublishedEvent): Promise<Envelope> {
    const envelope = toEnvelope(event);
    const companyId = event.companyId ?? companyOf(event.data);
    const hidden = subscription.hidden(companyId);
    if (!hidden) return Promise.resolve(envelope);
    const known = this.masked.get(event) ?? new Map<boolean, Promise<Envelope>>();
    this.masked.set(event, known);
    const { contactDetails, db } = this.services;
    const shown =
      known.get(hidden.numbers) ??
      contactDetails
        .mask(db, companyId ? [companyId] : [], hidden, event.data)
        .then((data) => ({ ...envelope, data }));
    known.set(hidden.numbers, shown);
    return shown;
  }
}

/** The company that a person's own event is about; null: none. */
function companyOf(data: unknown): number | null {
  const { companyId } = (data ?? {}) as { companyId?: unknown };
  return typeof companyId === 'number' ? companyId : null;
}
