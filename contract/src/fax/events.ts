import { event } from '../kit.ts';
import type * as payloads from './payloads.ts';

/** A fax arrived and its pages can be read. Said once. */
export const faxReceived = event<typeof payloads.faxReceived>({
  name: 'fax.received',
  channel: 'companies',
  about: ['numberId'],
  touches: ['getFax'],
});

/** What became of a fax of ours, each time it moved on. */
export const faxStatusChanged = event<typeof payloads.faxStatusChanged>({
  name: 'fax.moved',
  channel: 'companies',
  about: ['numberId'],
  touches: ['getFax'],
});
