import { sql } from 'kysely';
import { formatPhone } from '#contract/phone';
import { routeDefaults } from '#contract/routing/rules';
import { describeCall } from '../src/modules/numbers/timeline/rules.ts';
import type { Tx } from '../src/platform/db.ts';
import { insertInBatches } from './demo-rows.ts';

const DAY = 86_400_000;

interface Company {
  id: number;
  areaCode: string;
  numbers: readonly { id: number; number: string; label: string }[];
  people: readonly { id: number; name: string }[];
  by: number;
}
const phone = (company: Company, line: string) => `+1${company.areaCode}555${line}`;

/**
 * Forwarding numbers (one failing, one unused), templates, a keyword, and each number's events so
 * far.
 */
export async function seedTemplates(tx: Tx, company: Company, now: Date): Promise<void> {
  const { desk, service } = await insertForwardContacts(tx, company, now);
  await insertForwards(tx, company, [desk, service]);
  await insertTemplates(tx, company, desk, now);
  await insertKeyword(tx, company, now);
  await insertNumberEvents(tx, company, now);
  await sql`insert into number_usage_day (company_id, number_id, day, messages, last_message_at)
    select company_id, number_id, (created_at at time zone 'UTC')::date, count(*), max(created_at)
      from conversation_item where company_id = ${company.id} and kind = 'message'
      and created_at > ${new Date(now.getTime() - 30 * DAY)} group by 1, 2, 3`.execute(tx);
}

/** Creates the phones that calls are forwarded to; returns the ids of two that have calls. */
async function insertForwardContacts(tx: Tx, company: Company, now: Date) {
  const [desk, service] = await tx
    .insertInto('forward_contact')
    .values(
      [
        {
          name: 'Front desk phone',
          phone: phone(company, '0111'),
          notes: 'Behind the counter.',
          verified_at: new Date(now.getTime() - 60 * DAY),
          last_answered_at: new Date(now.getTime() - 3 * 3_600_000),
        },
        {
          name: 'Answering service',
          phone: phone(company, '0122'),
          extension: '204',
          notes: 'Nights and weekends.',
          verified_at: new Date(now.getTime() - 40 * DAY),
          last_answered_at: new Date(now.getTime() - 9 * DAY),
        },
        { name: 'Old branch', phone: phone(company, '0133'), notes: 'Moved in spring.' },
      ].map((row, i) => ({
        company_id: company.id,
        type: 'phone',
        extension: '',
        verified_at: null,
        last_answered_at: null,
        ...row,
        created_by: company.by,
        created_at: new Date(now.getTime() - (80 - i) * DAY),
        updated_at: new Date(now.getTime() - (80 - i) * DAY),
      })),
    )
    .returning(['id', 'name'])
    .execute();
  // Thirty days of calls: the front desk answers most, the answering service hardly any.
  await sql`insert into forward_attempt (company_id, contact_id, leg, at, answered)
    select ${company.id}, c.id, 'demo-' || i, ${now}::timestamptz - i * interval '14 hours',
      case when c.id = ${desk!.id} then i % 7 <> 0 else i % 8 = 0 end
    from unnest(array[${desk!.id}::bigint, ${service!.id}::bigint]) c(id),
      generate_series(1, 44) i`.execute(tx);
  return { desk: desk!.id, service: service!.id };
}

/** The company's last number rings these phones after the people. */
async function insertForwards(
  tx: Tx,
  company: Company,
  contacts: readonly number[],
): Promise<void> {
  const last = company.numbers.at(-1)!;
  const route = await tx
    .updateTable('route')
    .set({ type: 'sequential' })
    .where('company_id', '=', company.id)
    .where('number_id', '=', last.id)
    .where('extension', '=', 1)
    .returning('id')
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('forward')
    .values(
      contacts.map((contact_id, i) => ({
        company_id: company.id,
        route_id: route.id,
        position: 50 + i,
        contact_id,
      })),
    )
    .execute();
  await tx
    .updateTable('number')
    .set({ routing_type: 'sequential', forward_number: phone(company, '0111') })
    .where('company_id', '=', company.id)
    .where('id', '=', last.id)
    .execute();
}

