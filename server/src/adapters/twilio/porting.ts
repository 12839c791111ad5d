import type {
  PortingCarrier,
  PortOrder,
  PortReport,
  PortState,
  Portability,
} from '../../gateways/porting.ts';
import { rethrowRefusal, classifyError } from './api.ts';
import { webhookPath, type TwilioClient } from './client.ts';
import type { CarrierObject } from '../carrier-leg-store.ts';
import { nextReportSeq } from '../report-seq.ts';

/** Twilio's word for a request → where it stands. It gathers its own signed letter by e-mail from the authorized person, so waiting for that is being submitted. */
const portStates: Readonly<Record<string, PortState>> = {
  'in review': 'submitted',
  'waiting for signature': 'submitted',
  pending: 'submitted',
  'in progress': 'inProgress',
  completed: 'completed',
  'action required': 'rejected',
  expired: 'rejected',
  canceled: 'canceled',
  cancelled: 'canceled',
};
interface PortRecord {
  seq?: number;
  told?: string;
  order?: Omit<PortOrder, 'documents' | 'pin'>;
  configured?: boolean;
  /** Since when an order may stand at Twilio whose answer we do not have (ISO 8601); null: every answer is here. */
  asking?: string | null;
}
/** Over at Twilio, or waiting for a new order in its place. */
const endedStatuses = new Set(['canceled', 'cancelled', 'expired', 'completed']);
const canceledStatuses = new Set(['canceled', 'cancelled']);

/** Moving numbers to Twilio. It cannot amend a request: one that came back is cancelled there and made anew, under our same key. */
export function twilioPorting(client: TwilioClient): PortingCarrier {
  const { store } = client;
  return {
    name: 'twilio',
    checkPortability: (numbers) =>
      Promise.all(numbers.map((number) => checkPortability(client, number))).catch(rethrowRefusal),
    async submit(order) {
      const { documents: _, pin: __, ...facts } = order;
      const { thing: object } = await store.put('port', order.key, { facts: { order: facts } });
      const standing = await currentRef(client, object);
      if (
        standing &&
        !canceledStatuses.has(standing.status) &&
        !['action required', 'expired'].includes(standing.status)
      )
        return { ref: standing.ref };
      if (standing?.status === 'action required') await removePort(client, standing.ref);
      await store.change('port', order.key, { facts: { order: facts } });
      const made = await resultOrRejection(async () => {
        const documents = await Promise.all(
          order.documents
            .filter((p) => p.kind === 'bill' || p.kind === 'csr')
            .slice(0, 5)
            .map((paper) => uploadDocument(client, paper)),
        );
        await store.change('port', order.key, { facts: { asking: client.now().toISOString() } });
        return { ref: await createPortIn(client, order, documents) };
      });
      await store.change('port', order.key, {
        ...('ref' in made ? { ref: made.ref } : {}),
        facts: { asking: null },
      });
      return made;
    },
    async cancel(key) {
      const thing = await store.get('port', key);
      const standing = thing && (await currentRef(client, thing));
      if (!standing) return 'none';
      if (canceledStatuses.has(standing.status)) return 'canceled';
      if (standing.status === 'completed') return 'too_late';
      return removePort(client, standing.ref);
    },
    async getOrder(key) {
      const thing = await store.get('port', key);
      const standing = thing && (await currentRef(client, thing));
      return standing ? reportOf(client, (await store.get('port', key))!, standing) : null;
    },
  };
}

/** Our order as it stands at Twilio; one whose answer was lost is looked for by its numbers, since Twilio keeps no key of ours. */
async function currentRef(
  client: TwilioClient,
  object: CarrierObject,
): Promise<PortInRequest | null> {
  const { asking, order } = object.facts as PortRecord;
  if (asking) {
    const lost = await findUnconfirmed(client, asking, order?.numbers ?? [], object.ref);
    if (lost)
      await client.store.change('port', object.key, { ref: lost.ref, facts: { asking: null } });
    if (lost) return lost;
  }
  return object.ref ? fetchPort(client, object.ref) : null;
}
/** A request made since then that holds one of these numbers and is not over. A number is in one open request at most. */
async function findUnconfirmed(
  client: TwilioClient,
  since: string,
  numbers: readonly string[],
  exceptRef: string | null,
): Promise<PortInRequest | null> {
  const createdAfter = new Date(Date.parse(since) - 86_400_000).toISOString().slice(0, 10);
  for (const {
    portInRequestSid: ref,
    portInRequestStatus,
  } of await client.api.client.numbers.v1.portingAllPortIns.list({ createdAfter, limit: 500 })) {
    if (ref === exceptRef || endedStatuses.has(normalizeStatus(portInRequestStatus))) continue;
    const found = await fetchPort(client, ref);
    if (found && !endedStatuses.has(found.status) && found.numbers.some((n) => numbers.includes(n)))
      return found;
  }
  return null;
}

