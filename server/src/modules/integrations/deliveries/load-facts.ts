import { z } from 'zod';
import { companySettingsOf } from '#contract/settings/rules';
import type { DeliveryEvent } from '#contract/integrations/rules';
import type { DeliveryContact, DeliveryFacts } from '../../../gateways/destination.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { findCall, firstQualifiedOf } from '../../calls/index.ts';
import { companyRow } from '../../companies/index.ts';
import { contactsByIds, type ContactRow } from '../../contacts/index.ts';
import { conversationById, itemById } from '../../conversations/index.ts';
import { numberRecord } from '../../numbers/index.ts';
import { creditedClicks, visitOfContact } from '../../tracking/index.ts';

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
  return of && found && { event, subject, ...of, ...found };
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
  const visit = await visitOfContact(t.tx, t.companyId, 'call', id);
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
  const item = await itemById(t.tx, t.companyId, id);
  const conversation =
    item && (await conversationById(t.tx, t.companyId, item.conversation_id, null));
  const number = item && (await numberRecord(t.tx, t.companyId, item.number_id));
  if (!item || !conversation || !number) return null;
  const [contact] = conversation.contact_id
    ? await contactsByIds(t.tx, t.companyId, [conversation.contact_id])
    : [];
  const details = itemDetails.safeParse(item.details).data ?? {};
  const { source: label = null, sourceKey: key = null } = details;
  const { medium = null, campaign = null, keyword = null, landingUrl = null } = details;
  const visit = await visitOfContact(t.tx, t.companyId, 'text', id);
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
    clicks: visit ? await creditedClicks(t, 'text', id, async () => null) : [],
    summary: null,
    transcript: null,
    text: details.content ?? null,
    hasRecording: false,
    customFields: [],
    form: details.fields ? { name: details.form ?? '', fields: details.fields } : null,
    conversationId: conversation.id,
    link: `${t.settings.publicUrl}/inbox/${conversation.id}`,
  };
}