/** A route that rings one phone, then voicemail. */
const ringing = (contactId: number) => ({
  ...routeDefaults,
  type: 'simultaneous',
  forwards: [
    {
      id: 1,
      label: '',
      contact_id: contactId,
      number: null,
      user_id: null,
      area_codes: [],
      states: [],
    },
  ],
  business_hours: null,
  email_alert_address: [],
  voicemail_enabled: true,
  voicemail_greeting: null,
  after_hours: null,
});

async function insertTemplates(tx: Tx, company: Company, desk: number, now: Date): Promise<void> {
  const ring = ringing(desk);
  await tx
    .insertInto('number_template')
    .values(
      [
        {
          name: 'Branch office',
          description: 'Rings the front desk, then voicemail',
          routes: JSON.stringify([{ ...ring, id: 1 }]),
          record: true,
          call_transcription_enabled: true,
        },
        {
          name: 'Campaign line',
          description: 'For ads: recorded, fields filled in by AI',
          routes: JSON.stringify([{ ...ring, id: 1, type: 'in-app-calling', forwards: [] }]),
          record: true,
          call_transcription_enabled: true,
          ai_eav_enabled: true,
        },
      ].map((row) => ({
        company_id: company.id,
        ...row,
        created_by: company.by,
        created_at: new Date(now.getTime() - 70 * DAY),
        updated_at: new Date(now.getTime() - 20 * DAY),
      })),
    )
    .execute();
}

async function insertKeyword(tx: Tx, company: Company, now: Date): Promise<void> {
  await tx
    .insertInto('number_trigger')
    .values({
      company_id: company.id,
      number_id: company.numbers[0]!.id,
      keyword: 'JOIN',
      reply_text: 'Thanks for joining. We text at most twice a month. Reply STOP to stop.',
      set_optin: true,
      created_by: company.by,
      created_at: new Date(now.getTime() - 30 * DAY),
      updated_at: new Date(now.getTime() - 30 * DAY),
    })
    .execute();
}

async function insertNumberEvents(tx: Tx, company: Company, now: Date): Promise<void> {
  const who = company.people[0];
  await tx
    .insertInto('number_event')
    .values(
      company.numbers.flatMap((n) =>
        [
          { type: 'purchased', summary: 'Purchased', days: 90, source: 'purchased' },
          { type: 'label_changed', summary: `Labeled “${n.label}”`, days: 89.9, source: null },
          {
            type: 'settings_changed',
            summary: 'Recording: on; Transcription: on',
            days: 89.8,
            source: null,
          },
        ].map(({ days, ...event }) => ({
          company_id: company.id,
          number_id: n.id,
          at: new Date(now.getTime() - days * DAY),
          actor_type: 'user',
          actor_id: who?.id ?? null,
          actor_name: who?.name ?? '',
          ...event,
        })),
      ),
    )
    .execute();
  const calls = await tx
    .selectFrom('call')
    .select(['id', 'number_id', 'party', 'outcome', 'outbound'])
    .select(['talk_seconds', 'started_at', 'ended_at'])
    .where('company_id', '=', company.id)
    .where('started_at', '>', new Date(now.getTime() - 14 * DAY))
    .execute();
  await insertInBatches(
    tx,
    'number_event',
    calls.map(({ id, party, outcome, outbound, ...call }) => ({
      company_id: company.id,
      number_id: call.number_id,
      at: call.ended_at ?? call.started_at,
      type: 'call',
      actor_type: 'system',
      summary: describeCall(
        { outcome, outbound, talkSeconds: call.talk_seconds },
        formatPhone(party),
      ),
      after: { callId: id, party, outcome },
      source: `call:${id}`,
    })),
  );
}
