import { endpoint } from '../kit.ts';
import type * as operations from './operations.ts';

export const listDeliveries = endpoint<typeof operations.listDeliveries>({
  name: 'listDeliveries',
  method: 'GET',
  path: '/companies/{companyId}/integration-destinations/{destinationId}/deliveries',
  permission: 'integrations.view',
  company: 'path',
});

export const replayDelivery = endpoint<typeof operations.replayDelivery>({
  name: 'replayDelivery',
  method: 'POST',
  path: '/companies/{companyId}/integration-deliveries/{deliveryId}/replay',
  permission: 'integrations.edit',
  company: 'path',
});

export const dryRunDestination = endpoint<typeof operations.dryRunDestination>({
  name: 'dryRunDestination',
  method: 'GET',
  path: '/companies/{companyId}/integration-destinations/{destinationId}/dry-run',
  permission: 'integrations.view',
  company: 'path',
});

export const getDelivery = endpoint<typeof operations.getDelivery>({
  name: 'getDelivery',
  method: 'GET',
  path: '/companies/{companyId}/integration-deliveries/{deliveryId}',
  permission: 'integrations.view',
  company: 'path',
});

export const listCallDeliveries = endpoint<typeof operations.listCallDeliveries>({
  name: 'listCallDeliveries',
  method: 'GET',
  path: '/companies/{companyId}/calls/{callId}/deliveries',
  permission: 'integrations.view',
  company: 'path',
});

export const replayDeliveries = endpoint<typeof operations.replayDeliveries>({
  name: 'replayDeliveries',
  method: 'POST',
  path: '/companies/{companyId}/integration-destinations/{destinationId}/replay',
  permission: 'integrations.edit',
  company: 'path',
});
