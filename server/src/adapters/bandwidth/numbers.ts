import { isTollFree } from '#contract/phone';
import { matchNumber, templatesOf } from '#contract/vanity';
import type { FoundNumber, NumberInventory, NumberQuery } from '../../ports/number-inventory.ts';
import { refusedBy } from '../../ports/carrier.ts';
import { ask, list, textOf, within, type Xml } from './dashboard.ts';
import type { Desk } from './desk.ts';

/** The Dashboard answers 5,000 at most; a few hundred are plenty to find shapes in. */
const mostAsked = 250;
/** An order is usually done within seconds; later the same order is asked about again. */
const askEvery = 1000,
  askTimes = 12;

/** Finding, ordering and giving back numbers through Bandwidth's Dashboard API (provider 4), which speaks XML. Numbers go to the site and location whose applications report to us. */
export function bandwidthNumbers(desk: Desk): NumberInventory {
  return {
    name: 'bandwidth',
    search: (query) => search(desk, query),
    order: (number, key) => order(desk, number, key),
    giveBack: (number) => giveBack(desk, number),
  };
}

async function search(desk: Desk, query: NumberQuery): Promise<FoundNumber[]> {
  if (query.category === 3 || query.country !== 'US') return [];
  const tollFree = query.category === 1;
  const unwanted = new Set(query.exclude);
  const found: FoundNumber[] = [];
  const digits = templatesOf(query)
    .filter((t) => /^\d{4,7}$/.test(t))
    .slice(0, 5);
  const places = {
    ...(query.areaCode && /^\d{3}$/.test(query.areaCode) ? { areaCode: query.areaCode } : {}),
    ...(query.state && !query.areaCode ? { state: query.state } : {}),
    ...(query.city && query.state && !query.areaCode ? { city: query.city } : {}),
  };
  const ways: Record<string, string>[] = tollFree
    ? [
        ...digits.map((d) => ({ tollFreeVanity: d })),
        {
          tollFreeWildCardPattern:
            query.areaCode && /^8\d\d$/.test(query.areaCode) ? query.areaCode : '8**',
        },
      ]
    : [...digits.map((d) => ({ localVanity: d, ...places })), { ...places }];
  for (const way of ways) {
    if (found.length >= query.limit || Object.keys(way).length === 0) break;
    const { status, said } = await ask(
      desk,
      'GET',
      `/availableNumbers?${new URLSearchParams({ ...way, quantity: String(mostAsked), enableTNDetail: 'true' })}`,
    );
    if (status >= 400) continue; // nothing there, or a place it does not know
    const result = (said['SearchResult'] ?? {}) as Xml;
    const detailed = list(
      ((result['TelephoneNumberDetailList'] ?? {}) as Xml)['TelephoneNumberDetail'],
    );
    const plain = list(((result['TelephoneNumberList'] ?? {}) as Xml)['TelephoneNumber']).map(
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
        ...prices(desk, number),
        providerId: 4,
        features: ['voice', 'sms', 'mms'],
      });
    }
  }
  return found;
}

/** Prices are by contract at Bandwidth and stand in no answer of its API: what this installation was told. */
const prices = ({ settings }: Desk, number: string) => ({
  monthlyCents: isTollFree(number) ? settings.tollFreeCents : settings.localCents,
  setupCents: 0,
});

type Ordered = Awaited<ReturnType<NumberInventory['order']>>;
async function order(desk: Desk, number: string, key: string): Promise<Ordered> {
  const { book, settings } = desk;
  const national = number.slice(2);
  const { thing } = await book.keep('order', number, { facts: { key } });
  if (thing.facts['key'] !== key) {
    // Somebody of ours ordered it before; a dead order makes room.
    if (thing.ref && (await stateOf(desk, thing.ref)) !== 'failed') return { state: 'taken' };
    await book.drop('order', number);
    return order(desk, number, key);
  }
  let ref = thing.ref ?? (await lostOrder(desk, key));
  if (!ref) {
    const { status, said } = await ask(desk, 'POST', '/orders', {
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
    const made = ((said['OrderResponse'] ?? {}) as Xml)['Order'] as Xml | undefined;
    ref = String(made?.['id'] ?? made?.['OrderId'] ?? '') || null;
    if (status >= 400 || !ref) {
      await book.drop('order', number);
      const why = JSON.stringify(said).slice(0, 300);
      // Its own codes for a number that is not to be had; anything else is ours to mend.
      if (/\b(5005|5041|5018|7303)\b/.test(why) || /not available|unavailable/i.test(why))
        return { state: 'taken' };
      throw refusedBy(
        'Bandwidth',
        'other',
        textOf(within(said, 'Error') ?? within(said, 'ResponseStatus'), 'Description') || why,
      );
    }
  }
  await book.change('order', number, { ref });
  for (let i = 0; i < askTimes; i++) {
    const state = await stateOf(desk, ref);
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
          ...prices(desk, number),
          providerId: 4,
          features: ['voice', 'sms', 'mms'],
        },
      };
    if (state === 'failed') {
      await book.drop('order', number);
      return { state: 'taken' };
    }
    await new Promise((resolve) => setTimeout(resolve, settings.apiUrl ? 5 : askEvery));
  }
  throw new Error('Bandwidth has not finished the order yet. It is asked about again.');
}

async function stateOf(desk: Desk, ref: string): Promise<'complete' | 'failed' | 'running'> {
  const { said } = await ask(desk, 'GET', `/orders/${encodeURIComponent(ref)}`);
  const status = String(((said['OrderResponse'] ?? said) as Xml)['OrderStatus'] ?? '');
  return status === 'COMPLETE'
    ? 'complete'
    : status === 'FAILED' || status === 'PARTIAL'
      ? 'failed'
      : 'running';
}

/** An order whose answer was lost stands in the Dashboard's list under our own key. */
async function lostOrder(desk: Desk, key: string): Promise<string | null> {
  const { status, said } = await ask(
    desk,
    'GET',
    `/orders?${new URLSearchParams({ customerOrderId: key })}`,
  );
  if (status >= 400) return null;
  const rows = list(
    ((((said['ResponseSelectWrapper'] ?? {}) as Xml)['ListOrderIdUserIdDate'] ?? {}) as Xml)[
      'OrderIdUserIdDate'
    ],
  );
  const mine = rows.find(
    (row) =>
      String(row['CustomerOrderId'] ?? '') === key && String(row['OrderStatus'] ?? '') !== 'FAILED',
  );
  return mine ? String(mine['orderId'] ?? mine['OrderId'] ?? '') || null : null;
}

async function giveBack(desk: Desk, number: string): Promise<void> {
  const { status, said } = await ask(desk, 'POST', '/disconnects', {
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
    !/not (found|present|in|on) .*account|5006|404/i.test(JSON.stringify(said)) &&
    status !== 404
  )
    throw new Error(
      `Bandwidth’s Dashboard refused the disconnect (${status}): ${JSON.stringify(said).slice(0, 300)}`,
    );
  await desk.book.drop('order', number);
}
