import type {
  PortingCarrier,
  PortOrder,
  PortReport,
  PortState,
  Portability,
} from '../../gateways/porting.ts';
import { nextReportSeq } from '../report-seq.ts';
import {
  dashboardRequest,
  asList,
  dashboardRequestOk,
  DashboardError,
  textOf,
  findElement,
  type Xml,
} from './dashboard.ts';
import type { BandwidthClient } from './client.ts';

/** Bandwidth's word for an order → where it stands. */
const portStates: Readonly<Record<string, PortState>> = {
  DRAFT: 'submitted',
  VALIDATE_DRAFT_TFNS: 'submitted',
  PENDING_CREDITCARD: 'submitted',
  SUBMITTED: 'inProgress',
  REQUESTED_SUPP: 'inProgress',
  REQUESTED_CANCEL: 'inProgress',
  PENDING_DOCUMENTS: 'documentsRequested',
  FOC: 'firmOrderScheduled',
  COMPLETE: 'completed',
  EXCEPTION: 'rejected',
  CANCELLED: 'canceled',
  CANCELED: 'canceled',
};

/** Moving numbers to Bandwidth by LNP orders of the Dashboard. Written after its public pages and tried against an imitation only: unverified. */
export function bandwidthPorting(client: BandwidthClient): PortingCarrier {
  const { store } = client;
  const orderOf = async (ref: string) =>
    /^[\w-]{1,60}$/.test(ref) ? dashboardRequest(client, 'GET', `/portins/${ref}`) : null;
  return {
    name: 'bandwidth',
    checkPortability: (numbers) => checkPortability(client, numbers),
    async submit(order) {
      const { thing: object } = await store.put('port', order.key, {});
      // An order whose answer was lost stands in the Dashboard's list under our own key.
      const ref = object.ref ?? (await findOrderByKey(client, object.key));
      if (ref) {
        const standing = textOf(
          findElement((await orderOf(ref))?.xml, 'LnpOrderResponse'),
          'ProcessingStatus',
        );
        if (standing === 'EXCEPTION' || standing === 'PENDING_DOCUMENTS') {
          await sendDocuments(client, ref, order, object.key);
          if (standing === 'EXCEPTION') {
            const refused = await rejectionOf(() =>
              dashboardRequestOk(client, 'PUT', `/portins/${ref}`, {
                LnpOrderSupp: lnpOrderXml(order),
              }),
            );
            if (refused) return { refused };
          }
        }
        await store.change('port', order.key, { ref });
        return { ref };
      }
      let xml: Xml = {};
      const refused = await rejectionOf(
        async () =>
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
          })),
      );
      if (refused) return { refused };
      const made = textOf(findElement(xml, 'LnpOrderResponse'), 'OrderId');
      if (!made)
        throw new Error('Bandwidth’s Dashboard accepted an order without giving it a number.');
      await store.change('port', order.key, { ref: made });
      await sendDocuments(client, made, order, order.key);
      return { ref: made };
    },
    async cancel(key) {
      const ref = await orderRef(client, key);
      if (!ref) return 'none';
      const { status, xml } = await dashboardRequest(
        client,
        'DELETE',
        `/portins/${encodeURIComponent(ref)}`,
      );
      if (status < 400 || status === 404) return 'canceled';
      const standing = textOf(
        findElement((await orderOf(ref))?.xml, 'LnpOrderResponse'),
        'ProcessingStatus',
      );
      if (portStates[standing] === 'canceled') return 'canceled';
      if (
        portStates[standing] === 'completed' ||
        /FOC|complete|too late/i.test(JSON.stringify(xml))
      )
        return 'too_late';
      throw new Error(`Bandwidth’s Dashboard did not cancel the order (${status}).`);
    },
    async getOrder(key) {
      const ref = await orderRef(client, key);
      return ref ? fetchReport(client, ref) : null;
    },
  };
}

