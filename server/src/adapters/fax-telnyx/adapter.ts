import type { Adapter } from '../adapter.ts';
import { telnyxSettings } from './settings.ts';

/** Telnyx: faxes. */
export const telnyx: Adapter = {
  name: 'telnyx',
  settings: telnyxSettings,
  gateways: {
    fax: async ({ settings }) => {
      const account = telnyxSettings.of(settings);
      if (!account) throw new Error('FAX_CARRIER names telnyx, but its account is not set.');
      return (await import('./fax.ts')).telnyxFax(account);
    },
  },
};
