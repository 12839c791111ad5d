import { z } from 'zod';
import { companySettingsOf } from '#contract/settings/rules';
import type { DeliveryEvent } from '#contract/integrations/rules';
import type { DeliveryContact, DeliveryFacts } from '../../../gateways/destination.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { findCall, firstQualifiedOf } from '../../calls/index.ts';
import { companyRow } from '../../companies/index.ts';
import { contactsByIds, type ContactRow } from '../../contacts/index.ts';
import { conversationsByIds, itemsByIds } from '../../conversations/index.ts';
import { numberRecords } from '../../numbers/index.ts';
import { creditedClicks, visitsOfContacts, type VisitOfContact } from '../../tracking/index.ts';

export type Subject = DeliveryFacts['subject'];

export type CompanyFacts = Pick<DeliveryFacts, 'company' | 'masksDetails'>;

/** What deliveries say of their company. Null: it is gone. */
export async function companyFacts(t: TxCtx): Promise<CompanyFacts | null> {
  const row = await companyRow(t.tx, t.companyId);
  if (!row) return null;
  const { id, name, timezone, settings } = row;
  return {
    company: { id, name, timezone },
    masksDetails: companySettingsOf(settings).mask_contact_details_for_users === true,
  };
}

/** Texts and forms that were read ahead, by the transaction that did. */
const ahead = new WeakMap<object, Map<number, Found | null>>();

/** Reads texts and forms ahead that `loadFacts` is asked for in this transaction. */
export async function readAhead(t: TxCtx, itemIds: readonly number[]): Promise<void> {
  if (itemIds.length < 2) return;
  const found = await ofItems(t, itemIds);
  ahead.set(t.tx, new Map(itemIds.map((id) => [id, found.get(id) ?? null])));
}

/**
 * Everything known now of a call, text or form, for its delivery. Null: it is gone.
 * @param company what is known of the company; left out: it is read
 */
export async function loadFacts(
  t: TxCtx,
  event: DeliveryEvent,
  subject: Subject,
  company?: CompanyFacts,
): Promise<DeliveryFacts | null> {
  const of = company ?? (await companyFacts(t));
  const found = subject.type === 'call' ? await ofCall(t, subject.id) : await ofItem(t, subject.id);
  return of && found ? { event, subject, ...of, ...found } : null;
}

type Found = Omit<DeliveryFacts, 'event' | 'subject' | keyof CompanyFacts>;

const contactOf = (row: ContactRow | undefined): DeliveryContact | null =>
  row
    ? {
        id: row.id,
        name: row.name,
        companyName: row.company_name,
        email: row.email,
        street: row.address1,
        city: row.city,
        state: row.state,
        zip: row.zip,
        country: row.country,
      }
    : null;

const outcomes = { 1: 'answered', 2: 'missed', 3: 'voicemail' } as const;
/** `vehicle_make` as people call it. */
const spoken = (key: string): string => key.replaceAll('_', ' ');

async function ofCall(t: TxCtx, id: number): Promise<Found | null> {
  const call = await findCall(t, id);
  if (!call) return null;
  const [contact] = call.contact ? await contactsByIds(t.tx, t.companyId, [call.contact.id]) : [];
  const visit = (await visitsOfContacts(t.tx, t.companyId, 'call', [id])).get(id);
  return {
    happenedAt: new Date(call.started_at),
    number: { ...call.number, poolId: call.dni_pool_id },
    party: call.outbound ? call.to : call.from,
    outbound: call.outbound === 1,
    contact: contactOf(contact),
    callerName: call.caller_name,
    outcome: outcomes[call.outcome as keyof typeof outcomes] ?? null,
    answeredBy: call.answered_by?.label ?? null,
    answeredById: call.answered_by?.type === 'user' ? call.answered_by.id : null,
    durationSeconds: call.duration,
    talkSeconds: call.talk_seconds,
    firstContact: call.first_contact,
    qualified: call.qualified === 1,
    lead: call.lead === 1,
    isSpam: call.spam === 1,
    outcomeTags: call.outcome_tags,
    department: call.department,
    valueCents: call.value_cents,
    source: call.source,
    adContent: visit?.content ?? null,
    cookies: visit?.cookies ?? {},
    clicks: visit ? await creditedClicks(t, 'call', id, () => qualifiedAt(t, call)) : [],
    summary: call.summary,
    transcript: call.transcription.text || null,
    text: null,
    hasRecording: call.recording.url !== null || call.voicemail !== null,
    customFields: call.eavAttributeValues.map(({ key, label }) => ({
      name: spoken(key),
      value: label,
    })),
    form: null,
    conversationId: call.conversation_id,
    link: `${t.settings.publicUrl}/calls/${id}`,
  };
}

