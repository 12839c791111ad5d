import { matchNumber, templatesOf } from '#contract/numbers/vanity';
import type {
  AvailableNumber,
  NumberInventory,
  NumberQuery,
} from '../../gateways/number-inventory.ts';
import { asList, dashboardRequest, type Xml } from './dashboard.ts';
import { disconnectNumber, orderNumber, priceOf } from './number-orders.ts';
import type { BandwidthClient } from './client.ts';

/**
 * Numbers requested per search. The Dashboard returns 5,000 at most; a few hundred are enough to
 * match patterns in.
 */
const maxResults = 250;
/**
 * Searching, ordering and releasing numbers through Bandwidth's Dashboard API (provider 4, XML).
 * Numbers go to the site and location whose applications report to us.
 */
export function bandwidthNumbers(client: BandwidthClient): NumberInventory {
  return {
    name: 'bandwidth',
    search: (query) => searchNumbers(client, query),
    order: (number, key) => orderNumber(client, number, key),
    release: (number) => disconnectNumber(client, number),
  };
}

async function searchNumbers(
  client: BandwidthClient,
  query: NumberQuery,
): Promise<AvailableNumber[]> {
  if (query.category === 3 || query.country !== 'US') return [];
  const excluded = new Set(query.exclude);
  const found: AvailableNumber[] = [];
  for (const search of dashboardSearches(query)) {
    if (found.length >= query.limit || Object.keys(search).length === 0) break;
    for (const offer of await searchDashboard(client, search)) {
      const available = readOffer(client, offer, query);
      if (!available || excluded.has(available.number) || found.length >= query.limit) continue;
      excluded.add(available.number);
      found.push(available);
    }
  }
  return found;
}

/** The Dashboard's parameters for a search: first by vanity digits, then by place alone. */
function dashboardSearches(query: NumberQuery): Record<string, string>[] {
  const { areaCode, state, city } = query;
  const digits = templatesOf(query)
    .filter((template) => /^\d{4,7}$/.test(template))
    .slice(0, 5);
  if (query.category === 1) {
    const pattern = areaCode && /^8\d\d$/.test(areaCode) ? areaCode : '8**';
    return [
      ...digits.map((tollFreeVanity) => ({ tollFreeVanity })),
      { tollFreeWildCardPattern: pattern },
    ];
  }
  const place = {
    ...(isAreaCode(areaCode) ? { areaCode } : {}),
    ...(state && !areaCode ? { state } : {}),
    ...(city && state && !areaCode ? { city } : {}),
  };
  return [...digits.map((localVanity) => ({ localVanity, ...place })), { ...place }];
}

const isAreaCode = (text: string | undefined): text is string =>
  text !== undefined && /^\d{3}$/.test(text);

async function searchDashboard(
  client: BandwidthClient,
  search: Record<string, string>,
): Promise<Xml[]> {
  const parameters = { ...search, quantity: String(maxResults), enableTNDetail: 'true' };
  const path = `/availableNumbers?${new URLSearchParams(parameters)}`;
  const { status, xml } = await dashboardRequest(client, 'GET', path);
  // Nothing available, or a place it does not know.
  if (status >= 400) return [];
  const result = (xml['SearchResult'] ?? {}) as Xml;
  const details = (result['TelephoneNumberDetailList'] ?? {}) as Xml;
  const plain = (result['TelephoneNumberList'] ?? {}) as Xml;
  return [
    ...asList(details['TelephoneNumberDetail']),
    ...asList(plain['TelephoneNumber']).map((number): Xml => ({ TelephoneNumber: number })),
  ];
}

/** Null when the number does not fit the search. */
function readOffer(
  client: BandwidthClient,
  offer: Xml,
  query: NumberQuery,
): AvailableNumber | null {
  const national = String(offer['TelephoneNumber'] ?? '').replace(/^1(?=\d{10}$)/, '');
  const match = /^\d{10}$/.test(national) ? matchNumber(national, query) : null;
  if (!match) return null;
  if (isAreaCode(query.areaCode) && national.slice(0, 3) !== query.areaCode) return null;
  const number = `+1${national}`;
  return {
    number,
    region: String(offer['State'] ?? ''),
    city: String(offer['City'] ?? ''),
    rateCenter: String(offer['RateCenter'] ?? ''),
    vanityText: match.text,
    ...priceOf(client, number),
    providerId: 4,
    features: ['voice', 'sms', 'mms'],
  };
}
