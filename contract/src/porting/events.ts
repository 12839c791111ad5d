import { event } from '../kit.ts';
import type * as payloads from './payloads.ts';

const invalidates = ['listPorts', 'portStats', 'getPort', 'portLetter', 'numberStats'] as const;

export const portStatusChanged = event<typeof payloads.portStatusChanged>({
  name: 'port.moved',
  channel: 'companies',
  invalidates,
});

export const portChanged = event<typeof payloads.portChanged>({
  name: 'port.changed',
  channel: 'companies',
  invalidates,
});

/** The ported numbers are active here; their template and routes are applied by subscribers. */
export const portCompleted = event<typeof payloads.portCompleted>({
  name: 'port.completed',
  channel: null,
  invalidates: [],
});
