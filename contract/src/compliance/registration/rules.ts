import { normalizePhone } from '../../phone.ts';
import { isRegionOf, stateNames } from '../../states.ts';
import {
  type BrandType,
  industries,
  type OptInType,
  type PlainUseCase,
  type UseCase,
  type VolumeBand,
} from './lists.ts';

interface Address {
  line1?: string | undefined;
  line2?: string | undefined;
  city?: string | undefined;
  state?: string | undefined;
  zip?: string | undefined;
  country?: string | undefined;
}

interface Contact {
  first_name?: string | undefined;
  last_name?: string | undefined;
  title?: string | undefined;
  email?: string | undefined;
  phone?: string | undefined;
}

export interface BrandFacts {
  type: BrandType | null;
  legal_name: string;
  dba: string;
  ein: string;
  registration_id_type: string | null;
  registration_id: string;
  stock_exchange: string | null;
  stock_symbol: string;
  industry: string | null;
  website: string;
  email: string;
  phone: string;
  support_email: string;
  support_phone: string;
  address: Address;
  contact: Contact;
}

export interface OptInFacts {
  type: OptInType | null;
  description: string;
  url: string;
  keywords: readonly string[];
  files: number;
}

export interface CampaignFacts {
  use_case: UseCase | null;
  sub_usecases: readonly PlainUseCase[];
  description: string;
  sample_messages: readonly string[];
  optins: readonly OptInFacts[];
  opt_in_message: string;
  opt_out_message: string;
  help_message: string;
  privacy_url: string;
  terms_url: string;
  monthly_volume: VolumeBand | null;
}

export const limits = {
  description: { least: 40, most: 4096 },
  samples: { least: 2, most: 5 },
  subUseCases: { least: 2, most: 5 },
  sample: { least: 20, most: 1024 },
  reply: { least: 20, most: 320 },
} as const;

const email = /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/;

/** A typed URL, with `https://` added when missing (B §5); null when invalid. */
export function webAddress(typed: string): string | null {
  const text = typed.trim();
  if (!text || /\s/.test(text)) return null;
  try {
    const url = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
    return /^https?:$/.test(url.protocol) && url.hostname.includes('.') && !url.username
      ? url.href
      : null;
  } catch {
    return null;
  }
}

/** EIN prefixes that the IRS has not assigned. */
const noEin = new Set([
  '00',
  '07',
  '08',
  '09',
  '17',
  '18',
  '19',
  '28',
  '29',
  '49',
  '69',
  '70',
  '78',
  '79',
  '89',
  '96',
  '97',
]);

/**
 * Whether this can be an EIN (nine digits, assigned prefix) or, in Canada, a business number (nine
 * digits).
 */
const mayBeEin = (typed: string, country: string): boolean => {
  const digits = einDigits(typed);
  return (
    digits !== null &&
    (country === 'CA'
      ? !/^0+$/.test(digits)
      : !noEin.has(digits.slice(0, 2)) && !/^(\d)\1*$/.test(digits))
  );
};

/**
 * Legal entity identifier (ISO 17442): 18 alphanumerics and two check digits; the whole is 1 modulo
 * 97.
 */
function isLei(id: string): boolean {
  if (!/^[A-Z0-9]{18}\d{2}$/.test(id)) return false;
  return (
    [...id].reduce(
      (rest, c) =>
        [...parseInt(c, 36).toString()].reduce((r, d) => (r * 10 + Number(d)) % 97, rest),
      0,
    ) === 1
  );
}

/** Format of each registration number, and the sentence when it does not match. */
const registrationIds: Readonly<Record<string, readonly [(id: string) => boolean, string]>> = {
  DUNS: [
    (id) => /^\d{9}$/.test(id.replace(/[\s-]/g, '')),
    'Enter the nine digits of the DUNS number.',
  ],
  GIIN: [
    (id) => /^[A-NP-Z0-9]{6}\.[A-NP-Z0-9]{5}\.(LE|SL|ME|BR|SF|SD|SS|SB|SP)\.\d{3}$/.test(id),
    'Enter the GIIN with its dots, such as 98Q96B.00000.LE.840.',
  ],
  LEI: [isLei, 'Enter the 20 characters of the LEI.'],
};

const countries = ['US', 'CA'] as const;

/**
 * The postal code of a state or province typed as code or name; other text is returned unchanged.
 */
export const regionCode = (typed: string): string => {
  const text = typed.trim();
  const named = Object.entries(stateNames).find(
    ([, name]) => name.toLowerCase() === text.toLowerCase(),
  );
  return named ? named[0] : text.length === 2 ? text.toUpperCase() : text;
};

const isPostalCode = (country: 'US' | 'CA', zip: string): boolean =>
  (country === 'CA' ? /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/i : /^\d{5}(-\d{4})?$/).test(zip.trim());

