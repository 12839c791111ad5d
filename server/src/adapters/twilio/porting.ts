import type { PortingCarrier, PortOrder, PortReport, Portability } from '../../gateways/porting.ts';
import { rethrowRefusal, classifyError } from './api.ts';
import type { TwilioClient } from './client.ts';
import { reportOf } from './port-reports.ts';
import { canceledStatuses, currentRequest, removePort } from './port-requests.ts';

/**
 * Porting numbers to Twilio. A request cannot be amended: one that was sent back is cancelled and
 * created again under our same key.
 */
export function twilioPorting(client: TwilioClient): PortingCarrier {
  const { store } = client;
  const requestOf = async (key: string) => {
    const object = await store.get('port', key);
    return object ? currentRequest(client, object) : null;
  };
  return {
    name: 'twilio',
    checkPortability: (numbers) =>
      Promise.all(numbers.map((number) => checkPortability(client, number))).catch(rethrowRefusal),
    submit: (order) => submitOrder(client, order),
    async cancel(key) {
      const request = await requestOf(key);
      if (!request) return 'none';
      if (canceledStatuses.has(request.status)) return 'canceled';
      if (request.status === 'completed') return 'too_late';
      return removePort(client, request.ref);
    },
    async getOrder(key) {
      const request = await requestOf(key);
      // Read again: finding the request may have changed it.
      const object = request && (await store.get('port', key));
      return object ? reportOf(client, object, request) : null;
    },
  };
}

async function submitOrder(
  client: TwilioClient,
  order: PortOrder,
): ReturnType<PortingCarrier['submit']> {
  const { store } = client;
  const { documents: _, pin: __, ...facts } = order;
  const { thing: object } = await store.put('port', order.key, { facts: { order: facts } });
  const request = await currentRequest(client, object);
  const isOver = request && (canceledStatuses.has(request.status) || request.status === 'expired');
  const isSentBack = request?.status === 'action required';
  if (request && !isOver && !isSentBack) return { ref: request.ref };
  if (request && isSentBack) await removePort(client, request.ref);
  await store.change('port', order.key, { facts: { order: facts } });
  const result = await resultOrRejection(async () => {
    const documents = await Promise.all(
      order.documents
        .filter(({ kind }) => kind === 'bill' || kind === 'csr')
        .slice(0, 5)
        .map((document) => uploadDocument(client, document)),
    );
    await store.change('port', order.key, { facts: { asking: client.now().toISOString() } });
    return { ref: await createPortIn(client, order, documents) };
  });
  await store.change('port', order.key, {
    ...('ref' in result ? { ref: result.ref } : {}),
    facts: { asking: null },
  });
  return result;
}

/** Twilio's rejection is a result. Throws when Twilio is unreachable or refuses our account. */
async function resultOrRejection<T>(
  request: () => Promise<T>,
): Promise<T | { refused: NonNullable<PortReport['rejection']> }> {
  try {
    return await request();
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

/**
 * Uploads a bill. Unverified: its host is not in Twilio's OpenAPI. Throws when Twilio refuses it.
 */
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
  // The API expects names with underscores, and the SDK sends the body unchanged, unlike its types
  // say.
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
  const { portingPortIns } = client.api.client.numbers.v1;
  type Body = Parameters<typeof portingPortIns.create>[0];
  const created = await portingPortIns.create(body as unknown as Body);
  return created.portInRequestSid;
}

const errorMessage = (body: unknown): string | null =>
  typeof (body as { message?: unknown } | null)?.message === 'string'
    ? (body as { message: string }).message
    : null;
