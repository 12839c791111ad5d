import { event } from '../kit.ts';
import type * as payloads from './payloads.ts';

export const connectionChanged = event<typeof payloads.connectionChanged>({
  name: 'connection.changed',
  channel: 'companies',
  invalidates: ['listOAuthIntegrations', 'getOAuthIntegration'],
});
