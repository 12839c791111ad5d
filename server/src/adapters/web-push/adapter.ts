import type { Settings } from '../../platform/settings.ts';
import type { Adapter } from '../adapter.ts';

/** Push notifications to browsers. */
export const webPushAdapter: Adapter = {
  name: 'web-push',
  gateways: {
    pushSender: async ({ settings }) => {
      const { vapidKeys, webPush } = await import('./push.ts');
      return {
        kind: 'web',
        send: webPush(settings.appSecrets.map(vapidKeys), contactOf(settings)),
      };
    },
  },
};

/** Who push services contact about us: our https URL, or the address that we send mail from. */
const contactOf = ({ publicUrl, mailFrom }: Settings): string =>
  publicUrl.startsWith('https:')
    ? publicUrl
    : `mailto:${/<([^>]+)>/.exec(mailFrom)?.[1] ?? mailFrom}`;
