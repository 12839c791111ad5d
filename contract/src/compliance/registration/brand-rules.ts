import { normalizePhone } from '../../phone.ts';
import { isRegionOf, stateNames } from '../../states.ts';
import { einDigits, mayBeEin, registrationIds } from './business-ids.ts';
import { type BrandType, industries } from './lists.ts';
import { isEmail, need, webAddress, type MissingFields } from './requirements.ts';

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

/** Problems of the legal entity: type, name, tax number and industry. */
function needEntity(m: MissingFields, b: BrandFacts, country: 'US' | 'CA' | null): void {
  need(m, 'type', b.type, 'Choose the business type.');
  need(m, 'legal_name', b.legal_name.trim(), 'Enter the legal name as registered.');
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
}

/** Problems of the website and the ways to reach the business and its support. */
function needReachability(m: MissingFields, b: BrandFacts): void {
  need(m, 'website', webAddress(b.website), 'Enter the website, such as https://example.com.');
  need(m, 'email', isEmail(b.email.trim()), 'Enter an email address.');
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
    need(m, 'support_email', isEmail(b.support_email.trim()), 'Enter an email address.');
}

/** Problems of the stock listing and of the registration number besides the EIN. */
function needRegistrationNumbers(m: MissingFields, b: BrandFacts): void {
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
}

function needAddress(m: MissingFields, b: BrandFacts, country: 'US' | 'CA' | null): void {
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
}

/**
 * Problems of a brand by field, without the prefix `brand.`; empty: complete (A13). Pure, so that
 * the wizard shows the errors that submitting would return.
 */
export function missingBrandFields(b: BrandFacts): MissingFields {
  const m: MissingFields = {};
  const country = countries.find((one) => one === (b.address.country || 'US')) ?? null;
  needEntity(m, b, country);
  needReachability(m, b);
  needRegistrationNumbers(m, b);
  needAddress(m, b, country);
  need(m, 'contact.first_name', b.contact.first_name?.trim(), 'Enter the first name.');
  need(m, 'contact.last_name', b.contact.last_name?.trim(), 'Enter the last name.');
  need(m, 'contact.email', isEmail(b.contact.email?.trim() ?? ''), 'Enter an email address.');
  return m;
}
