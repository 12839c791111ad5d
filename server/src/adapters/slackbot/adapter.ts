import { adapterSettings } from '../../platform/settings/adapter-settings.ts';
import { text, url, variable } from '../../platform/settings/variable.ts';
import type { Adapter } from '../adapter.ts';
import type { SlackSettings } from './oauth.ts';

/** Its app is null where none is set: then only a simulated workspace can be connected, in the demo. */
const slackSettings = adapterSettings(
  'slackbot',
  {
    SLACK_CLIENT_ID: variable(
      text.optional(),
      '',
      'Slack: client ID of your app there; with its secret, companies can connect their workspaces. Its redirect URL is `PUBLIC_URL/api/oauth-integrations/slackbot/callback`; turn on token rotation',
      { example: '1234567890.1234567890123' },
    ),
    SLACK_CLIENT_SECRET: variable(text.optional(), '', 'Slack: that app’s client secret', {
      example: '…',
      secret: true,
    }),
    SLACK_API_URL: variable(
      url('http:', 'https:').optional(),
      '',
      'Slack: URL that its sign-in goes to instead of `https://slack.com`; only for tests and proxies',
      { example: 'https://slack.com', internal: true, secret: true },
    ),
  },
  (read, { problem }): { app: SlackSettings | null } => {
    const [clientId, clientSecret] = [read('SLACK_CLIENT_ID'), read('SLACK_CLIENT_SECRET')];
    if ((clientId === undefined) !== (clientSecret === undefined))
      problem('SLACK_CLIENT_ID and SLACK_CLIENT_SECRET belong together. Set both, or neither');
    if (!clientId || !clientSecret) return { app: null };
    const apiUrl = read('SLACK_API_URL')?.replace(/\/+$/, '') ?? null;
    return { app: { clientId, clientSecret, apiUrl } };
  },
);

/** Slack: channels that calls, texts and forms are posted to. */
export const slackbot: Adapter = {
  name: 'slackbot',
  settings: slackSettings,
  gateways: {
    oauth: async ({ settings }) => {
      const { app } = slackSettings.of(settings);
      return app ? [(await import('./oauth.ts')).slackOAuth(app)] : [];
    },
    lookups: async () => [(await import('./channels.ts')).slackChannels],
    destination: async () => (await import('./destination.ts')).slackDestination,
  },
  when: { oauth: (settings) => slackSettings.of(settings).app !== null },
};
