import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

const path = '/companies/{companyId}/sms-verification/campaign';

export const listSmsCampaigns = endpoint<typeof operations.listSmsCampaigns>({
  name: 'listSmsCampaigns',
  method: 'GET',
  path,
  permission: 'smsVerification.view',
  company: 'path',
});

export const getSmsCampaign = endpoint<typeof operations.getSmsCampaign>({
  name: 'getSmsCampaign',
  method: 'GET',
  path: `${path}/{id}`,
  permission: 'smsVerification.view',
  company: 'path',
});

export const createSmsCampaign = endpoint<typeof operations.createSmsCampaign>({
  name: 'createSmsCampaign',
  method: 'POST',
  path,
  permission: 'smsVerification.edit',
  company: 'path',
  multipart: true,
});

export const updateSmsCampaign = endpoint<typeof operations.updateSmsCampaign>({
  name: 'updateSmsCampaign',
  method: 'PUT',
  path: `${path}/{id}`,
  permission: 'smsVerification.edit',
  company: 'path',
  multipart: true,
});

export const submitSmsCampaign = endpoint<typeof operations.submitSmsCampaign>({
  name: 'submitSmsCampaign',
  method: 'POST',
  path: `${path}/{id}/submit`,
  permission: 'smsVerification.edit',
  company: 'path',
});

export const deleteSmsCampaign = endpoint<typeof operations.deleteSmsCampaign>({
  name: 'deleteSmsCampaign',
  method: 'DELETE',
  path: `${path}/{id}`,
  permission: 'smsVerification.edit',
  company: 'path',
});

export const cancelSmsCampaign = endpoint<typeof operations.cancelSmsCampaign>({
  name: 'cancelSmsCampaign',
  method: 'POST',
  path: `${path}/{id}/cancel`,
  permission: 'smsVerification.edit',
  company: 'path',
});

export const addSmsCampaignNumbers = endpoint<typeof operations.addSmsCampaignNumbers>({
  name: 'addSmsCampaignNumbers',
  method: 'POST',
  path: `${path}/{id}/add-numbers`,
  permission: 'smsVerification.edit',
  company: 'path',
});

export const removeSmsCampaignNumbers = endpoint<typeof operations.removeSmsCampaignNumbers>({
  name: 'removeSmsCampaignNumbers',
  method: 'POST',
  path: `${path}/{id}/remove-numbers`,
  permission: 'smsVerification.edit',
  company: 'path',
});
