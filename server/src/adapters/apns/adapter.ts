import type { Adapter } from '../adapter.ts';
import { apnsSettings } from './settings.ts';

/** Apple's push service. Without its key it refuses every notification. */
export const apns: Adapter = {
  name: 'apns',
  settings: apnsSettings,
  gateways: {
    pushSender: async ({ settings }) => {
      const key = apnsSettings.of(settings);
      const refused = { state: 'refused', reason: 'APNS_KEY is not set.' } as const;
      const sender = key ? (await import('./push.ts')).apnsPush(key) : null;
      return {
        kind: 'apns_voip',
        send: async (target, note) => sender?.send(target, note) ?? refused,
      };
    },
  },
};
