import { adapterSettings } from '../../platform/settings/adapter-settings.ts';
import { text, variable } from '../../platform/settings/variable.ts';

interface TelnyxSettings {
  apiKey: string;
  publicKey: string;
  faxAppId: string;
}

/** Null: FAX_CARRIER names another one. */
export const telnyxSettings = adapterSettings(
  'telnyx',
  {
    TELNYX_API_KEY: variable(text.optional(), '', 'Telnyx: API key for sending faxes', {
      example: 'KEY…',
      secret: true,
    }),
    TELNYX_PUBLIC_KEY: variable(
      text.optional(),
      '',
      'Telnyx: the account’s public key; verifies its webhooks',
      { example: 'the key shown under Keys & Credentials', secret: true },
    ),
    TELNYX_FAX_APP_ID: variable(
      text.optional(),
      '',
      'Telnyx: the programmable fax application for faxes',
      { example: '1293384261075731499' },
    ),
  },
  (read, { problem, faxCarrier }): TelnyxSettings | null => {
    if (faxCarrier !== 'telnyx') return null;
    const settings = {
      apiKey: read('TELNYX_API_KEY') ?? '',
      publicKey: read('TELNYX_PUBLIC_KEY') ?? '',
      faxAppId: read('TELNYX_FAX_APP_ID') ?? '',
    };
    if (!settings.apiKey || !settings.publicKey || !settings.faxAppId)
      problem('FAX_CARRIER=telnyx needs TELNYX_API_KEY, TELNYX_PUBLIC_KEY and TELNYX_FAX_APP_ID');
    return settings;
  },
);
