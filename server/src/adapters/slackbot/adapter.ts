import type { Adapter } from '../adapter.ts';
import { oauthAppSettings } from '../shared/oauth-app.ts';

const slackSettings = oauthAppSettings('slackbot', {
  prefix: 'SLACK',
  label: 'Slack',
  about: '; turn on token rotation',
  example: '1234567890.1234567890123',
  api: 'https://slack.com',
});

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
