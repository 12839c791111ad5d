/**
 * Made-up identities for the demo and for companies in test mode; always labeled `simulated`.
 * Toll-free numbers are businesses. Otherwise the last two digits decide: 00–49 a person with a
 * mobile, 50–74 a business with a landline, 75–89 a VoIP number without a name, 90–99 not found.
 */
import type {
  CallerLookupResult,
  CallerIdentity,
  CallerIdentityGateway,
} from '../../gateways/caller-identity.ts';
import { mustBe } from '../../platform/must-be.ts';

const firstNames = [
  'Alex',
  'Blair',
  'Casey',
  'Dana',
  'Ellis',
  'Frankie',
  'Gale',
  'Harper',
  'Indigo',
  'Jules',
  'Kit',
  'Lane',
  'Marlow',
  'Noel',
  'Oakley',
  'Quinn',
];
const lastNames = [
  'Abbott',
  'Birch',
  'Calder',
  'Dunn',
  'Easton',
  'Finch',
  'Garland',
  'Holt',
  'Ives',
  'Keller',
  'Lowell',
  'Mercer',
  'North',
  'Pruitt',
  'Reyes',
  'Stone',
  'Thorne',
  'Vale',
  'Winters',
];
const trades = [
  ['Roofing', 'construction'],
  ['Dental', 'healthcare'],
  ['Motors', 'retail'],
  ['Legal', 'legal'],
  ['Bakery', 'hospitality'],
  ['Plumbing', 'construction'],
  ['Realty', 'real estate'],
] as const;
const emptyIdentity: Omit<CallerIdentity, 'name' | 'type' | 'line_type' | 'carrier'> = {
  is_prepaid: null,
  is_commercial: null,
  age_range: null,
  gender: null,
  emails: [],
  addresses: [],
  alternate_phones: [],
  business: null,
  source: 'simulated',
};

/** `always`: for every company (the demo); otherwise only for companies in test mode. */
export const simulatedIdentities = (always: boolean): CallerIdentityGateway => ({
  name: 'simulated',
  lookUp: async ({ number, testMode }): Promise<CallerLookupResult> => {
    if (!always && !testMode) return { state: 'notConfigured' };
    const identity = simulateIdentity(number);
    return identity
      ? { state: 'found', identity, billable: false }
      : { state: 'notFound', source: 'simulated', billable: false };
  },
});

/** The same for the same number; null when none is found. */
export function simulateIdentity(number: string): CallerIdentity | null {
  const digits = number.replace(/\D/g, '').slice(-10).padStart(10, '0');
  const seed = [...digits].reduce((n, d) => (n * 31 + Number(d)) % 99_991, 7);
  const pick = <T>(list: readonly T[], factor = 1): T =>
    mustBe(list[(seed * factor) % list.length], 'entry of a list with entries');
  const last = Number(digits.slice(-2));
  const surname = pick(lastNames, 7);
  const business = (line_type: 'toll_free' | 'landline'): CallerIdentity => {
    const [trade, industry] = pick(trades, 3);
    return {
      ...emptyIdentity,
      name: `${surname} ${trade}`,
      type: 'business',
      line_type,
      carrier: 'Simulated Telephone',
      is_prepaid: false,
      is_commercial: true,
      business: { name: `${surname} ${trade}`, industry },
    };
  };
  if (/^8(00|33|44|55|66|77|88)/.test(digits)) return business('toll_free');
  if (last >= 90) return null;
  if (last >= 75)
    return {
      ...emptyIdentity,
      name: null,
      type: 'unknown',
      line_type: 'voip',
      carrier: 'Simulated Internet Calls',
      is_commercial: false,
    };
  if (last >= 50) return business('landline');
  return {
    ...emptyIdentity,
    name: `${pick(firstNames)} ${surname}`,
    type: 'person',
    line_type: 'mobile',
    carrier: 'Simulated Wireless',
    is_prepaid: last % 5 === 0,
    is_commercial: false,
    age_range: pick(['25-29', '35-39', '45-49', '60-64'], 5),
  };
}
