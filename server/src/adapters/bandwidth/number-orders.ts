import { isTollFree } from '#contract/phone';
import { accountProblemError } from '../../gateways/carrier.ts';
import type { AvailableNumber, NumberInventory } from '../../gateways/number-inventory.ts';
import type { BandwidthClient } from './client.ts';
import { asList, dashboardRequest, findElement, textOf, type Xml } from './dashboard.ts';

/**
 * An order is usually complete within seconds. After these polls, the same order is checked later.
 */
const orderPollMs = 1000;
const orderPolls = 12;

/** Bandwidth's API returns no prices, because they depend on the contract: they are settings. */
export const priceOf = ({ settings }: BandwidthClient, number: string) => ({
  monthlyCents: isTollFree(number) ? settings.tollFreeCents : settings.localCents,
  setupCents: 0,
});

type OrderResult = Awaited<ReturnType<NumberInventory['order']>>;

/** Throws when the order is not finished yet; the same key continues it. */
export async function orderNumber(
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

/**
 * Gives a number (E.164) back to Bandwidth; one that is not in our account counts as released.
 * Throws when Bandwidth rejects the order.
 */
export async function disconnectNumber(client: BandwidthClient, number: string): Promise<void> {
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