/** Which numbers its network, or a partner's, can take; and from whom. */
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
    const portable = can.has(tn) && !unsupported.has(tn);
    return {
      number,
      portable,
      reason: portable
        ? null
        : unsupported.has(tn)
          ? 'its current carrier doesn’t release it to Bandwidth'
          : 'Bandwidth doesn’t serve its area',
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

/** The carrier's number of our order, one whose answer was lost included; null when it has none. */
async function orderRef(client: BandwidthClient, key: string): Promise<string | null> {
  const thing = await client.store.get('port', key);
  if (!thing || thing.ref) return thing?.ref ?? null;
  const ref = await findOrderByKey(client, key);
  if (ref) await client.store.change('port', key, { ref });
  return ref;
}

/** What the Dashboard says no to, in its words; null: it took it. Its being away, or not knowing us, is thrown. */
async function rejectionOf(
  ask: () => Promise<unknown>,
): Promise<NonNullable<PortReport['rejection']> | null> {
  try {
    await ask();
    return null;
  } catch (error) {
    if (!(error instanceof DashboardError) || error.status === 401 || error.status === 403)
      throw error;
    return { code: error.code, text: error.message, fix: 'Correct it and submit again.' };
  }
}

async function findOrderByKey(client: BandwidthClient, key: string): Promise<string | null> {
  const { status, xml } = await dashboardRequest(
    client,
    'GET',
    `/portins?${new URLSearchParams({ customerOrderId: key, page: '1', size: '10' })}`,
  );
  if (status === 404) return null;
  // Not knowing is not "there is none": that would make a second order.
  if (status >= 400) throw new Error(`Bandwidth’s Dashboard did not list its orders (${status}).`);
  const rows = asList(findElement(xml, 'LNPResponseWrapper')?.['lnpPortInfoForGivenStatus']);
  const mine = rows.find(
    (row) =>
      textOf(row, 'CustomerOrderId') === key &&
      portStates[textOf(row, 'ProcessingStatus')] !== 'canceled',
  );
  return textOf(mine, 'OrderId') || null;
}

/** Letter and bills, each once: a paper that was sent is remembered by its name. */
async function sendDocuments(
  client: BandwidthClient,
  ref: string,
  order: PortOrder,
  key: string,
): Promise<void> {
  const sent = new Set(((await client.store.get('port', key))?.facts['papers'] ?? []) as string[]);
  for (const document of order.documents) {
    const mark = `${document.kind} ${document.name} ${document.bytes.length}`;
    if (sent.has(mark)) continue;
    const { status } = await client.api.request(
      'dashboard',
      'POST',
      `/accounts/${encodeURIComponent(client.settings.accountId)}/portins/${ref}/loas?${new URLSearchParams({ documentType: ({ loa: 'LOA', bill: 'INVOICE', csr: 'CSR' } as Record<string, string>)[document.kind] ?? 'OTHER' })}`,
      { type: document.contentType, text: document.bytes },
    );
    if (status >= 300)
      throw new Error(`Bandwidth’s Dashboard didn’t accept a document (${status}).`);
    sent.add(mark);
    await client.store.change('port', key, { facts: { papers: [...sent] } });
  }
}

export async function fetchReport(
  client: BandwidthClient,
  ref: string,
): Promise<PortReport | null> {
  const thing = await client.store.getByRef('port', ref);
  if (!thing) return null;
  const { status, xml } = await dashboardRequest(
    client,
    'GET',
    `/portins/${encodeURIComponent(ref)}`,
  );
  if (status === 404) return null;
  const order = findElement(xml, 'LnpOrderResponse');
  const state = portStates[textOf(order, 'ProcessingStatus')] ?? 'submitted';
  const errors = asList(findElement(order, 'Errors')?.['Error']);
  const [first] = errors;
  const report = {
    state,
    focDate:
      (textOf(order, 'ActualFocDate') || textOf(order, 'RequestedFocDate')).slice(0, 10) || null,
    wanted: state === 'documentsRequested' ? ['bill' as const] : [],
    rejection:
      state === 'rejected'
        ? {
            code: textOf(first, 'Code') || 'exception',
            text:
              errors
                .map((e) => textOf(e, 'Description'))
                .filter(Boolean)
                .join(' ') || 'The current carrier rejected the order.',
            fix: 'Correct it and submit again.',
          }
        : null,
  };
  return { ref, key: thing.key, seq: await nextReportSeq(client.store, thing, report), ...report };
}
