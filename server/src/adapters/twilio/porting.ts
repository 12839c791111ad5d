import type {
  PortingCarrier,
  PortOrder,
  PortReport,
  PortState,
  Portability,
} from '../../ports/porting.ts';
import { refusedInWords, whatBecame } from './api.ts';
import { pathOf, type Desk } from './desk.ts';
import type { BookedThing } from '../leg-book.ts';
import { seqOf } from '../port-seq.ts';

/** Twilio's word for a request → where it stands. It gathers its own signed letter by e-mail from the authorized person, so waiting for that is being submitted. */
const states: Readonly<Record<string, PortState>> = {
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
interface Kept {
  seq?: number;
  told?: string;
  order?: Omit<PortOrder, 'papers' | 'pin'>;
  configured?: boolean;
  /** Since when an order may stand at Twilio whose answer we do not have (ISO 8601); null: every answer is here. */
  asking?: string | null;
}
/** Over at Twilio, or waiting for a new order in its place. */
const ended = new Set(['canceled', 'cancelled', 'expired', 'completed']);
const canceled = new Set(['canceled', 'cancelled']);

/** Moving numbers to Twilio. It cannot amend a request: one that came back is cancelled there and made anew, under our same key. */
export function twilioPorting(desk: Desk): PortingCarrier {
  const { book } = desk;
  return {
    name: 'twilio',
    check: (numbers) =>
      Promise.all(numbers.map((number) => checkOne(desk, number))).catch(refusedInWords),
    async submit(order) {
      const { papers: _, pin: __, ...facts } = order;
      const { thing } = await book.keep('port', order.key, { facts: { order: facts } });
      const standing = await standingOf(desk, thing);
      if (
        standing &&
        !canceled.has(standing.status) &&
        !['action required', 'expired'].includes(standing.status)
      )
        return { ref: standing.ref };
      if (standing?.status === 'action required') await removePort(desk, standing.ref);
      await book.change('port', order.key, { facts: { order: facts } });
      const made = await orRefused(async () => {
        const documents = await Promise.all(
          order.papers
            .filter((p) => p.kind === 'bill' || p.kind === 'csr')
            .slice(0, 5)
            .map((paper) => upload(desk, paper)),
        );
        await book.change('port', order.key, { facts: { asking: desk.now().toISOString() } });
        return { ref: await create(desk, order, documents) };
      });
      await book.change('port', order.key, {
        ...('ref' in made ? { ref: made.ref } : {}),
        facts: { asking: null },
      });
      return made;
    },
    async cancel(key) {
      const thing = await book.find('port', key);
      const standing = thing && (await standingOf(desk, thing));
      if (!standing) return 'none';
      if (canceled.has(standing.status)) return 'canceled';
      if (standing.status === 'completed') return 'too_late';
      return removePort(desk, standing.ref);
    },
    async look(key) {
      const thing = await book.find('port', key);
      const standing = thing && (await standingOf(desk, thing));
      return standing ? reportOf(desk, (await book.find('port', key))!, standing) : null;
    },
  };
}

/** Our order as it stands at Twilio; one whose answer was lost is looked for by its numbers, since Twilio keeps no key of ours. */
async function standingOf(desk: Desk, thing: BookedThing): Promise<Found | null> {
  const { asking, order } = thing.facts as Kept;
  if (asking) {
    const lost = await findLost(desk, asking, order?.numbers ?? [], thing.ref);
    if (lost) await desk.book.change('port', thing.key, { ref: lost.ref, facts: { asking: null } });
    if (lost) return lost;
  }
  return thing.ref ? fetchPort(desk, thing.ref) : null;
}
/** A request made since then that holds one of these numbers and is not over. A number is in one open request at most. */
async function findLost(
  desk: Desk,
  since: string,
  numbers: readonly string[],
  but: string | null,
): Promise<Found | null> {
  const createdAfter = new Date(Date.parse(since) - 86_400_000).toISOString().slice(0, 10);
  for (const {
    portInRequestSid: ref,
    portInRequestStatus,
  } of await desk.api.client.numbers.v1.portingAllPortIns.list({ createdAfter, limit: 500 })) {
    if (ref === but || ended.has(wordOf(portInRequestStatus))) continue;
    const found = await fetchPort(desk, ref);
    if (found && !ended.has(found.status) && found.numbers.some((n) => numbers.includes(n)))
      return found;
  }
  return null;
}

/** What Twilio says no to, in its words. Its being away, or refusing us altogether, is thrown. */
async function orRefused<T>(
  ask: () => Promise<T>,
): Promise<T | { refused: NonNullable<PortReport['rejection']> }> {
  try {
    return await ask();
  } catch (error) {
    const became = whatBecame(error);
    if (became.is !== 'refused' || became.status === 401 || became.status === 403) throw error;
    return {
      refused: {
        code: String(became.code || became.status),
        text: became.reason,
        fix: 'Correct it and submit again.',
      },
    };
  }
}

async function checkOne(desk: Desk, number: string): Promise<Portability> {
  try {
    const found = await desk.api.client.numbers.v1.portingPortabilities(number).fetch();
    return {
      number,
      portable: found.portable,
      reason: found.portable
        ? null
        : (found.notPortableReason || 'Twilio cannot take it over')
            .replace(/\.$/, '')
            .replace(/^./, (c) => c.toLowerCase()),
      losingCarrier: null,
    };
  } catch (error) {
    const became = whatBecame(error);
    if (became.is !== 'refused' || became.status === 401) throw error;
    return { number, portable: false, reason: 'Twilio does not know it', losingCarrier: null };
  }
}

/** Bills go to a host of their own, which Twilio's OpenAPI does not describe: unverified. */
async function upload(desk: Desk, paper: PortOrder['papers'][number]): Promise<string> {
  const form = new FormData();
  form.set('document_type', 'utility_bill');
  form.set('friendly_name', paper.name);
  form.set(
    'File',
    new Blob([Uint8Array.from(paper.bytes)], { type: paper.contentType }),
    paper.name,
  );
  const { status, body } = await desk.api.upload(
    'https://numbers-upload.twilio.com/v1/Documents',
    form,
  );
  const sid = (body as { sid?: unknown } | null)?.sid;
  if (status >= 300 || typeof sid !== 'string')
    throw Object.assign(
      new Error(
        `Twilio did not take the document “${paper.name}”: ${textOf(body) ?? `it answered ${status}`}`,
      ),
      { status },
    );
  return sid;
}

async function create(desk: Desk, order: PortOrder, documents: string[]): Promise<string> {
  const { serviceAddress: a, authorized: p } = order;
  // The SDK sends this body as it is given, and Twilio reads it with underscores: its types say otherwise.
  const body = {
    account_sid: desk.settings.accountSid,
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
  const made = await desk.api.client.numbers.v1.portingPortIns.create(body as never);
  return made.portInRequestSid;
}

const textOf = (body: unknown): string | null =>
  typeof (body as { message?: unknown } | null)?.message === 'string'
    ? (body as { message: string }).message
    : null;

const wordOf = (status: unknown): string =>
  String(status ?? '')
    .toLowerCase()
    .replaceAll('_', ' ');
interface Found {
  ref: string;
  numbers: string[];
  status: string;
  focDate: string | null;
  rejection: PortReport['rejection'];
}
async function fetchPort(desk: Desk, ref: string): Promise<Found | null> {
  try {
    const found = await desk.api.client.numbers.v1.portingPortIns(ref).fetch();
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
      status: wordOf(found.portInRequestStatus),
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
    const became = whatBecame(error);
    if (became.is === 'refused' && became.status === 404) return null;
    throw error;
  }
}
async function removePort(desk: Desk, ref: string): Promise<'canceled' | 'too_late'> {
  try {
    await desk.api.client.numbers.v1.portingPortIns(ref).remove();
    return 'canceled';
  } catch (error) {
    const became = whatBecame(error);
    if (became.is !== 'refused' || became.status === 401) throw error;
    return became.status === 404 ? 'canceled' : 'too_late';
  }
}

/** Where a request stands; numbers that came are given our addresses first, so that their first call is answered. */
export async function lookAt(desk: Desk, ref: string): Promise<PortReport | null> {
  const known = await desk.book.findRef('port', ref);
  const found = await fetchPort(desk, ref);
  if (!found) return null;
  if (known) return reportOf(desk, known, found);
  // Nobody's: perhaps the one whose answer was lost.
  for (const key of found.numbers[0]
    ? await desk.book.keysMentioning('port', found.numbers[0])
    : []) {
    const thing = await desk.book.find('port', key);
    if (!(thing?.facts as Kept | undefined)?.asking) continue;
    await desk.book.change('port', key, { ref, facts: { asking: null } });
    return reportOf(desk, (await desk.book.find('port', key))!, found);
  }
  return null;
}

async function reportOf(desk: Desk, thing: BookedThing, found: Found): Promise<PortReport> {
  const kept = thing.facts as Kept;
  const base = states[found.status] ?? 'submitted';
  const state: PortState = base === 'inProgress' && found.focDate ? 'firmOrderScheduled' : base;
  if (state === 'completed' && !kept.configured) {
    for (const number of kept.order?.numbers ?? []) await pointHere(desk, number);
    await desk.book.change('port', thing.key, { facts: { configured: true } });
  }
  const rejection =
    state === 'rejected'
      ? (found.rejection ??
        (found.status === 'expired'
          ? {
              code: 'expired',
              text: 'Twilio’s letter was not signed in time.',
              fix: 'Submit again and sign the letter Twilio mails to the authorized person.',
            }
          : null))
      : null;
  const report = { state, focDate: found.focDate, wanted: [], rejection };
  return { ref: found.ref, key: thing.key, seq: await seqOf(desk.book, thing, report), ...report };
}

async function pointHere(desk: Desk, number: string): Promise<void> {
  const at = (what: string) => `${desk.publicUrl}${pathOf(what)}`;
  for (const ours of await desk.api.client.incomingPhoneNumbers.list({
    phoneNumber: number,
    limit: 5,
  })) {
    if (ours.phoneNumber !== number) continue;
    await desk.api.client.incomingPhoneNumbers(ours.sid).update({
      voiceUrl: at('voice'),
      voiceMethod: 'POST',
      statusCallback: at('voice/status'),
      statusCallbackMethod: 'POST',
      smsUrl: at('sms'),
      smsMethod: 'POST',
    });
    await desk.book.keep('order', number, { ref: ours.sid });
  }
}