/** Registries accept only North American phone numbers. */
const isPhone = (typed: string): boolean => normalizePhone(typed)?.startsWith('+1') ?? false;

/**
 * The legal form that a company name implies, which registries ask for besides public, private or
 * non-profit. Without a hint: corporation.
 */
export function legalFormOf(
  legalName: string,
  type: BrandType | null,
): 'corporation' | 'llc' | 'partnership' | 'cooperative' | 'non_profit' {
  if (type === 'non_profit') return 'non_profit';
  const name = ` ${legalName
    .toLowerCase()
    .replace(/\./g, '')
    .replace(/[^a-z0-9]+/g, ' ')} `;
  if (/ (pllc|llc|limited liability (company|corporation)) /.test(name)) return 'llc';
  if (/ (lp|llp|lllp|limited partnership|partnership|partners) /.test(name)) return 'partnership';
  return / (co op|coop|cooperative|co operative) /.test(name) ? 'cooperative' : 'corporation';
}

/** An employer identification number: nine digits, shown as 12-3456789. */
export const einDigits = (typed: string): string | null => {
  const digits = typed.replace(/[\s-]/g, '');
  return /^\d{9}$/.test(digits) ? digits : null;
};

type MissingFields = Record<string, string>;

const need = (into: MissingFields, field: string, ok: unknown, text: string) => {
  if (!ok) into[field] = text;
};

/**
 * Problems of a brand by field, without the prefix `brand.`; empty: complete (A13). Pure, so that
 * the wizard shows the errors that submitting would return.
 */
export function missingBrandFields(b: BrandFacts): MissingFields {
  const m: MissingFields = {};
  need(m, 'type', b.type, 'Choose the business type.');
  need(m, 'legal_name', b.legal_name.trim(), 'Enter the legal name as registered.');
  const country = countries.find((one) => one === (b.address.country || 'US')) ?? null;
  need(
    m,
    'ein',
    mayBeEin(b.ein, country ?? 'US'),
    einDigits(b.ein) === null
      ? 'Enter the nine digits of the EIN.'
      : 'The IRS doesn’t issue EINs like this. Check the number.',
  );
  need(
    m,
    'industry',
    (industries as readonly string[]).includes(b.industry ?? ''),
    'Choose an industry from the list.',
  );
  need(m, 'website', webAddress(b.website), 'Enter the website, such as https://example.com.');
  need(m, 'email', email.test(b.email.trim()), 'Enter an email address.');
  need(
    m,
    'phone',
    isPhone(b.phone),
    b.phone.trim()
      ? 'Enter a US or Canadian phone number with area code.'
      : 'Enter a phone number.',
  );
  if (b.support_phone.trim())
    need(
      m,
      'support_phone',
      isPhone(b.support_phone),
      'Enter a US or Canadian phone number with area code.',
    );
  if (b.contact.phone?.trim())
    need(
      m,
      'contact.phone',
      isPhone(b.contact.phone),
      'Enter a US or Canadian phone number with area code.',
    );
  if (b.support_email.trim())
    need(m, 'support_email', email.test(b.support_email.trim()), 'Enter an email address.');
  if (b.type === 'publicly_traded') {
    need(
      m,
      'stock_exchange',
      b.stock_exchange,
      'Enter the stock exchange of the publicly traded company.',
    );
    need(
      m,
      'stock_symbol',
      b.stock_symbol.trim(),
      'Enter the stock symbol of the publicly traded company.',
    );
  }
  const shape = registrationIds[b.registration_id_type ?? ''];
  if (shape)
    need(
      m,
      'registration_id',
      shape[0](b.registration_id.trim().toUpperCase()),
      b.registration_id.trim() ? shape[1] : `Enter the ${b.registration_id_type} number.`,
    );
  if (b.registration_id.trim())
    need(m, 'registration_id_type', b.registration_id_type, 'Choose the type of number.');
  need(m, 'address.line1', b.address.line1?.trim(), 'Enter the street.');
  need(m, 'address.city', b.address.city?.trim(), 'Enter the city.');
  need(
    m,
    'address.country',
    country,
    'Only businesses in the United States and Canada can be registered.',
  );
  need(
    m,
    'address.state',
    isRegionOf(country ?? 'US', regionCode(b.address.state ?? '')),
    country === 'CA' ? 'Enter a Canadian province, such as ON.' : 'Enter a US state, such as NY.',
  );
  need(
    m,
    'address.zip',
    isPostalCode(country ?? 'US', b.address.zip ?? ''),
    country === 'CA' ? 'Enter a postal code, such as M5V 3L9.' : 'Enter a five-digit ZIP code.',
  );
  need(m, 'contact.first_name', b.contact.first_name?.trim(), 'Enter the first name.');
  need(m, 'contact.last_name', b.contact.last_name?.trim(), 'Enter the last name.');
  need(m, 'contact.email', email.test(b.contact.email?.trim() ?? ''), 'Enter an email address.');
  return m;
}

