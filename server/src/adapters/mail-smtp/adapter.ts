import { adapterSettings } from '../../platform/settings/adapter-settings.ts';
import { url, variable } from '../../platform/settings/variable.ts';
import type { Adapter } from '../adapter.ts';

/** The mail server's URL; null: none is set. */
const smtpSettings = adapterSettings(
  'smtp',
  {
    SMTP_URL: variable(
      url('smtp:', 'smtps:').optional(),
      '',
      'Mail server; without it email only appears at `/dev/outbox`, and in production none is sent',
      { example: 'smtp://user:password@mail.example.com:587', secret: true },
    ),
  },
  (read) => read('SMTP_URL') ?? null,
);

/** Mail by SMTP. */
export const smtp: Adapter = {
  name: 'smtp',
  settings: smtpSettings,
  servers: (settings) => {
    const server = smtpSettings.of(settings);
    const defaultPort = server?.startsWith('smtps:') ? 465 : 25;
    return server === null ? [] : [{ variable: 'SMTP_URL', url: server, defaultPort }];
  },
  gateways: {
    mail: async ({ settings }) => {
      const server = smtpSettings.of(settings);
      if (server === null) throw new Error('SMTP_URL is not set.');
      return (await import('./mail.ts')).mailSmtp(server, settings.mailFrom);
    },
  },
};
