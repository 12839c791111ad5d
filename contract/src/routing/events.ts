import { event } from '../kit.ts';
import type * as payloads from './payloads.ts';

/** The routes or the menu of a number changed. */
export const routingChanged = event<typeof payloads.routingChanged>({
  name: 'routing.changed',
  channel: 'companies',
  invalidates: ['getNumber', 'listNumbers', 'listNumbersDatatable', 'getTeam'],
  about: ['numberId'],
});
