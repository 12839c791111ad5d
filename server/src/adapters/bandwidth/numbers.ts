import { isTollFree } from '#contract/phone';
import { matchNumber, templatesOf } from '#contract/vanity';
import type {
  AvailableNumber,
  NumberInventory,
  NumberQuery,
} from '../../gateways/number-inventory.ts';
import { accountProblemError } from '../../gateways/carrier.ts';
import { dashboardRequest, asList, textOf, findElement, type Xml } from './dashboard.ts';
import type { BandwidthClient } from './client.ts';

/** The Dashboard answers 5,000 at most; a few hundred are plenty to find shapes in. */
const maxResults = 250;
/** An order is usually done within seconds; later the same order is asked about again. */
const orderPollMs = 1000,
  orderPolls = 12;

/** Finding, ordering and giving back numbers through Bandwidth's Dashboard API (provider 4), which speaks XML. Numbers go to the site and location whose applications report to us. */
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
  const tollFree = query.category === 1;
  const unwanted = new Set(query.exclude);
  const found: AvailableNumber[] = [];
  const digits = templatesOf(query)
    .filter((t) => /^\d{4,7}$/.test(t))
    .slice(0, 5);
  const places = {
    ...(query.areaCode && /^\d{3}$/.test(query.areaCode) ? { areaCode: query.areaCode } : {}),
    ...(query.state && !query.areaCode ? { state: query.state } : {}),
    ...(query.city && query.state && !query.areaCode ? { city: query.city } : {}),
  };
  const queries: Record<string, string>[] = tollFree
    ? [
        ...digits.map((d) => ({ tollFreeVanity: d })),
        {
          tollFreeWildCardPattern:
            query.areaCode && /^8\d\d$/.test(query.areaCode) ? query.areaCode : '8**',
        },
      ]
    : [...digits.map((d) => ({ localVanity: d, ...places })), { ...places }];
  for (const searchQuery of queries) {
    if (found.length >= query.limit || Object.keys(searchQuery).length === 0) break;
    const { status, xml } = await dashboardRequest(
      client,
      'GET',
      `/availableNumbers?${new URLSearchParams({ ...searchQuery, quantity: String(maxResults), enableTNDetail: 'true' })}`,
    );
    if (status >= 400) continue; // nothing there, or a place it does not know
    const result = (xml['SearchResult'] ?? {}) as Xml;
    const detailed = asList(
      ((result['TelephoneNumberDetailList'] ?? {}) as Xml)['TelephoneNumberDetail'],
    );
    const plain = asList(((result['TelephoneNumberList'] ?? {}) as Xml)['TelephoneNumber']).map(
      (n) => ({ TelephoneNumber: n as unknown as string }) as Xml,
    );
    for (const offer of [...detailed, ...plain]) {
      const national = String(offer['TelephoneNumber'] ?? '').replace(/^1(?=\d{10}$)/, '');
      const number = `+1${national}`;
      const match = /^\d{10}$/.test(national) ? matchNumber(national, query) : null;
      if (
        !match ||
        unwanted.has(number) ||
        found.length >= query.limit ||
        (query.areaCode &&
          /^\d{3}$/.test(query.areaCode) &&
          national.slice(0, 3) !== query.areaCode)
      )
        continue;
      unwanted.add(number);
      found.push({
        number,
        region: String(offer['State'] ?? ''),
        city: String(offer['City'] ?? ''),
        rateCenter: String(offer['RateCenter'] ?? ''),
        vanityText: match.text,
        ...priceOf(client, number),
        providerId: 4,
        features: ['voice', 'sms', 'mms'],
      });
    }
  }
  return found;
}

/** Prices are by contract at Bandwidth and stand in no answer of its API: what this installation was told. */
const priceOf = ({ settings }: BandwidthClient, number: string) => ({
  monthlyCents: isTollFree(number) ? settings.tollFreeCents : settings.localCents,
  setupCents: 0,
});

type OrderResult = Awaited<ReturnType<NumberInventory['order']>>;
async function orderNumber(
  client: BandwidthClient,
  number: string,
  key: string,
): Promise<OrderResult> {
  const { store, settings } = client;
  const national = number.slice(2);
  const { thing: object } = await store.put('order', number, { facts: { key } });
  if (object.facts['key'] !== key) {
    // Somebody of ours ordered it before; a dead order makes room.
    if (object.ref && (await orderState(client, object.ref)) !== 'failed')
      return { state: 'taken' };
    await store.drop('order', number);
    return orderNumber(client, number, key);
  }
  let ref = object.ref ?? (await findOrderByKey(client, key));
  if (!ref) {
    const { status, xml } = await dashboardRequest(client, 'POST', '/orders', {
      Order: {
        Name: `Trunkline ${number}`,
        CustomerOrderId: key,
        SiteId: settings.siteId,
        PeerId: settings.peerId,
        PartialAllowed: false,
        BackOrderRequested: false,
        ExistingTelephoneNumberOrderType: { TelephoneNumberList: { TelephoneNumber: national } },
      },
    });
    const created = ((xml['OrderResponse'] ?? {}) as Xml)['Order'] as Xml | undefined;
    ref = String(created?.['id'] ?? created?.['OrderId'] ?? '') || null;
    if (status >= 400 || !ref) {
      await store.drop('order', number);
      const why = JSON.stringify(xml).slice(0, 300);
      // Its own codes for a number that is not to be had; anything else is ours to mend.
      if (/\b(5005|5041|5018|7303)\b/.test(why) || /not available|unavailable/i.test(why))
        return { state: 'taken' };
      throw accountProblemError(
        'Bandwidth',
        'other',
        textOf(findElement(xml, 'Error') ?? findElement(xml, 'ResponseStatus'), 'Description') ||
          why,
      );
    }
  }
  await store.change('order', number, { ref });
  for (let i = 0; i < orderPolls; i++) {
    const state = await orderState(client, ref);
    if (state === 'complete')
      return {
        state: 'ordered',
        providerRef: ref,
        found: {
          number,
          region: '',
          city: '',
          rateCenter: '',
          vanityText: null,
          ...priceOf(client, number),
          providerId: 4,
          features: ['voice', 'sms', 'mms'],
        },
      };
    if (state === 'failed') {
      await store.drop('order', number);
      return { state: 'taken' };
    }
    await new Promise((resolve) => setTimeout(resolve, settings.apiUrl ? 5 : orderPollMs));
  }
  throw new Error('Bandwidth hasn’t finished the order yet. We’ll check again.');
}

async function orderState(
  client: BandwidthClient,
  ref: string,
): Promise<'complete' | 'failed' | 'running'> {
  const { xml } = await dashboardRequest(client, 'GET', `/orders/${encodeURIComponent(ref)}`);
  const status = String(((xml['OrderResponse'] ?? xml) as Xml)['OrderStatus'] ?? '');
  return status === 'COMPLETE'
    ? 'complete'
    : status === 'FAILED' || status === 'PARTIAL'
      ? 'failed'
      : 'running';
}

/** An order whose answer was lost stands in the Dashboard's list under our own key. */
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
  // Not ours (any more): given back already.
  if (
    status >= 400 &&
    !/not (found|present|in|on) .*account|5006|404/i.test(JSON.stringify(xml)) &&
    status !== 404
  )
    throw new Error(
      `Bandwidth’s Dashboard rejected the disconnect (${status}): ${JSON.stringify(xml).slice(0, 300)}`,
    );
  await client.store.drop('order', number);
}
