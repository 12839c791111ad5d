import type {
  PortingCarrier,
  PortOrder,
  PortReport,
  PortState,
  Portability,
} from '../../ports/porting.ts';
import { seqOf } from '../port-seq.ts';
import { ask, list, must, Refused, textOf, within, type Xml } from './dashboard.ts';
import type { Desk } from './desk.ts';

/** Bandwidth's word for an order → where it stands. */
const states: Readonly<Record<string, PortState>> = {
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
export function bandwidthPorting(desk: Desk): PortingCarrier {
  const { book } = desk;
  const orderOf = async (ref: string) =>
    /^[\w-]{1,60}$/.test(ref) ? ask(desk, 'GET', `/portins/${ref}`) : null;
  return {
    name: 'bandwidth',
    check: (numbers) => check(desk, numbers),
    async submit(order) {
      const { thing } = await book.keep('port', order.key, {});
      // An order whose answer was lost stands in the Dashboard's list under our own key.
      const ref = thing.ref ?? (await lostOrder(desk, thing.key));
      if (ref) {
        const standing = textOf(
          within((await orderOf(ref))?.said, 'LnpOrderResponse'),
          'ProcessingStatus',
        );
        if (standing === 'EXCEPTION' || standing === 'PENDING_DOCUMENTS') {
          await sendPapers(desk, ref, order, thing.key);
          if (standing === 'EXCEPTION') {
            const refused = await refusalOf(() =>
              must(desk, 'PUT', `/portins/${ref}`, { LnpOrderSupp: factsOf(order) }),
            );
            if (refused) return { refused };
          }
        }
        await book.change('port', order.key, { ref });
        return { ref };
      }
      let said: Xml = {};
      const refused = await refusalOf(
        async () =>
          ({ said } = await must(desk, 'POST', '/portins', {
            LnpOrder: {
              CustomerOrderId: order.key,
              SiteId: desk.settings.siteId,
              PeerId: desk.settings.peerId,
              ...factsOf(order),
              ListOfPhoneNumbers: { PhoneNumber: order.numbers.map((n) => n.slice(2)) },
              PartialPort: order.partial,
              Triggered: false,
            },
          })),
      );
      if (refused) return { refused };
      const made = textOf(within(said, 'LnpOrderResponse'), 'OrderId');
      if (!made) throw new Error('Bandwidth’s Dashboard took an order and gave it no number.');
      await book.change('port', order.key, { ref: made });
      await sendPapers(desk, made, order, order.key);
      return { ref: made };
    },
    async cancel(key) {
      const ref = await refOf(desk, key);
      if (!ref) return 'none';
      const { status, said } = await ask(desk, 'DELETE', `/portins/${encodeURIComponent(ref)}`);
      if (status < 400 || status === 404) return 'canceled';
      const standing = textOf(
        within((await orderOf(ref))?.said, 'LnpOrderResponse'),
        'ProcessingStatus',
      );
      if (states[standing] === 'canceled') return 'canceled';
      if (states[standing] === 'completed' || /FOC|complete|too late/i.test(JSON.stringify(said)))
        return 'too_late';
      throw new Error(`Bandwidth’s Dashboard did not cancel the order (${status}).`);
    },
    async look(key) {
      const ref = await refOf(desk, key);
      return ref ? lookAt(desk, ref) : null;
    },
  };
}

/** Which numbers its network, or a partner's, can take; and from whom. */
async function check(desk: Desk, numbers: readonly string[]): Promise<Portability[]> {
  const { said } = await must(desk, 'POST', '/lnpchecker?fullCheck=true', {
    NumberPortabilityRequest: { TnList: { Tn: numbers.map((n) => n.slice(2)) } },
  });
  const response = within(said, 'NumberPortabilityResponse') ?? {};
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
  const losing = new Map(
    list(within(response, 'SupportedLosingCarriers')?.['LosingCarrierTnList']).flatMap((group) =>
      tns(group).map((tn) => [tn, textOf(group, 'LosingCarrierName')] as const),
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
          ? 'the carrier that has it does not release it to Bandwidth'
          : 'Bandwidth does not serve its place',
      losingCarrier: losing.get(tn) || null,
    };
  });
}

