import type { Adapter } from '../adapter.ts';

/** Mail that is shown at /dev/outbox instead of being sent. */
export const mailOutbox: Adapter = {
  name: 'outbox',
  gateways: { mail: async () => (await import('./mail.ts')).mailOutbox },
  web: async (app, { db, settings }) => {
    if (settings.sendsMail || settings.production) return;
    await app.register((await import('./mail.ts')).outboxPage(db, settings.appSecrets));
  },
};
