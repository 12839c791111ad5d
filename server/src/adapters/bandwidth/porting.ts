import type { PortingCarrier, PortOrder, PortReport, Portability } from '../../gateways/porting.ts';
import type { BandwidthClient } from './client.ts';
import {
  dashboardRequest,
  asList,
  dashboardRequestOk,
  DashboardError,
  textOf,
  findElement,
  type Xml,
} from './dashboard.ts';
import { fetchReport, findOrderByKey, orderRef, portStates } from './porting-orders.ts';

/**
 * Porting numbers to Bandwidth by LNP orders of the Dashboard. Unverified: written after its public
 * pages and tested with a mock only.
 */
export function bandwidthPorting(client: BandwidthClient): PortingCarrier {
  return {
    name: 'bandwidth',
    checkPortability: (numbers) => checkPortability(client, numbers),
    submit: (order) => submitOrder(client, order),
    cancel: (key) => cancelOrder(client, key),
    async getOrder(key) {
      const ref = await orderRef(client, key);
      return ref ? fetchReport(client, ref) : null;
    },
  };
}

type SubmitResult = Awaited<ReturnType<PortingCarrier['submit']>>;

async function submitOrder(client: BandwidthClient, order: PortOrder): Promise<SubmitResult> {
  const { store } = client;
  const { thing: object } = await store.put('port', order.key, {});
  // An order whose response was lost is in the Dashboard's list under our own key.
  const known = object.ref ?? (await findOrderByKey(client, object.key));
  if (known) {
    const refused = await amendOrder(client, known, order);
    if (refused) return { refused };
    await store.change('port', order.key, { ref: known });
    return { ref: known };
  }
  let xml: Xml = {};
  const refused = await rejectionOf(async () => {
    ({ xml } = await dashboardRequestOk(client, 'POST', '/portins', {
      LnpOrder: {
        CustomerOrderId: order.key,
        SiteId: client.settings.siteId,
        PeerId: client.settings.peerId,
        ...lnpOrderXml(order),
        ListOfPhoneNumbers: { PhoneNumber: order.numbers.map((n) => n.slice(2)) },
        PartialPort: order.partial,
        Triggered: false,
      },
    }));
  });
  if (refused) return { refused };
  const ref = textOf(findElement(xml, 'LnpOrderResponse'), 'OrderId');
  if (!ref) throw new Error('Bandwidth’s Dashboard accepted an order without an id.');
  await store.change('port', order.key, { ref });
  await sendDocuments(client, ref, order, order.key);
  return { ref };
}

/** Sends what a known order waits for. Returns the rejection of a changed order, or null. */
async function amendOrder(
  client: BandwidthClient,
  ref: string,
  order: PortOrder,
): Promise<PortReport['rejection']> {
  const status = await processingStatus(client, ref);
  if (status !== 'EXCEPTION' && status !== 'PENDING_DOCUMENTS') return null;
  await sendDocuments(client, ref, order, order.key);
  if (status !== 'EXCEPTION') return null;
  const supplement = { LnpOrderSupp: lnpOrderXml(order) };
  return rejectionOf(() => dashboardRequestOk(client, 'PUT', `/portins/${ref}`, supplement));
}

/** Empty when the id is not one of the Dashboard's. */
async function processingStatus(client: BandwidthClient, ref: string): Promise<string> {
  if (!/^[\w-]{1,60}$/.test(ref)) return '';
  const { xml } = await dashboardRequest(client, 'GET', `/portins/${ref}`);
  return textOf(findElement(xml, 'LnpOrderResponse'), 'ProcessingStatus');
}

async function cancelOrder(
  client: BandwidthClient,
  key: string,
): Promise<'none' | 'canceled' | 'too_late'> {
  const ref = await orderRef(client, key);
  if (!ref) return 'none';
  const path = `/portins/${encodeURIComponent(ref)}`;
  const { status, xml } = await dashboardRequest(client, 'DELETE', path);
  if (status < 400 || status === 404) return 'canceled';
  const state = portStates[await processingStatus(client, ref)];
  if (state === 'canceled') return 'canceled';
  if (state === 'completed' || /FOC|complete|too late/i.test(JSON.stringify(xml)))
    return 'too_late';
  throw new Error(`Bandwidth’s Dashboard did not cancel the order (${status}).`);
}

