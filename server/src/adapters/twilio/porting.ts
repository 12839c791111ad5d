import type { PortingCarrier, PortOrder, PortReport, PortState, Portability } from '../../ports/porting.ts';
import { refusedInWords, whatBecame } from './api.ts';
import { pathOf, type Desk } from './desk.ts';
import { seqOf } from '../port-seq.ts';

/** Twilio's word for a request → where it stands. It gathers its own signed letter by e-mail from the authorized person, so waiting for that is being submitted. */
const states: Readonly<Record<string, PortState>> = {
  'in review': 'submitted', 'waiting for signature': 'submitted', pending: 'submitted', 'in progress': 'inProgress', completed: 'completed', 'action required': 'rejected', expired: 'rejected', canceled: 'canceled', cancelled: 'canceled',
};
interface Kept { ref?: string; seq?: number; told?: string; order?: Omit<PortOrder, 'papers' | 'pin'>; configured?: boolean }

/** Moving numbers to Twilio. It cannot amend a request: one that came back is cancelled there and made anew, under our same key. */
export function twilioPorting(desk: Desk): PortingCarrier {
  const { book } = desk;
  return {
    name: 'twilio',
    check: (numbers) => Promise.all(numbers.map((number) => checkOne(desk, number))).catch(refusedInWords),
    async submit(order) {
      const { papers: _, pin: __, ...facts } = order;
      const { thing } = await book.keep('port', order.key, { facts: { order: facts } });
      if (thing.ref) {
        const standing = await fetchPort(desk, thing.ref);
        if (standing && !['action required', 'expired', 'canceled', 'cancelled'].includes(standing.status)) return { ref: thing.ref };
        if (standing && standing.status === 'action required') await removePort(desk, thing.ref);
        await book.change('port', order.key, { facts: { order: facts } });
      }
      const documents = await Promise.all(order.papers.filter((p) => p.kind === 'bill' || p.kind === 'csr').slice(0, 5).map((paper) => upload(desk, paper)));
      const ref = await create(desk, order, documents);
      await book.change('port', order.key, { ref });
      return { ref };
    },
    async cancel(ref) {
      const standing = await fetchPort(desk, ref);
      if (!standing || ['canceled', 'cancelled'].includes(standing.status)) return 'canceled';
      if (standing.status === 'completed') return 'too_late';
      return removePort(desk, ref);
    },
    look: (ref) => lookAt(desk, ref),
  };
}

