import { event } from '../kit.ts';
import type * as payloads from './payloads.ts';

/** A fax arrived and its pages are stored. Published once. */
export const faxReceived = event<typeof payloads.faxReceived>({
  name: 'fax.received',
  channel: 'companies',
  about: ['numberId'],
  invalidates: ['getFax'],
});

/** Status change of an outbound fax. */
export const faxStatusChanged = event<typeof payloads.faxStatusChanged>({
  name: 'fax.moved',
  channel: 'companies',
  about: ['numberId'],
  invalidates: ['getFax'],
});
