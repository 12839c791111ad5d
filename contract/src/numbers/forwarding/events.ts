import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

const lists = [
  'listForwardContacts',
  'forwardContactStats',
  'getForwardContact',
  'forwardContactUsage',
] as const;

/** A forwarding contact was made or changed. `moved`: it leads somewhere else now, so what routes say in short is stale. */
export const forwardContactChanged = event<typeof payloads.forwardContactChanged>({
  name: 'forward_contact.changed',
  channel: 'companies',
  touches: [...lists, 'getNumber'],
});

/** It is gone. `replacedBy` takes its place in every route that named it. */
export const forwardContactDeleted = event<typeof payloads.forwardContactDeleted>({
  name: 'forward_contact.deleted',
  channel: 'companies',
  touches: [...lists, 'getNumber'],
});
