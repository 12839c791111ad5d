import { endpoint } from '../kit.ts';
import type * as operations from './operations/index.ts';

export const listCampaigns = endpoint<typeof operations.listCampaigns>({
  name: 'listCampaigns',
  method: 'GET',
  path: '/campaigns',
  permission: 'campaigns.view',
  company: 'given',
});

export const getCampaign = endpoint<typeof operations.getCampaign>({
  name: 'getCampaign',
  method: 'GET',
  path: '/campaigns/{id}',
  permission: 'campaigns.view',
  company: 'object',
});

export const listCampaignEvents = endpoint<typeof operations.listCampaignEvents>({
  name: 'listCampaignEvents',
  method: 'GET',
  path: '/campaigns/{id}/events',
  permission: 'campaigns.view',
  company: 'object',
});

export const previewCampaign = endpoint<typeof operations.previewCampaign>({
  name: 'previewCampaign',
  method: 'GET',
  path: '/campaigns/{id}/preview',
  permission: 'campaigns.view',
  company: 'object',
});

export const createCampaign = endpoint<typeof operations.createCampaign>({
  name: 'createCampaign',
  method: 'POST',
  path: '/campaigns',
  permission: 'campaigns.draft',
  company: 'given',
  multipart: true,
});

export const updateCampaign = endpoint<typeof operations.updateCampaign>({
  name: 'updateCampaign',
  method: 'POST',
  path: '/campaigns/{id}',
  permission: 'campaigns.draft',
  company: 'object',
  multipart: true,
});

export const patchCampaign = endpoint<typeof operations.patchCampaign>({
  name: 'patchCampaign',
  method: 'PATCH',
  path: '/campaigns/{id}',
  permission: 'campaigns.draft',
  company: 'object',
  multipart: true,
});

export const deleteCampaign = endpoint<typeof operations.deleteCampaign>({
  name: 'deleteCampaign',
  method: 'DELETE',
  path: '/campaigns/{id}',
  permission: 'campaigns.draft',
  company: 'object',
});

export const pauseCampaign = endpoint<typeof operations.pauseCampaign>({
  name: 'pauseCampaign',
  method: 'POST',
  path: '/campaigns/{id}/pause',
  permission: 'campaigns.send',
  company: 'object',
});

export const resumeCampaign = endpoint<typeof operations.resumeCampaign>({
  name: 'resumeCampaign',
  method: 'POST',
  path: '/campaigns/{id}/resume',
  permission: 'campaigns.send',
  company: 'object',
});

export const cancelCampaign = endpoint<typeof operations.cancelCampaign>({
  name: 'cancelCampaign',
  method: 'POST',
  path: '/campaigns/{id}/cancel',
  permission: 'campaigns.send',
  company: 'object',
});

export const duplicateCampaign = endpoint<typeof operations.duplicateCampaign>({
  name: 'duplicateCampaign',
  method: 'POST',
  path: '/campaigns/{id}/duplicate',
  permission: 'campaigns.draft',
  company: 'object',
});

export const approveCampaign = endpoint<typeof operations.approveCampaign>({
  name: 'approveCampaign',
  method: 'POST',
  path: '/campaigns/{id}/approve',
  permission: 'campaigns.approve',
  company: 'object',
});

export const testCampaign = endpoint<typeof operations.testCampaign>({
  name: 'testCampaign',
  method: 'POST',
  path: '/campaigns/{id}/test',
  permission: 'campaigns.send',
  company: 'object',
});

export const previewUnsaved = endpoint<typeof operations.previewUnsaved>({
  name: 'previewUnsaved',
  method: 'POST',
  path: '/campaigns/preview',
  permission: 'campaigns.draft',
  company: 'given',
});
