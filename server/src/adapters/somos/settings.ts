import { adapterSettings, namesOfEmpty } from '../../platform/settings/adapter-settings.ts';
import { cents, text, url, variable } from '../../platform/settings/variable.ts';

/** The toll-free registry. */
export interface SomosSettings {
  url: string;
  username: string;
  password: string;
  respOrg: string;
  contact: { name: string; phone: string };
  /** Monthly cost of a number in US cents. */
  cents: number;
}

/** Null: CARRIER does not name somos. */
export const somosSettings = adapterSettings(
  'somos',
  {
    SOMOS_URL: variable(
      url('http:', 'https:').optional(),
      '',
      'Somos: URL of its TFNRegistry API, from Somos',
      { example: 'https://…', secret: true },
    ),
    SOMOS_USERNAME: variable(
      text.optional(),
      '',
      'Somos: an API user of your responsible organization',
      { example: '…' },
    ),
    SOMOS_PASSWORD: variable(text.optional(), '', 'Somos: that user’s password', {
      example: '…',
      secret: true,
    }),
    SOMOS_RESP_ORG: variable(
      text
        .regex(
          /^[A-Z0-9]{5}$/,
          'must be the five letters and digits of your responsible organization',
        )
        .optional(),
      '',
      'Somos: the responsible organization that numbers are reserved for',
      { example: 'TRK01' },
    ),
    SOMOS_CONTACT_NAME: variable(text.optional(), '', 'Somos: contact person for reservations', {
      example: 'Ann Rivers',
    }),
    SOMOS_CONTACT_PHONE: variable(
      text.regex(/^\d{10}$/, 'must be ten digits').optional(),
      '',
      'Somos: that person’s phone number, ten digits',
      { example: '2125550147' },
    ),
    SOMOS_CENTS: variable(
      cents,
      '75',
      'Somos: monthly cost of a toll-free number by your contracts, in cents',
    ),
  },
  (read, { problem, carriers }): SomosSettings | null => {
    if (!carriers.includes('somos')) return null;
    if (carriers[0] === 'somos')
      problem(
        'CARRIER must name another carrier before somos: the registry reserves toll-free numbers and carries neither calls nor texts. Try CARRIER=twilio,somos',
      );
    const required = {
      SOMOS_URL: read('SOMOS_URL') ?? '',
      SOMOS_USERNAME: read('SOMOS_USERNAME') ?? '',
      SOMOS_PASSWORD: read('SOMOS_PASSWORD') ?? '',
      SOMOS_RESP_ORG: read('SOMOS_RESP_ORG') ?? '',
      SOMOS_CONTACT_NAME: read('SOMOS_CONTACT_NAME') ?? '',
      SOMOS_CONTACT_PHONE: read('SOMOS_CONTACT_PHONE') ?? '',
    };
    const missing = namesOfEmpty(required);
    if (missing.length) {
      problem(`CARRIER names somos, so ${missing.join(', ')} must be set`);
      return null;
    }
    return {
      url: required.SOMOS_URL.replace(/\/+$/, ''),
      username: required.SOMOS_USERNAME,
      password: required.SOMOS_PASSWORD,
      respOrg: required.SOMOS_RESP_ORG,
      contact: { name: required.SOMOS_CONTACT_NAME, phone: required.SOMOS_CONTACT_PHONE },
      cents: read('SOMOS_CENTS'),
    };
  },
);
