import { event } from '../kit.ts';
import type * as payloads from './payloads.ts';

/** Routes or menu of a number were changed. */
export const routingChanged = event<typeof payloads.routingChanged>({
  name: 'routing.changed',
  channel: 'companies',
  touches: ['getNumber', 'listNumbers', 'listNumbersDatatable'],
  about: ['numberId'],
});
