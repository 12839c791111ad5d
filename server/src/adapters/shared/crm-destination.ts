/** What delivering to a CRM has in common: whom it takes, under which keys, and how it says it was sent. */
import { deliveryEvents } from '#contract/integrations/rules';
import type { DeliveryFacts, Destination, StepsVerdict } from '../../gateways/destination.ts';
import { phoneOf } from './crm-call.ts';

export const crmDestination = {
  events: deliveryEvents,
  inboundOnly: false,
  firstContactDays: null,
  // A number that is hidden names no one.
  accepts: (facts) => phoneOf(facts) !== null || Boolean(facts.contact?.email),
  whyNot: (facts) =>
    phoneOf(facts) || facts.contact?.email ? null : 'The caller’s number is hidden.',
  dedupeKey: ({ event, subject }) => `${event}:${subject.type}:${subject.id}`,
  // One after another for each person: two at a time would both find no one and create them.
  orderKey: ({ party }) => party,
} as const satisfies Partial<Destination>;

/** The keys of a person, by number and as a contact of ours. */
export const personRecords = ({ party, contact }: DeliveryFacts): Record<string, string> => ({
  party: `party:${party}`,
  ...(contact && { contact: `contact:${contact.id}` }),
});

/**
 * It was sent as this record of theirs.
 * @param more `warning`: what wasn't taken; `person`: their ID of who was there before
 */
export const sentAs = (
  id: string,
  remember: Readonly<Record<string, string>>,
  { warning, person }: { warning: string | undefined; person?: string | undefined },
): StepsVerdict => ({
  state: 'sent',
  externalRef: id,
  remember,
  shown: JSON.stringify({ id }),
  ...(warning !== undefined && { warning }),
  ...(person !== undefined && { person }),
});
