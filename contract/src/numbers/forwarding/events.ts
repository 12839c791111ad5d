import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

const lists = [
  'listForwardContacts',
  'forwardContactStats',
  'getForwardContact',
  'forwardContactUsage',
] as const;

/**
 * A forwarding contact was added or changed. `moved`: its destination changed, so summaries of
 * routes are stale.
 */
export const forwardContactChanged = event<typeof payloads.forwardContactChanged>({
  name: 'forward_contact.changed',
  channel: 'companies',
  invalidates: [...lists, 'getNumber'],
});

/** A forwarding contact was deleted; `replacedBy` replaces it in every route. */
export const forwardContactDeleted = event<typeof payloads.forwardContactDeleted>({
  name: 'forward_contact.deleted',
  channel: 'companies',
  invalidates: [...lists, 'getNumber'],
});
