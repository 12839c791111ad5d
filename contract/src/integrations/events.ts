import { event } from '../kit.ts';
import type * as payloads from './payloads.ts';

export const integrationsChanged = event<typeof payloads.integrationsChanged>({
  name: 'integrations.changed',
  channel: 'companies',
  invalidates: [
    'listOAuthIntegrations',
    'getOAuthIntegration',
    'listAdfIntegrations',
    'listGa4Integrations',
    'getGa4Integration',
    'listWebhooks',
    'listDeliveries',
    'getDelivery',
    'dryRunDestination',
    'listCallDeliveries',
  ],
});
