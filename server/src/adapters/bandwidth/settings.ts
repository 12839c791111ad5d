import { adapterSettings, namesOfEmpty } from '../../platform/settings/adapter-settings.ts';
import {
  addresses,
  booleanFlag,
  cents,
  text,
  url,
  variable,
} from '../../platform/settings/variable.ts';

export interface BandwidthSettings {
  accountId: string;
  username: string;
  password: string;
  messagingApplicationId: string;
  /** Null: no calls. */
  voiceApplicationId: string | null;
  deleteRecordings: boolean;
  siteId: string;
  peerId: string;
  /** Null: webhooks bring no credentials. */
  webhook: { username: string; password: string } | null;
  /** Addresses and networks that webhooks may come from; empty: anywhere. */
  addresses: string[];
  localCents: number;
  tollFreeCents: number;
  /**
   * Origin every request goes to instead of Bandwidth's own hosts, with the API's name as the first
   * part of the path.
   */
  apiUrl: string | null;
  /** Milliseconds one request may take in all; left out: 15 seconds. */
  patienceMs?: number;
}

/** Null: the account is not set, which is a problem when CARRIER names bandwidth. */
export const bandwidthSettings = adapterSettings(
  'bandwidth',
  {
    BANDWIDTH_ACCOUNT_ID: variable(
      text.regex(/^\d{4,10}$/, 'must be the account’s number').optional(),
      '',
      'Bandwidth: account number',
      { example: '9900000' },
    ),
    BANDWIDTH_USERNAME: variable(text.optional(), '', 'Bandwidth: an API user of the account', {
      example: '…',
    }),
    BANDWIDTH_PASSWORD: variable(text.optional(), '', 'Bandwidth: that user’s password', {
      example: '…',
      secret: true,
    }),
    BANDWIDTH_MESSAGING_APPLICATION_ID: variable(
      text.optional(),
      '',
      'Bandwidth: the messaging application of our numbers’ location',
      { example: '…' },
    ),
    BANDWIDTH_VOICE_APPLICATION_ID: variable(
      text.optional(),
      '',
      'Bandwidth: the voice application of that location; without it numbers can only text',
      { example: '…' },
    ),
    BANDWIDTH_DELETE_RECORDINGS: variable(
      booleanFlag,
      '1',
      'Bandwidth: `1` deletes recordings there once they are copied here; otherwise Bandwidth deletes them after 30 days',
    ),
    BANDWIDTH_SITE_ID: variable(
      text.optional(),
      '',
      'Bandwidth: the sub-account (site) numbers are ordered into',
      { example: '…' },
    ),
    BANDWIDTH_PEER_ID: variable(text.optional(), '', 'Bandwidth: the location (SIP peer) in it', {
      example: '…',
    }),
    BANDWIDTH_WEBHOOK_USERNAME: variable(
      text.optional(),
      '',
      'Bandwidth: the user name its webhooks send',
      { example: '…' },
    ),
    BANDWIDTH_WEBHOOK_PASSWORD: variable(
      text.optional(),
      '',
      'Bandwidth: the password its webhooks send',
      { example: '…', secret: true },
    ),
    BANDWIDTH_ADDRESSES: variable(
      addresses,
      '',
      'Bandwidth: only webhooks from these addresses or networks are accepted, separated by commas. Empty: from anywhere',
    ),
    BANDWIDTH_LOCAL_CENTS: variable(
      cents,
      '35',
      'Bandwidth: monthly cost of a local number by your contract, in cents',
    ),
    BANDWIDTH_TOLL_FREE_CENTS: variable(
      cents,
      '75',
      'Bandwidth: monthly cost of a toll-free number by your contract, in cents',
    ),
    BANDWIDTH_API_URL: variable(
      url('http:', 'https:').optional(),
      '',
      'Bandwidth: URL of its APIs; only for tests and proxies',
      { internal: true, example: 'https://bandwidth.example.com', secret: true },
    ),
  },
  (read, { problem, carriers }): BandwidthSettings | null => {
    const [username, password] = [
      read('BANDWIDTH_WEBHOOK_USERNAME'),
      read('BANDWIDTH_WEBHOOK_PASSWORD'),
    ];
    if ((username === undefined) !== (password === undefined))
      problem(
        'BANDWIDTH_WEBHOOK_USERNAME and BANDWIDTH_WEBHOOK_PASSWORD belong together. Set both, or neither',
      );
    const required = {
      BANDWIDTH_ACCOUNT_ID: read('BANDWIDTH_ACCOUNT_ID') ?? '',
      BANDWIDTH_USERNAME: read('BANDWIDTH_USERNAME') ?? '',
      BANDWIDTH_PASSWORD: read('BANDWIDTH_PASSWORD') ?? '',
      BANDWIDTH_MESSAGING_APPLICATION_ID: read('BANDWIDTH_MESSAGING_APPLICATION_ID') ?? '',
      BANDWIDTH_SITE_ID: read('BANDWIDTH_SITE_ID') ?? '',
      BANDWIDTH_PEER_ID: read('BANDWIDTH_PEER_ID') ?? '',
    };
    const missing = namesOfEmpty(required);
    if (missing.length) {
      if (carriers.includes('bandwidth'))
        problem(
          `CARRIER names bandwidth, so ${missing.join(', ')} must be set. You find them in the Bandwidth Dashboard`,
        );
      return null;
    }
    return {
      accountId: required.BANDWIDTH_ACCOUNT_ID,
      username: required.BANDWIDTH_USERNAME,
      password: required.BANDWIDTH_PASSWORD,
      messagingApplicationId: required.BANDWIDTH_MESSAGING_APPLICATION_ID,
      siteId: required.BANDWIDTH_SITE_ID,
      peerId: required.BANDWIDTH_PEER_ID,
      webhook: username && password ? { username, password } : null,
      addresses: read('BANDWIDTH_ADDRESSES'),
      voiceApplicationId: read('BANDWIDTH_VOICE_APPLICATION_ID') ?? null,
      deleteRecordings: read('BANDWIDTH_DELETE_RECORDINGS'),
      localCents: read('BANDWIDTH_LOCAL_CENTS'),
      tollFreeCents: read('BANDWIDTH_TOLL_FREE_CENTS'),
      apiUrl: read('BANDWIDTH_API_URL')?.replace(/\/+$/, '') ?? null,
    };
  },
);
