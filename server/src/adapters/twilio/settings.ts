import { adapterSettings } from '../../platform/settings/adapter-settings.ts';
import { booleanFlag, text, url, variable } from '../../platform/settings/variable.ts';

export interface TwilioSettings {
  accountSid: string;
  /** Also verifies webhooks. */
  authToken: string;
  /** Null: requests use the account's token. */
  apiKey: { sid: string; secret: string } | null;
  appSid: string | null;
  messagingServiceSid: string | null;
  /** The account’s own customer profile; null: businesses register without it. */
  customerProfileSid: string | null;
  deleteRecordings: boolean;
  /** Origin every request goes to instead of Twilio's own hosts. */
  apiUrl: string | null;
  /** Milliseconds one request may take in all; left out: 15 seconds. */
  patienceMs?: number;
}

/** Null: the account is not set, which is a problem when CARRIER names twilio. */
export const twilioSettings = adapterSettings(
  'twilio',
  {
    TWILIO_ACCOUNT_SID: variable(
      text
        .regex(/^AC[0-9a-f]{32}$/, 'must begin with AC and hold 32 more hexadecimal digits')
        .optional(),
      '',
      'Twilio: the account',
      { example: 'AC…' },
    ),
    TWILIO_AUTH_TOKEN: variable(
      text.optional(),
      '',
      'Twilio: the account’s token; also verifies its webhooks',
      { example: '…', secret: true },
    ),
    TWILIO_API_KEY: variable(
      text
        .regex(/^SK[0-9a-f]{32}$/, 'must begin with SK and hold 32 more hexadecimal digits')
        .optional(),
      '',
      'Twilio: a key for requests and for Twilio browser tokens; without it the account’s token is used',
      { example: 'SK…', secret: true },
    ),
    TWILIO_API_SECRET: variable(text.optional(), '', 'Twilio: that key’s secret', {
      example: '…',
      secret: true,
    }),
    TWILIO_APP_SID: variable(
      text
        .regex(/^AP[0-9a-f]{32}$/, 'must begin with AP and hold 32 more hexadecimal digits')
        .optional(),
      '',
      'Twilio: the TwiML application for calls placed in Twilio browsers',
      { example: 'AP…' },
    ),
    TWILIO_MESSAGING_SERVICE_SID: variable(
      text
        .regex(/^MG[0-9a-f]{32}$/, 'must begin with MG and hold 32 more hexadecimal digits')
        .optional(),
      '',
      'Twilio: send texts through this messaging service, keeping the sending number',
      { example: 'MG…' },
    ),
    TWILIO_CUSTOMER_PROFILE_SID: variable(
      text
        .regex(/^BU[0-9a-f]{32}$/, 'must begin with BU and hold 32 more hexadecimal digits')
        .optional(),
      '',
      'Twilio: the account’s own approved customer profile, which vouches for the businesses registered here',
      { example: 'BU…' },
    ),
    TWILIO_DELETE_RECORDINGS: variable(
      booleanFlag,
      '1',
      'Twilio: `1` deletes recordings there once they are copied here',
    ),
    TWILIO_API_URL: variable(
      url('http:', 'https:').optional(),
      '',
      'Twilio: URL of its API; only for tests and proxies',
      { internal: true, example: 'https://api.twilio.com', secret: true },
    ),
  },
  (read, { problem, carriers }): TwilioSettings | null => {
    const [accountSid, authToken] = [read('TWILIO_ACCOUNT_SID'), read('TWILIO_AUTH_TOKEN')];
    const [sid, secret] = [read('TWILIO_API_KEY'), read('TWILIO_API_SECRET')];
    if ((sid === undefined) !== (secret === undefined))
      problem('TWILIO_API_KEY and TWILIO_API_SECRET belong together. Set both, or neither');
    if (!accountSid || !authToken) {
      if (carriers.includes('twilio'))
        problem(
          'CARRIER names twilio, so TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN must be set. Both are on the first page of the Twilio console',
        );
      return null;
    }
    return {
      accountSid,
      authToken,
      apiKey: sid && secret ? { sid, secret } : null,
      appSid: read('TWILIO_APP_SID') ?? null,
      messagingServiceSid: read('TWILIO_MESSAGING_SERVICE_SID') ?? null,
      customerProfileSid: read('TWILIO_CUSTOMER_PROFILE_SID') ?? null,
      deleteRecordings: read('TWILIO_DELETE_RECORDINGS'),
      apiUrl: read('TWILIO_API_URL')?.replace(/\/+$/, '') ?? null,
    };
  },
);
