import { isTollFree } from '#contract/phone';
import { matchNumber, templatesOf } from '#contract/numbers/vanity';
import type {
  AvailableNumber,
  NumberInventory,
  NumberQuery,
} from '../../gateways/number-inventory.ts';
import { accountProblemError } from '../../gateways/carrier.ts';
import { dashboardRequest, asList, textOf, findElement, type Xml } from './dashboard.ts';
import type { BandwidthClient } from './client.ts';

/**
 * Numbers requested per search. The Dashboard returns 5,000 at most; a few hundred are enough to
 * match patterns in.
 */
const maxResults = 250;
/**
 * An order is usually complete within seconds. After these polls, the same order is checked later.
 */
const orderPollMs = 1000,
  orderPolls = 12;

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

/** Bandwidth's API returns no prices, because they depend on the contract: they are settings. */
const priceOf = ({ settings }: BandwidthClient, number: string) => ({
  monthlyCents: isTollFree(number) ? settings.tollFreeCents : settings.localCents,
  setupCents: 0,
});

type OrderResult = Awaited<ReturnType<NumberInventory['order']>>;

/** Throws when the order is not finished yet; the same key continues it. */
async function orderNumber(
  client: BandwidthClient,
  number: string,
  key: string,
): Promise<OrderResult> {
  const { store } = client;
  const { thing: object } = await store.put('order', number, { facts: { key } });
  if (object.facts['key'] !== key) {
    // Another company ordered it before. A failed order does not count.
    if (object.ref && (await orderState(client, object.ref)) !== 'failed')
      return { state: 'taken' };
    await store.drop('order', number);
    return orderNumber(client, number, key);
  }
  const known = object.ref ?? (await findOrderByKey(client, key));
  const ref = known ?? (await placeOrder(client, number, key));
  if (ref === null) return { state: 'taken' };
  await store.change('order', number, { ref });
  return awaitOrder(client, number, ref);
}

/**
 * Null when the number is not available. Throws when Bandwidth refuses the order for another
 * reason.
 */
async function placeOrder(
  client: BandwidthClient,
  number: string,
  key: string,
): Promise<string | null> {
  const { status, xml } = await dashboardRequest(client, 'POST', '/orders', {
    Order: {
      Name: `Trunkline ${number}`,
      CustomerOrderId: key,
      SiteId: client.settings.siteId,
      PeerId: client.settings.peerId,
      PartialAllowed: false,
      BackOrderRequested: false,
      ExistingTelephoneNumberOrderType: {
        TelephoneNumberList: { TelephoneNumber: number.slice(2) },
      },
    },
  });
  const created = ((xml['OrderResponse'] ?? {}) as Xml)['Order'] as Xml | undefined;
  const ref = String(created?.['id'] ?? created?.['OrderId'] ?? '');
  if (status < 400 && ref) return ref;
  await client.store.drop('order', number);
  const response = JSON.stringify(xml).slice(0, 300);
  // Its codes for a number that is not available. Any other error is ours to fix.
  if (/\b(5005|5041|5018|7303)\b/.test(response) || /not available|unavailable/i.test(response))
    return null;
  const error = findElement(xml, 'Error') ?? findElement(xml, 'ResponseStatus');
  throw accountProblemError('Bandwidth', 'other', textOf(error, 'Description') || response);
}

async function awaitOrder(
  client: BandwidthClient,
  number: string,
  ref: string,
): Promise<OrderResult> {
  for (let polls = 0; polls < orderPolls; polls++) {
    const state = await orderState(client, ref);
    if (state === 'complete')
      return { state: 'ordered', providerRef: ref, found: orderedNumber(client, number) };
    if (state === 'failed') {
      await client.store.drop('order', number);
      return { state: 'taken' };
    }
    const pauseMs = client.settings.apiUrl ? 5 : orderPollMs;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  throw new Error('Bandwidth hasn’t finished the order yet. We’ll check again.');
}

const orderedNumber = (client: BandwidthClient, number: string): AvailableNumber => ({
  number,
  region: '',
  city: '',
  rateCenter: '',
  vanityText: null,
  ...priceOf(client, number),
  providerId: 4,
  features: ['voice', 'sms', 'mms'],
});

async function orderState(
  client: BandwidthClient,
  ref: string,
): Promise<'complete' | 'failed' | 'running'> {
  const { xml } = await dashboardRequest(client, 'GET', `/orders/${encodeURIComponent(ref)}`);
  const status = String(((xml['OrderResponse'] ?? xml) as Xml)['OrderStatus'] ?? '');
  if (status === 'COMPLETE') return 'complete';
  return status === 'FAILED' || status === 'PARTIAL' ? 'failed' : 'running';
}

/** Finds an order whose response was lost by our own key. Null when there is none. */
async function findOrderByKey(client: BandwidthClient, key: string): Promise<string | null> {
  const { status, xml } = await dashboardRequest(
    client,
    'GET',
    `/orders?${new URLSearchParams({ customerOrderId: key })}`,
  );
  if (status >= 400) return null;
  const rows = asList(
    ((((xml['ResponseSelectWrapper'] ?? {}) as Xml)['ListOrderIdUserIdDate'] ?? {}) as Xml)[
      'OrderIdUserIdDate'
    ],
  );
  const mine = rows.find(
    (row) =>
      String(row['CustomerOrderId'] ?? '') === key && String(row['OrderStatus'] ?? '') !== 'FAILED',
  );
  return mine ? String(mine['orderId'] ?? mine['OrderId'] ?? '') || null : null;
}

async function disconnectNumber(client: BandwidthClient, number: string): Promise<void> {
  const { status, xml } = await dashboardRequest(client, 'POST', '/disconnects', {
    DisconnectTelephoneNumberOrder: {
      Name: `Trunkline ${number}`,
      DisconnectTelephoneNumberOrderType: {
        TelephoneNumberList: { TelephoneNumber: number.slice(2) },
      },
    },
  });
  const response = JSON.stringify(xml);
  // Not in our account: it was released before.
  const isReleased =
    status === 404 || /not (found|present|in|on) .*account|5006|404/i.test(response);
  if (status >= 400 && !isReleased)
    throw new Error(
      `Bandwidth’s Dashboard rejected the disconnect (${status}): ${response.slice(0, 300)}`,
    );
  await client.store.drop('order', number);
}
