import { expect, test } from 'vitest';
import { campaigns } from '#contract';
import { CampaignForm } from '../src/features/campaigns/editor/CampaignForm.tsx';
import { requestsTo, screen, renderScreen, waitFor } from './screen.tsx';

test('a campaign without a title isn’t saved', async () => {
  const { user } = renderScreen(<CampaignForm campaign={null} />, { address: '/campaigns/new' });
  await user.click(await screen.findByRole('button', { name: 'Save draft' }));
  await screen.findByText('Enter a title.');
  expect(requestsTo(campaigns.createCampaign)).toEqual([]);
});

test('a tag is inserted at the caret as a chip with its name, and takes a fallback', async () => {
  const { user } = renderScreen(<CampaignForm campaign={null} />, { address: '/campaigns/new' });
  const message = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });
  const shown = () => message.value.replaceAll('\u2063', '');
  await user.type(message, 'Dear ');
  await user.click(screen.getByRole('button', { name: 'First name' }));
  await waitFor(() => expect(shown()).toBe('Dear First name'));
  expect(
    [...document.querySelectorAll('mark')].map((chip) =>
      chip.textContent!.replaceAll('\u2063', ''),
    ),
  ).toEqual(['First name']);
  await user.type(
    await screen.findByRole('textbox', { name: 'Fallback when first name is missing' }),
    'guest',
  );
  expect(shown()).toBe('Dear First name');
  await user.type(screen.getByRole('textbox', { name: 'Title' }), 'Recall');
  await user.click(screen.getByRole('button', { name: 'Save draft' }));
  await waitFor(() =>
    expect(requestsTo(campaigns.createCampaign).map(({ body }) => body.text)).toEqual([
      'Dear {{first_name|guest}}',
    ]),
  );
});

test('the character count says that it includes the opt-out line, and is 0 for an empty message', async () => {
  const { user } = renderScreen(<CampaignForm campaign={null} />, { address: '/campaigns/new' });
  await screen.findByText('0 of 1,000 characters');
  await user.type(screen.getByRole('textbox', { name: 'Message' }), 'A place is free');
  await screen.findByText('34 of 1,000 characters, opt-out line included');
});

test('a draft is saved with its title and text', async () => {
  const { user } = renderScreen(<CampaignForm campaign={null} />, { address: '/campaigns/new' });
  await user.type(await screen.findByRole('textbox', { name: 'Title' }), 'Recall');
  await user.type(screen.getByRole('textbox', { name: 'Message' }), 'A place is free');
  await user.click(screen.getByRole('button', { name: 'Save draft' }));
  await waitFor(() => expect(requestsTo(campaigns.createCampaign)).toHaveLength(1));
  expect(requestsTo(campaigns.createCampaign)[0]!.body).toMatchObject({
    company_id: 1,
    title: 'Recall',
    text: 'A place is free',
  });
});