/** What Twilio says no to, in its words. Its being away, or refusing us altogether, is thrown. */
async function resultOrRejection<T>(
  ask: () => Promise<T>,
): Promise<T | { refused: NonNullable<PortReport['rejection']> }> {
  try {
    return await ask();
  } catch (error) {
    const failure = classifyError(error);
    if (failure.is !== 'refused' || failure.status === 401 || failure.status === 403) throw error;
    return {
      refused: {
        code: String(failure.code || failure.status),
        text: failure.reason,
        fix: 'Correct it and submit again.',
      },
    };
  }
}

async function checkPortability(client: TwilioClient, number: string): Promise<Portability> {
  try {
    const found = await client.api.client.numbers.v1.portingPortabilities(number).fetch();
    return {
      number,
      portable: found.portable,
      reason: found.portable
        ? null
        : (found.notPortableReason || 'Twilio can’t port it')
            .replace(/\.$/, '')
            .replace(/^./, (c) => c.toLowerCase()),
      losingCarrier: null,
    };
  } catch (error) {
    const failure = classifyError(error);
    if (failure.is !== 'refused' || failure.status === 401) throw error;
    return { number, portable: false, reason: 'Twilio doesn’t recognize it', losingCarrier: null };
  }
}

/** Bills go to a host of their own, which Twilio's OpenAPI does not describe: unverified. */
async function uploadDocument(
  client: TwilioClient,
  document: PortOrder['documents'][number],
): Promise<string> {
  const form = new FormData();
  form.set('document_type', 'utility_bill');
  form.set('friendly_name', document.name);
  form.set(
    'File',
    new Blob([Uint8Array.from(document.bytes)], { type: document.contentType }),
    document.name,
  );
  const { status, body } = await client.api.upload(
    'https://numbers-upload.twilio.com/v1/Documents',
    form,
  );
  const sid = (body as { sid?: unknown } | null)?.sid;
  if (status >= 300 || typeof sid !== 'string')
    throw Object.assign(
      new Error(
        `Twilio rejected the document “${document.name}”: ${errorMessage(body) ?? `it answered ${status}`}`,
      ),
      { status },
    );
  return sid;
}

async function createPortIn(
  client: TwilioClient,
  order: PortOrder,
  documents: string[],
): Promise<string> {
  const { serviceAddress: a, authorized: p } = order;
  // The SDK sends this body as it is given, and Twilio reads it with underscores: its types say otherwise.
  const body = {
    account_sid: client.settings.accountSid,
    documents,
    phone_numbers: order.numbers.map((number) => ({
      phone_number: number,
      ...(order.pin ? { pin: order.pin } : {}),
    })),
    notification_emails: [p.email],
    ...(order.requestedDate ? { target_port_in_date: order.requestedDate } : {}),
    losing_carrier_information: {
      customer_type: order.customerType === 'business' ? 'Business' : 'Individual',
      customer_name: order.entityName,
      account_number: order.accountNumber,
      account_telephone_number: order.billingTelephoneNumber,
      authorized_representative: `${p.firstName} ${p.lastName}`,
      authorized_representative_email: p.email,
      address: {
        street: a.line1,
        street_2: a.line2,
        city: a.city,
        state: a.state,
        zip: a.zip,
        country: a.country === 'US' ? 'USA' : a.country,
      },
    },
  };
  const made = await client.api.client.numbers.v1.portingPortIns.create(body as never);
  return made.portInRequestSid;
}

const errorMessage = (body: unknown): string | null =>
  typeof (body as { message?: unknown } | null)?.message === 'string'
    ? (body as { message: string }).message
    : null;

const normalizeStatus = (status: unknown): string =>
  String(status ?? '')
    .toLowerCase()
    .replaceAll('_', ' ');
