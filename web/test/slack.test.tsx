import { expect, test } from 'vitest';
import { oauthIntegrations, slack } from '#contract';
import Slack from '../src/features/integrations/screens/Slack.tsx';
import {
  errorReply,
  exampleAnswer,
  mockReply,
  renderScreen,
  requestsTo,
  screen,
  waitFor,
  within,
} from './screen.tsx';

const workspace = exampleAnswer(slack.configureSlack).data;
const offered = [{ name: 'slackbot', label: 'Slack', ready: true, delivers: true, setup: null }];
const withWorkspace = (more: Partial<typeof workspace> = {}) =>
  mockReply(oauthIntegrations.listOAuthIntegrations, {
    data: [{ ...workspace, ...more }],
    providers: offered,
    meta: { simulated: true },
  });

test('without a workspace the page offers to connect one', async () => {
  mockReply(oauthIntegrations.listOAuthIntegrations, {
    data: [],
    providers: offered,
    meta: { simulated: false },
  });
  renderScreen(<Slack />);
  await screen.findByText('Slack isn’t connected');
  screen.getByRole('button', { name: 'Connect Slack' });
});

test('a channel is added to those that are set, and the first one turns the workspace on', async () => {
  withWorkspace({ status: 'connected' });
  mockReply(slack.listSlackChannels, {
    data: [{ id: 'C0SALES', name: 'sales', is_private: true }],
  });
  const { user } = renderScreen(<Slack />);
  await screen.findByText('#front-desk');
  await user.click(screen.getByRole('button', { name: 'Add channel' }));
  const dialog = await screen.findByRole('dialog');
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  await within(dialog).findByText('Choose a channel.');
  await user.click(within(dialog).getByRole('combobox', { name: /^Channel/ }));
  await user.click(await screen.findByText('#sales (private)'));
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(requestsTo(slack.configureSlack)).toHaveLength(1));
  const [request] = requestsTo(slack.configureSlack);
  expect(request?.body).toMatchObject({
    config: {
      channels: [
        { id: 'C0FRONT' },
        {
          id: 'C0SALES',
          name: 'sales',
          rules: [{ event: 'call.missed' }, { event: 'voicemail' }, { event: 'message.received' }],
        },
      ],
    },
  });
  await waitFor(() =>
    expect(requestsTo(oauthIntegrations.activateOAuthIntegration)).toHaveLength(1),
  );
});

test('what Slack says of a channel stands at the field', async () => {
  withWorkspace();
  mockReply(slack.listSlackChannels, {
    data: [{ id: 'C0OLD', name: 'old', is_private: false }],
  });
  const sentence = 'The channel is archived. Choose another one.';
  mockReply(
    slack.configureSlack,
    errorReply(422, {
      errors: { 'config.channels.1.id': [sentence] },
      message: sentence,
    }),
  );
  const { user } = renderScreen(<Slack />);
  await user.click(await screen.findByRole('button', { name: 'Add channel' }));
  const dialog = await screen.findByRole('dialog');
  await user.click(within(dialog).getByRole('combobox', { name: /^Channel/ }));
  await user.click(await screen.findByText('#old'));
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  await within(dialog).findByText(sentence);
});

test('quiet hours hold for the workspace and keep its channels', async () => {
  withWorkspace();
  const { user } = renderScreen(<Slack />);
  await user.click(await screen.findByRole('button', { name: 'Settings' }));
  const dialog = await screen.findByRole('dialog');
  await user.click(within(dialog).getByLabelText(/^Quiet hours/));
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(requestsTo(slack.configureSlack)).toHaveLength(1));
  expect(requestsTo(slack.configureSlack)[0]?.body).toMatchObject({
    config: { channels: [{ id: 'C0FRONT' }], quiet_hours: { from: '20:00', to: '07:00' } },
  });
});
