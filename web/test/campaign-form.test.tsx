import { expect, test } from 'vitest';
import { campaigns } from '#contract';
import { CampaignForm } from '../src/features/campaigns/CampaignForm.tsx';
import { requests, screen, show, waitFor } from './screen.tsx';

test('a campaign without a title is not kept', async () => {
  const { user } = show(<CampaignForm campaign={null} />, { address: '/campaigns/new' });
  await user.click(await screen.findByRole('button', { name: 'Save draft' }));
  await screen.findByText('Give the campaign a title.');
  expect(requests(campaigns.createCampaign)).toEqual([]);
});

test('a tag is put in where one writes, with what stands there for those without', async () => {
  const { user } = show(<CampaignForm campaign={null} />, { address: '/campaigns/new' });
  const message = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });
  await user.type(message, 'Dear ');
  await user.click(screen.getByRole('button', { name: 'First name' }));
  await waitFor(() => expect(message.value).toBe('Dear {{first_name}}'));
  await user.type(await screen.findByRole('textbox', { name: 'What stands there without a first name' }), 'guest');
  await waitFor(() => expect(message.value).toBe('Dear {{first_name|guest}}'));
});

test('a draft is kept with what was written', async () => {
  const { user } = show(<CampaignForm campaign={null} />, { address: '/campaigns/new' });
  await user.type(await screen.findByRole('textbox', { name: 'Title' }), 'Recall');
  await user.type(screen.getByRole('textbox', { name: 'Message' }), 'A place is free');
  await user.click(screen.getByRole('button', { name: 'Save draft' }));
  await waitFor(() => expect(requests(campaigns.createCampaign)).toHaveLength(1));
  expect(requests(campaigns.createCampaign)[0]!.body).toMatchObject({ company_id: 1, title: 'Recall', text: 'A place is free' });
});