interface PortInRequest {
  ref: string;
  numbers: string[];
  status: string;
  focDate: string | null;
  rejection: PortReport['rejection'];
}
async function fetchPort(client: TwilioClient, ref: string): Promise<PortInRequest | null> {
  try {
    const found = await client.api.client.numbers.v1.portingPortIns(ref).fetch();
    const numbers = (found.phoneNumbers ?? []) as unknown as Record<string, unknown>[];
    const said = (n: Record<string, unknown>, plain: string) =>
      n[plain] ?? n[plain.replace(/_(\w)/g, (_, c: string) => c.toUpperCase())];
    const days = numbers
      .map((n) => said(n, 'port_date'))
      .filter(Boolean)
      .map((d) => new Date(d as string).toISOString().slice(0, 10));
    const refused = numbers.find((n) => said(n, 'rejection_reason'));
    return {
      ref,
      numbers: numbers.map((n) => String(said(n, 'phone_number') ?? '')),
      status: normalizeStatus(found.portInRequestStatus),
      focDate: days.length === numbers.length && days.length ? days.sort().at(-1)! : null,
      rejection: refused
        ? {
            code: String(said(refused, 'rejection_reason_code') ?? 'refused'),
            text: String(said(refused, 'rejection_reason')),
            fix: 'Correct it and submit again.',
          }
        : null,
    };
  } catch (error) {
    const failure = classifyError(error);
    if (failure.is === 'refused' && failure.status === 404) return null;
    throw error;
  }
}
async function removePort(client: TwilioClient, ref: string): Promise<'canceled' | 'too_late'> {
  try {
    await client.api.client.numbers.v1.portingPortIns(ref).remove();
    return 'canceled';
  } catch (error) {
    const failure = classifyError(error);
    if (failure.is !== 'refused' || failure.status === 401) throw error;
    return failure.status === 404 ? 'canceled' : 'too_late';
  }
}

/** Where a request stands; numbers that came are given our addresses first, so that their first call is answered. */
export async function fetchReport(client: TwilioClient, ref: string): Promise<PortReport | null> {
  const known = await client.store.getByRef('port', ref);
  const found = await fetchPort(client, ref);
  if (!found) return null;
  if (known) return reportOf(client, known, found);
  // Nobody's: perhaps the one whose answer was lost.
  for (const key of found.numbers[0]
    ? await client.store.keysMentioning('port', found.numbers[0])
    : []) {
    const thing = await client.store.get('port', key);
    if (!(thing?.facts as PortRecord | undefined)?.asking) continue;
    await client.store.change('port', key, { ref, facts: { asking: null } });
    return reportOf(client, (await client.store.get('port', key))!, found);
  }
  return null;
}

async function reportOf(
  client: TwilioClient,
  object: CarrierObject,
  found: PortInRequest,
): Promise<PortReport> {
  const kept = object.facts as PortRecord;
  const base = portStates[found.status] ?? 'submitted';
  const state: PortState = base === 'inProgress' && found.focDate ? 'firmOrderScheduled' : base;
  if (state === 'completed' && !kept.configured) {
    for (const number of kept.order?.numbers ?? []) await configureNumber(client, number);
    await client.store.change('port', object.key, { facts: { configured: true } });
  }
  const rejection =
    state === 'rejected'
      ? (found.rejection ??
        (found.status === 'expired'
          ? {
              code: 'expired',
              text: 'Twilio’s letter wasn’t signed in time.',
              fix: 'Submit again and sign the letter Twilio emails to the authorized person.',
            }
          : null))
      : null;
  const report = { state, focDate: found.focDate, wanted: [], rejection };
  return {
    ref: found.ref,
    key: object.key,
    seq: await nextReportSeq(client.store, object, report),
    ...report,
  };
}

async function configureNumber(client: TwilioClient, number: string): Promise<void> {
  const at = (what: string) => `${client.publicUrl}${webhookPath(what)}`;
  for (const ours of await client.api.client.incomingPhoneNumbers.list({
    phoneNumber: number,
    limit: 5,
  })) {
    if (ours.phoneNumber !== number) continue;
    await client.api.client.incomingPhoneNumbers(ours.sid).update({
      voiceUrl: at('voice'),
      voiceMethod: 'POST',
      statusCallback: at('voice/status'),
      statusCallbackMethod: 'POST',
      smsUrl: at('sms'),
      smsMethod: 'POST',
    });
    await client.store.put('order', number, { ref: ours.sid });
  }
}