function factsOf(order: PortOrder): Xml {
  const [, house = '', street = order.serviceAddress.line1] =
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
        ...(house ? { HouseNumber: house } : {}),
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
async function refOf(desk: Desk, key: string): Promise<string | null> {
  const thing = await desk.book.find('port', key);
  if (!thing || thing.ref) return thing?.ref ?? null;
  const ref = await lostOrder(desk, key);
  if (ref) await desk.book.change('port', key, { ref });
  return ref;
}

/** What the Dashboard says no to, in its words; null: it took it. Its being away, or not knowing us, is thrown. */
async function refusalOf(
  ask: () => Promise<unknown>,
): Promise<NonNullable<PortReport['rejection']> | null> {
  try {
    await ask();
    return null;
  } catch (error) {
    if (!(error instanceof Refused) || error.status === 401 || error.status === 403) throw error;
    return { code: error.code, text: error.message, fix: 'Correct it and submit again.' };
  }
}

async function lostOrder(desk: Desk, key: string): Promise<string | null> {
  const { status, said } = await ask(
    desk,
    'GET',
    `/portins?${new URLSearchParams({ customerOrderId: key, page: '1', size: '10' })}`,
  );
  if (status === 404) return null;
  // Not knowing is not "there is none": that would make a second order.
  if (status >= 400) throw new Error(`Bandwidth’s Dashboard did not list its orders (${status}).`);
  const rows = list(within(said, 'LNPResponseWrapper')?.['lnpPortInfoForGivenStatus']);
  const mine = rows.find(
    (row) =>
      textOf(row, 'CustomerOrderId') === key &&
      states[textOf(row, 'ProcessingStatus')] !== 'canceled',
  );
  return textOf(mine, 'OrderId') || null;
}

/** Letter and bills, each once: a paper that was sent is remembered by its name. */
async function sendPapers(desk: Desk, ref: string, order: PortOrder, key: string): Promise<void> {
  const sent = new Set(((await desk.book.find('port', key))?.facts['papers'] ?? []) as string[]);
  for (const paper of order.papers) {
    const mark = `${paper.kind} ${paper.name} ${paper.bytes.length}`;
    if (sent.has(mark)) continue;
    const { status } = await desk.api.ask(
      'dashboard',
      'POST',
      `/accounts/${encodeURIComponent(desk.settings.accountId)}/portins/${ref}/loas?${new URLSearchParams({ documentType: ({ loa: 'LOA', bill: 'INVOICE', csr: 'CSR' } as Record<string, string>)[paper.kind] ?? 'OTHER' })}`,
      { type: paper.contentType, text: paper.bytes },
    );
    if (status >= 300)
      throw new Error(`Bandwidth’s Dashboard did not take a document (${status}).`);
    sent.add(mark);
    await desk.book.change('port', key, { facts: { papers: [...sent] } });
  }
}

export async function lookAt(desk: Desk, ref: string): Promise<PortReport | null> {
  const thing = await desk.book.findRef('port', ref);
  if (!thing) return null;
  const { status, said } = await ask(desk, 'GET', `/portins/${encodeURIComponent(ref)}`);
  if (status === 404) return null;
  const order = within(said, 'LnpOrderResponse');
  const state = states[textOf(order, 'ProcessingStatus')] ?? 'submitted';
  const errors = list(within(order, 'Errors')?.['Error']);
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
                .join(' ') || 'The carrier that has the number refused the order.',
            fix: 'Correct it and submit again.',
          }
        : null,
  };
  return { ref, key: thing.key, seq: await seqOf(desk.book, thing, report), ...report };
}