async function checkOne(desk: Desk, number: string): Promise<Portability> {
  try {
    const found = await desk.api.client.numbers.v1.portingPortabilities(number).fetch();
    return { number, portable: found.portable, reason: found.portable ? null : (found.notPortableReason || 'Twilio cannot take it over').replace(/\.$/, '').replace(/^./, (c) => c.toLowerCase()), losingCarrier: null };
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
  form.set('File', new Blob([Uint8Array.from(paper.bytes)], { type: paper.contentType }), paper.name);
  const { status, body } = await desk.api.upload('https://numbers-upload.twilio.com/v1/Documents', form);
  const sid = (body as { sid?: unknown } | null)?.sid;
  if (status >= 300 || typeof sid !== 'string') throw new Error(`Twilio did not take the document (${status}).`);
  return sid;
}

async function create(desk: Desk, order: PortOrder, documents: string[]): Promise<string> {
  const { serviceAddress: a, authorized: p } = order;
  // The SDK sends this body as it is given, and Twilio reads it with underscores: its types say otherwise.
  const body = {
    account_sid: desk.settings.accountSid, documents, phone_numbers: order.numbers.map((number) => ({ phone_number: number, ...(order.pin ? { pin: order.pin } : {}) })), notification_emails: [p.email], ...(order.requestedDate ? { target_port_in_date: order.requestedDate } : {}),
    losing_carrier_information: {
      customer_type: order.customerType === 'business' ? 'Business' : 'Individual', customer_name: order.entityName, account_number: order.accountNumber, account_telephone_number: order.billingTelephoneNumber, authorized_representative: `${p.firstName} ${p.lastName}`, authorized_representative_email: p.email,
      address: { street: a.line1, street_2: a.line2, city: a.city, state: a.state, zip: a.zip, country: a.country === 'US' ? 'USA' : a.country },
    },
  };
  const made = await desk.api.client.numbers.v1.portingPortIns.create(body as never);
  return made.portInRequestSid;
}

interface Found { status: string; focDate: string | null; rejection: PortReport['rejection'] }
async function fetchPort(desk: Desk, ref: string): Promise<Found | null> {
  try {
    const found = await desk.api.client.numbers.v1.portingPortIns(ref).fetch();
    const numbers = (found.phoneNumbers ?? []) as unknown as Record<string, unknown>[];
    const said = (n: Record<string, unknown>, plain: string) => n[plain] ?? n[plain.replace(/_(\w)/g, (_, c: string) => c.toUpperCase())];
    const days = numbers.map((n) => said(n, 'port_date')).filter(Boolean).map((d) => new Date(d as string).toISOString().slice(0, 10));
    const refused = numbers.find((n) => said(n, 'rejection_reason'));
    return {
      status: String(found.portInRequestStatus ?? '').toLowerCase().replaceAll('_', ' '), focDate: days.length === numbers.length && days.length ? days.sort().at(-1)! : null,
      rejection: refused ? { code: String(said(refused, 'rejection_reason_code') ?? 'refused'), text: String(said(refused, 'rejection_reason')), fix: 'Correct it and submit again.' } : null,
    };
  } catch (error) {
    const became = whatBecame(error);
    if (became.is === 'refused' && became.status === 404) return null;
    throw error;
  }
}
async function removePort(desk: Desk, ref: string): Promise<'canceled' | 'too_late'> {
  try { await desk.api.client.numbers.v1.portingPortIns(ref).remove(); return 'canceled'; } catch (error) {
    const became = whatBecame(error);
    if (became.is !== 'refused' || became.status === 401) throw error;
    return became.status === 404 ? 'canceled' : 'too_late';
  }
}

/** Where a request stands; numbers that came are given our addresses first, so that their first call is answered. */
export async function lookAt(desk: Desk, ref: string): Promise<PortReport | null> {
  const thing = await desk.book.findRef('port', ref);
  const found = thing && (await fetchPort(desk, ref));
  if (!found) return null;
  const kept = thing.facts as Kept;
  const base = states[found.status] ?? 'submitted';
  const state: PortState = base === 'inProgress' && found.focDate ? 'firmOrderScheduled' : base;
  if (state === 'completed' && !kept.configured) {
    for (const number of kept.order?.numbers ?? []) await pointHere(desk, number);
    await desk.book.change('port', thing.key, { facts: { configured: true } });
  }
  const rejection = state === 'rejected' ? (found.rejection ?? (found.status === 'expired' ? { code: 'expired', text: 'Twilio’s letter was not signed in time.', fix: 'Submit again and sign the letter Twilio mails to the authorized person.' } : null)) : null;
  const report = { state, focDate: found.focDate, wanted: [], rejection };
  return { ref, key: thing.key, seq: await seqOf(desk.book, thing, report), ...report };
}

async function pointHere(desk: Desk, number: string): Promise<void> {
  const at = (what: string) => `${desk.publicUrl}${pathOf(what)}`;
  for (const ours of await desk.api.client.incomingPhoneNumbers.list({ phoneNumber: number, limit: 5 })) {
    if (ours.phoneNumber !== number) continue;
    await desk.api.client.incomingPhoneNumbers(ours.sid).update({ voiceUrl: at('voice'), voiceMethod: 'POST', statusCallback: at('voice/status'), statusCallbackMethod: 'POST', smsUrl: at('sms'), smsMethod: 'POST' });
    await desk.book.keep('order', number, { ref: ours.sid });
  }
}
