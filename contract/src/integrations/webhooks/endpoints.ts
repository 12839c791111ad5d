import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

const path = '/companies/{companyId}/integrations/webhooks';

export const listWebhooks = endpoint<typeof operations.listWebhooks>({
  name: 'listWebhooks',
  method: 'GET',
  path,
  permission: 'integrations.view',
  company: 'path',
});

export const createWebhook = endpoint<typeof operations.createWebhook>({
  name: 'createWebhook',
  method: 'POST',
  path,
  permission: 'integrations.edit',
  company: 'path',
});

export const updateWebhook = endpoint<typeof operations.updateWebhook>({
  name: 'updateWebhook',
  method: 'PUT',
  path: `${path}/{id}`,
  permission: 'integrations.edit',
  company: 'path',
});

export const deleteWebhook = endpoint<typeof operations.deleteWebhook>({
  name: 'deleteWebhook',
  method: 'DELETE',
  path: `${path}/{id}`,
  permission: 'integrations.edit',
  company: 'path',
});

export const rotateWebhookSecret = endpoint<typeof operations.rotateWebhookSecret>({
  name: 'rotateWebhookSecret',
  method: 'POST',
  path: `${path}/{id}/secret`,
  permission: 'integrations.edit',
  company: 'path',
});

export const testWebhook = endpoint<typeof operations.testWebhook>({
  name: 'testWebhook',
  method: 'POST',
  path: `${path}/{id}/test`,
  permission: 'integrations.edit',
  company: 'path',
});