/** Whether Bandwidth's network or a partner's can take the numbers, and their current carriers. */
async function checkPortability(
  client: BandwidthClient,
  numbers: readonly string[],
): Promise<Portability[]> {
  const { xml } = await dashboardRequestOk(client, 'POST', '/lnpchecker?fullCheck=true', {
    NumberPortabilityRequest: { TnList: { Tn: numbers.map((n) => n.slice(2)) } },
  });
  const response = findElement(xml, 'NumberPortabilityResponse') ?? {};
  const tns = (of: unknown): string[] =>
    typeof of === 'object' && of !== null
      ? Object.entries(of).flatMap(([key, value]) =>
          key === 'Tn' ? (Array.isArray(value) ? value : [value]).map(String) : tns(value),
        )
      : [];
  const can = new Set([
    ...tns(response['SupportedRateCenters']),
    ...tns(response['PortableNumbers']),
    ...tns(response['PartnerSupportedRateCenters']),
    ...tns(response['SupportedTollFreeNumbers']),
  ]);
  const losingCarrier = new Map(
    asList(findElement(response, 'SupportedLosingCarriers')?.['LosingCarrierTnList']).flatMap(
      (group) => tns(group).map((tn) => [tn, textOf(group, 'LosingCarrierName')] as const),
    ),
  );
  const unsupported = new Set(tns(response['UnsupportedLosingCarriers']));
  return numbers.map((number) => {
    const tn = number.slice(2);
    const isHeldBack = unsupported.has(tn);
    const portable = can.has(tn) && !isHeldBack;
    const objection = isHeldBack
      ? 'its current carrier doesn’t release it to Bandwidth'
      : 'Bandwidth doesn’t serve its area';
    return {
      number,
      portable,
      reason: portable ? null : objection,
      losingCarrier: losingCarrier.get(tn) || null,
    };
  });
}

function lnpOrderXml(order: PortOrder): Xml {
  const [, services = '', street = order.serviceAddress.line1] =
    /^(\d+\S*)\s+(.*)$/.exec(order.serviceAddress.line1) ?? [];
  const a = order.serviceAddress;
  return {
    ...(order.requestedDate ? { RequestedFocDate: `${order.requestedDate}T15:00:00Z` } : {}),
    BillingTelephoneNumber: order.billingTelephoneNumber.replace(/^\+1/, ''),
    Subscriber: {
      SubscriberType: order.customerType === 'business' ? 'BUSINESS' : 'RESIDENTIAL',
      ...(order.customerType === 'business'
        ? { BusinessName: order.entityName }
        : { FirstName: order.authorized.firstName, LastName: order.authorized.lastName }),
      ServiceAddress: {
        ...(services ? { HouseNumber: services } : {}),
        StreetName: street,
        ...(a.line2 ? { AddressLine2: a.line2 } : {}),
        City: a.city,
        StateCode: a.state,
        Zip: a.zip,
        Country: a.country === 'US' ? 'United States' : a.country,
      },
    },
    LoaAuthorizingPerson: `${order.authorized.firstName} ${order.authorized.lastName}`,
    WirelessInfo: {
      AccountNumber: order.accountNumber,
      ...(order.pin ? { PinNumber: order.pin } : {}),
    },
  };
}

/**
 * The Dashboard's rejection of a request; null when it accepted. Throws when it is unreachable or
 * refuses our account.
 */
async function rejectionOf(
  request: () => Promise<unknown>,
): Promise<NonNullable<PortReport['rejection']> | null> {
  try {
    await request();
    return null;
  } catch (error) {
    if (!(error instanceof DashboardError) || error.status === 401 || error.status === 403)
      throw error;
    return { code: error.code, text: error.message, fix: 'Correct it and submit again.' };
  }
}

const documentTypes: Readonly<Record<string, string>> = { loa: 'LOA', bill: 'INVOICE', csr: 'CSR' };

/** Sends the documents of an order, each once. Throws when the Dashboard does not accept one. */
async function sendDocuments(
  client: BandwidthClient,
  ref: string,
  order: PortOrder,
  key: string,
): Promise<void> {
  const sent = new Set(
    ((await client.store.get('port', key))?.facts['documents'] ?? []) as string[],
  );
  const account = `/accounts/${encodeURIComponent(client.settings.accountId)}`;
  for (const document of order.documents) {
    const fingerprint = `${document.kind} ${document.name} ${document.bytes.length}`;
    if (sent.has(fingerprint)) continue;
    const documentType = documentTypes[document.kind] ?? 'OTHER';
    const { status } = await client.api.request(
      'dashboard',
      'POST',
      `${account}/portins/${ref}/loas?${new URLSearchParams({ documentType })}`,
      { type: document.contentType, text: document.bytes },
    );
    if (status >= 300)
      throw new Error(`Bandwidth’s Dashboard did not accept a document (${status}).`);
    sent.add(fingerprint);
    await client.store.change('port', key, { facts: { documents: [...sent] } });
  }
}