/** Problems of a campaign by field, without the prefix `campaign.`; empty: complete. */
export function missingCampaignFields(c: CampaignFacts): MissingFields {
  const m: MissingFields = {};
  need(m, 'use_case', c.use_case, 'Choose the purpose of the texts.');
  if (c.use_case === 'MIXED') {
    const { least, most } = limits.subUseCases;
    need(
      m,
      'sub_usecases',
      new Set(c.sub_usecases).size >= least && c.sub_usecases.length <= most,
      `Choose ${least} to ${most} use cases for a mixed campaign.`,
    );
  }
  const said = c.description.trim().length;
  need(
    m,
    'description',
    said >= limits.description.least && said <= limits.description.most,
    `Enter a description of ${limits.description.least} to ${limits.description.most} characters.`,
  );
  const samples = c.sample_messages.filter((s) => s.trim());
  need(
    m,
    'sample_messages',
    samples.length >= limits.samples.least && c.sample_messages.length <= limits.samples.most,
    `Enter ${limits.samples.least} to ${limits.samples.most} sample messages.`,
  );
  c.sample_messages.forEach((s, i) => {
    if (s.trim())
      need(
        m,
        `sample_messages.${i}`,
        s.trim().length >= limits.sample.least,
        `Enter at least ${limits.sample.least} characters for each sample.`,
      );
  });
  need(m, 'optins', c.optins.length, 'Enter how people agree to receive texts.');
  c.optins.forEach((o, i) => {
    need(m, `optins.${i}.type`, o.type, 'Choose an opt-in method.');
    need(
      m,
      `optins.${i}.description`,
      o.description.trim(),
      'Describe what people see and do to opt in.',
    );
    if (o.type === 'text_to_join')
      need(m, `optins.${i}.keywords`, o.keywords.length, 'Enter at least one keyword.');
    if (o.url.trim()) need(m, `optins.${i}.url`, webAddress(o.url), 'Enter a web address.');
  });
  const { least: shortest, most: longest } = limits.reply;
  for (const [field, when] of [
    ['opt_in_message', 'join'],
    ['opt_out_message', 'stop'],
    ['help_message', 'text HELP'],
  ] as const) {
    const length = c[field].trim().length;
    need(
      m,
      field,
      length >= shortest && length <= longest,
      length
        ? `Enter ${shortest} to ${longest} characters.`
        : `Enter the message people get when they ${when}.`,
    );
  }
  need(m, 'privacy_url', webAddress(c.privacy_url), 'Enter the URL of your privacy policy.');
  if (c.terms_url.trim()) need(m, 'terms_url', webAddress(c.terms_url), 'Enter a web address.');
  need(m, 'monthly_volume', c.monthly_volume, 'Choose a monthly message volume.');
  return m;
}

/**
 * Names a sample may mention a brand by: trade name, or legal name with or without its legal form.
 */
const namesOf = (b: Pick<BrandFacts, 'legal_name' | 'dba'>): string[] =>
  [
    b.dba,
    b.legal_name.replace(
      /[\s,]+(inc|llc|l\.l\.c|ltd|corp|corporation|company|co|plc|gmbh|pllc|pc)\.?$/i,
      '',
    ),
    b.legal_name,
  ]
    .map((n) => n.trim())
    .filter((n) => n.length > 1);

const plain = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

export const mentionsBrand = (sample: string, b: Pick<BrandFacts, 'legal_name' | 'dba'>): boolean =>
  namesOf(b).some((n) => ` ${plain(sample)} `.includes(` ${plain(n)} `));

/** Whether the sample contains STOP as a separate word. */
export const mentionsStop = (sample: string): boolean => /(^|[^a-z])stop([^a-z]|$)/i.test(sample);

/** Toll-free review needs proof to look at: a file or a URL; a keyword is not enough. */
export const hasVisibleProof = (o: OptInFacts): boolean => o.files > 0 || Boolean(o.url.trim());

export const hasProof = (o: OptInFacts): boolean =>
  o.files > 0 || Boolean(o.url.trim()) || (o.type === 'text_to_join' && o.keywords.length > 0);

/** Whether a privacy policy mentions texting, and says that data is not shared. */
export function checkPrivacyPage(page: string): { sms: boolean; notShared: boolean } {
  const text = page
    .replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&[a-z#0-9]+;/gi, ' ')
    .replace(/\s+/g, ' ');
  return {
    sms: /\b(sms|text messag\w*|texting|texts)\b/i.test(text),
    notShared:
      /\b(not|never|no)\b[^.!?]{0,160}\b(shar\w+|sell\w*|sold|rent\w*|disclos\w+|third part\w+)/i.test(
        text,
      ),
  };
}