/** When a call of this person was qualified first; null: never. */
async function qualifiedAt(t: TxCtx, call: NonNullable<Awaited<ReturnType<typeof findCall>>>) {
  const party = call.outbound ? call.to : call.from;
  const of = { id: call.id, party, started_at: new Date(call.started_at) };
  const found = await firstQualifiedOf(t.tx, t.companyId, [
    { ...of, qualified: call.qualified === 1 },
  ]);
  return found.get(call.id) ?? null;
}

/** What the details of a text or form say of it. */
const itemDetails = z.object({
  content: z.string().optional(),
  form: z.string().optional(),
  fields: z.array(z.object({ name: z.string(), value: z.string() })).optional(),
  source: z.string().nullable().optional(),
  sourceKey: z.string().nullable().optional(),
  medium: z.string().nullable().optional(),
  campaign: z.string().nullable().optional(),
  keyword: z.string().nullable().optional(),
  landingUrl: z.string().nullable().optional(),
});

async function ofItem(t: TxCtx, id: number): Promise<Found | null> {
  const known = ahead.get(t.tx)?.get(id);
  return known === undefined ? ((await ofItems(t, [id])).get(id) ?? null) : known;
}

/** Rows by their IDs. */
const byId = <Row extends { id: number }>(rows: readonly Row[]) =>
  new Map(rows.map((row) => [row.id, row]));
const distinct = (ids: readonly (number | null)[]): number[] => [
  ...new Set(ids.filter((id) => id !== null)),
];

/** What is known of texts and forms, by ID, with as many statements as for one. */
async function ofItems(t: TxCtx, ids: readonly number[]): Promise<Map<number, Found>> {
  const { tx, companyId, settings } = t;
  const items = ids.length > 0 ? await itemsByIds(tx, companyId, ids) : [];
  if (items.length === 0) return new Map();
  const conversations = byId(
    await conversationsByIds(tx, companyId, distinct(items.map((item) => item.conversation_id))),
  );
  const numbers = byId(
    await numberRecords(tx, companyId, distinct(items.map((item) => item.number_id))),
  );
  const contactIds = [...conversations.values()].map(({ contact_id }) => contact_id);
  const contacts = byId(await contactsByIds(tx, companyId, distinct(contactIds)));
  const visits = await visitsOfContacts(tx, companyId, 'text', ids);
  const found = new Map<number, Found>();
  for (const item of items) {
    const conversation = conversations.get(item.conversation_id);
    const number = numbers.get(item.number_id);
    if (!conversation || !number) continue;
    const contact = contacts.get(conversation.contact_id ?? 0);
    const link = `${settings.publicUrl}/inbox/${conversation.id}`;
    const visit = visits.get(item.id) ?? null;
    const clicks = visit ? await creditedClicks(t, 'text', item.id, async () => null) : [];
    found.set(item.id, foundOf(item, { conversation, number, contact, visit, clicks, link }));
  }
  return found;
}

interface Around {
  conversation: { id: number; party: string };
  number: { id: number; number: string; label: string; dni_pool_id: number | null };
  contact: ContactRow | undefined;
  visit: VisitOfContact | null;
  clicks: DeliveryFacts['clicks'];
  link: string;
}
function foundOf(
  item: { created_at: Date; is_inbound: boolean; kind: string; details: unknown },
  { conversation, number, contact, visit, clicks, link }: Around,
): Found {
  const details = itemDetails.safeParse(item.details).data ?? {};
  const { source: label = null, sourceKey: key = null } = details;
  const { medium = null, campaign = null, keyword = null, landingUrl = null } = details;
  return {
    happenedAt: item.created_at,
    number: {
      id: number.id,
      number: number.number,
      label: number.label,
      poolId: number.dni_pool_id,
    },
    party: conversation.party,
    outbound: !item.is_inbound,
    contact: contactOf(contact),
    callerName: null,
    outcome: null,
    answeredBy: null,
    answeredById: null,
    durationSeconds: 0,
    talkSeconds: 0,
    firstContact: false,
    qualified: false,
    lead: item.kind === 'form',
    isSpam: false,
    outcomeTags: [],
    department: 'unknown',
    valueCents: null,
    source: key || label ? { key, label, medium, campaign, keyword, landingUrl } : null,
    adContent: visit?.content ?? null,
    cookies: visit?.cookies ?? {},
    clicks,
    summary: null,
    transcript: null,
    text: details.content ?? null,
    hasRecording: false,
    customFields: [],
    form: details.fields ? { name: details.form ?? '', fields: details.fields } : null,
    conversationId: conversation.id,
    link,
  };
}
