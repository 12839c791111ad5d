import { sql, type RawBuilder } from 'kysely';
import { expect } from 'vitest';
import { contacts } from '#contract';
import type { CallHarness } from './fixtures.ts';
import { uniquePhone } from './inbox.ts';
import type { companyThatKnows } from './known-person.ts';

type Known = Awaited<ReturnType<typeof companyThatKnows>>;
type Insert = (table: string, values: Record<string, unknown>) => Promise<number>;

const who = 'Zenobia Quillfeather';
const json = (value: unknown): RawBuilder<unknown> => sql`${JSON.stringify(value)}::jsonb`;

/**
 * What a company may know of this person beside calls and texts: a fax, visits, a campaign, a CRM, an
 * import, a merged contact, a custom value, and a call of someone else that was transferred to them.
 * Rows as the product writes them, without what would have to happen before.
 */
export async function leaveTraces(line: CallHarness, phone: string, known: Known): Promise<void> {
  const { company, number, callId, params } = known;
  const at = line.world.clock.value;
  const insert: Insert = async (table, values) => {
    const row = Object.entries({ company_id: company.id, ...values });
    const { rows } = await sql<{ id?: number }>`insert into ${sql.table(table)}
      (${sql.join(row.map(([column]) => sql.ref(column)))})
      values (${sql.join(row.map(([, value]) => sql`${value}`))})
      returning *`.execute(line.world.services.db.unscoped);
    return rows[0]!.id ?? 0;
  };
  await insert('fax', {
    ...{ number_id: number.id, outgoing: false, party: phone, state: 'received' },
    ...{ name: `From ${who}`, carrier: 'sandbox', queued_at: at, created_at: at },
  });
  await visitTwice(insert, { phone, callId, numberId: number.id, at });
  await addToCampaign(insert, phone, at);
  await sendToCrm(insert, { phone, callId, numberId: number.id, at });
  await addImport(insert, phone, at);
  const field_id = await insert('field', {
    ...{ entity_type_id: 7, key: 'guardian', name: 'Guardian', type: 'stringText' },
  });
  const custom = { field_id, entity_type_id: 7, entity_id: params.contactId, updated_at: at };
  await insert('field_value', { ...custom, text_value: `${who} senior` });
  await transferAnotherCall(line, known, insert, phone);
  await mergeAnother(line, known);
}

interface About {
  phone: string;
  callId: number;
  numberId: number;
  at: Date;
}

/** One visit that led to the call, one more of that browser. */
async function visitTwice(insert: Insert, { phone, callId, numberId, at }: About): Promise<void> {
  const source = { source_id: 1, source_key: 'direct', source_label: 'Direct' };
  const visit = {
    ...{ visitor_id: `browser of ${phone}`, started_at: at, last_seen_at: at, ...source },
    ...{ rule_id: 'direct', evidence: '', device: 'mobile', outcome: 'none' },
  };
  const url = 'https://harbor.test/';
  const visit_id = await insert('tracking_visit', { ...visit, url: `${url}?for=quillfeather` });
  await insert('tracking_visit', { ...visit, url, captured: json({ name: who, phone }) });
  await insert('tracking_match', {
    ...{ kind: 'call', subject_id: callId, number_id: numberId, party: phone, at, ...source },
    ...{ label: 'exact', confidence: 100, model: 'last', visit_id },
  });
}

async function addToCampaign(insert: Insert, phone: string, at: Date): Promise<void> {
  const campaign_id = await insert('campaign', { title: 'Spring', created_at: at, updated_at: at });
  // The batch names its recipients, and each names the batch.
  const batch_id = 7;
  const id = await insert('campaign_recipient', {
    ...{ campaign_id, batch_id, to_number: phone, zone: 'UTC', state: 'sent' },
    reply: 'Quillfeather says yes',
  });
  await insert('campaign_batch', {
    ...{ id: batch_id, campaign_id, claimed_by: 'a', carrier: 'sandbox', text_version: 1, size: 1 },
    ...{ recipient_ids: [id], texts: [`Hello ${who}`], segments: [1], credits: [1] },
  });
}

async function sendToCrm(insert: Insert, { phone, callId, numberId, at }: About): Promise<void> {
  const destination_id = await insert('destination', {
    ...{ provider: 'hubspot', name: 'CRM', config: json({}), created_at: at, updated_at: at },
  });
  const delivery_id = await insert('delivery', {
    ...{ destination_id, event: 'call.ended', subject_type: 'call', subject_id: callId },
    ...{ number_id: numberId, rule: json({}), dedupe_key: 'once', state: 'sent', next_try_at: at },
    ...{ request_redacted: `{"name":"${who}"}`, response_excerpt: `{"phone":"${phone}"}` },
    ...{ external_ref: 'quillfeather-7', happened_at: at, created_at: at, sent_at: at },
  });
  const error = `No ${phone} here`;
  await insert('delivery_attempt', { delivery_id, at, duration_ms: 5, response_code: 400, error });
}

async function addImport(insert: Insert, phone: string, at: Date): Promise<void> {
  const rows = json([{ number: phone, name: who }]);
  const import_id = await insert('contact_import', {
    ...{ file_name: 'people.csv', format: 'csv', bytes: 1, headers: json(['name']), row_count: 1 },
    ...{ headers_key: 'name', sample: json([[who]]), mapping: json(['name']), state: 'finished' },
    ...{ created_at: at, started_at: at, finished_at: at },
  });
  await insert('contact_import_chunk', { import_id, n: 0, at, rows });
  const message = `${who} has ${phone} already`;
  await insert('batch', {
    ...{ kind: 'contact-import', input: json({}), total: 1, processed: 1, failed: 1 },
    ...{ errors: json([{ row: 1, field: 'number', message }]), finished_at: at },
  });
}

/** A stranger's call was passed on to the person. */
async function transferAnotherCall(
  line: CallHarness,
  { number }: Known,
  insert: Insert,
  target: string,
): Promise<void> {
  const call = line.aCall(number.number, uniquePhone());
  await call.tell(call.inbound);
  await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
  await line.world.drainJobs();
  const [call_id, at] = [await call.id(), line.world.clock.value];
  await insert('call_leg', {
    ...{ call_id, leg: 'away', n: 9, role: 'target', label: who, target, state: 'ended' },
    ...{ started_at: at, ended_at: at },
  });
  const label = `Transferred to ${who}`;
  await insert('call_history', { call_id, kind: 'history', at, label, target, detail: who });
}

/** The person had a second contact. */
async function mergeAnother(line: CallHarness, { company, owner, params }: Known): Promise<void> {
  const as = line.world.as(owner);
  const other = await as.request(contacts.createContact, {
    query: { company_id: company.id },
    body: { number: uniquePhone(), name: `${who} (work)` },
  });
  const body = { with: (other.body as { data: { id: number } }).data.id };
  const merged = await as.request(contacts.mergeContacts, {
    params: { id: params.contactId },
    body,
  });
  expect(merged.status).toBe(200);
}
