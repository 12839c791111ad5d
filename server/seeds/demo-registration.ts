import { sql } from 'kysely';
import type { Tx } from '../src/platform/db.ts';
import { brand, campaign, rejected, why } from './demo-registration-details.ts';
import { idAt, type SeedCompany, type SeedNumber } from './demo-rows.ts';

const DAY = 86_400_000;

/** The registrations' ids by their order, the time some days ago, and the approved numbers. */
interface Registrations {
  company: SeedCompany;
  id: (n: number) => number;
  at: (days: number, minutes?: number) => Date;
  billing: SeedNumber;
  reminders: SeedNumber;
}

/**
 * Three registrations of the first company: an approved one with two numbers, one that was rejected
 * because a sample message lacks STOP, and a draft of a second campaign. The sandbox's registry has
 * the documents of the first two, so their workflows continue from here.
 */
export async function seedRegistration(tx: Tx, company: SeedCompany, now: Date): Promise<void> {
  const at = (days: number, minutes = 0) => new Date(now.getTime() - days * DAY + minutes * 60_000);
  // Computed once, because every call counts an id up.
  const ids = Array.from({ length: 40 }, (_, n) => idAt(now.getTime() - 60 * DAY + 7000 + n));
  const id = (n: number) => ids[n]!;
  const [billing, reminders] = [company.numbers[3]!, company.numbers[4]!];
  const registrations = { company, id, at, billing, reminders };
  await insertBrandAndCampaigns(tx, registrations);
  await insertInSandbox(tx, registrations);
  await insertReviews(tx, registrations);
  await insertNumbers(tx, registrations);
  await insertEvents(tx, registrations);
}

async function insertBrandAndCampaigns(tx: Tx, { company, id, at }: Registrations): Promise<void> {
  const base = { company_id: company.id, created_at: at(60), updated_at: at(59) };
  await tx
    .insertInto('sms_brand')
    .values({
      ...base,
      id: id(1),
      details: JSON.stringify(brand),
      status: 'approved',
      score: 64,
      paid_at: at(60),
    })
    .execute();
  await tx
    .insertInto('sms_campaign')
    .values([
      {
        ...base,
        id: id(2),
        brand_id: id(1),
        details: JSON.stringify(campaign),
        is_draft: false,
        paid_at: at(60),
        submitted_at: at(60),
        decided_at: at(60, 1),
      },
      {
        ...base,
        id: id(3),
        brand_id: id(1),
        details: JSON.stringify(rejected),
        is_draft: false,
        paid_at: at(3),
        submitted_at: at(3),
        decided_at: at(3, 1),
        created_at: at(3),
        updated_at: at(3, 1),
      },
      {
        ...base,
        id: id(4),
        brand_id: id(1),
        details: JSON.stringify({
          use_case: '2FA',
          description: 'Codes for signing in to the patient portal.',
        }),
        is_draft: true,
        created_at: at(1),
        updated_at: at(1),
      },
    ])
    .execute();
}

/** What the sandbox's registry holds. */
async function insertInSandbox(tx: Tx, registrations: Registrations): Promise<void> {
  const { company, id, at, billing, reminders } = registrations;
  for (const [n, key] of [
    [2, 'approved'],
    [3, 'rejected'],
  ] as const) {
    const documents = {
      kind: 'local',
      brand: { type: 'PRIVATE_PROFIT', legalName: brand.legal_name, email: brand.email },
      campaign: { samples: n === 2 ? campaign.sample_messages : rejected.sample_messages },
      numbers: n === 2 ? [billing.number, reminders.number] : [],
    };
    await sql`insert into sandbox.registration (id, key, kind, documents, state, verdict, score,
        numbers, at, decided_at) values (${id(n)}, ${`r.${company.id}.${id(n)}.local.1`}, 'local',
        ${JSON.stringify(documents)}::jsonb, ${key}, ${JSON.stringify(n === 2 ? [] : why)}::jsonb,
        ${n === 2 ? 64 : null}, ${JSON.stringify(documents.numbers)}::jsonb,
        ${at(3)}, ${at(3, 1)})`.execute(tx);
  }
}

async function insertReviews(tx: Tx, { company, id, at }: Registrations): Promise<void> {
  await tx
    .insertInto('registration_review')
    .values([
      {
        company_id: company.id,
        campaign_id: id(2),
        kind: 'local',
        carrier: 'sandbox',
        status: 'approved',
        provider_ref: `sbr-${id(2)}`,
        submitted_at: at(60),
        decided_at: at(60, 1),
      },
      {
        company_id: company.id,
        campaign_id: id(3),
        kind: 'local',
        carrier: 'sandbox',
        status: 'rejected',
        provider_ref: `sbr-${id(3)}`,
        rejection: JSON.stringify(why),
        submitted_at: at(3),
        decided_at: at(3, 1),
      },
    ])
    .execute();
}

async function insertNumbers(tx: Tx, registrations: Registrations): Promise<void> {
  const { company, id, at, billing, reminders } = registrations;
  await tx
    .insertInto('sms_campaign_number')
    .values(
      [billing, reminders].map((n) => ({
        company_id: company.id,
        number_id: n.id,
        campaign_id: id(2),
        number: n.number,
        kind: 'local',
        state: 'approved',
        added_at: at(60),
      })),
    )
    .execute();
  await tx
    .updateTable('number')
    .set({ sms_verification_campaign_id: id(2), sms_verification_updated_at: at(60, 1) })
    .where('company_id', '=', company.id)
    .where('id', 'in', [billing.id, reminders.id])
    .execute();
}

async function insertEvents(tx: Tx, { company, id, at }: Registrations): Promise<void> {
  const step = (
    n: number,
    campaignId: number,
    what: string,
    when: Date,
    kind: string | null,
    by: string,
    rejection: unknown[] = [],
  ) => ({
    company_id: company.id,
    id: id(20 + n),
    campaign_id: campaignId,
    what,
    kind,
    by_name: by,
    rejection: JSON.stringify(rejection),
    at: when,
  });
  await tx
    .insertInto('registration_event')
    .values([
      step(1, id(2), 'created', at(60, -30), null, 'Olive Owner'),
      step(2, id(2), 'submitted', at(60), 'local', 'Olive Owner'),
      step(3, id(2), 'in_review', at(60), 'local', 'Carrier'),
      step(4, id(2), 'approved', at(60, 1), 'local', 'Carrier'),
      step(5, id(3), 'created', at(3, -20), null, 'Adam Administrator'),
      step(6, id(3), 'submitted', at(3), 'local', 'Adam Administrator'),
      step(7, id(3), 'in_review', at(3), 'local', 'Carrier'),
      step(8, id(3), 'rejected', at(3, 1), 'local', 'Carrier', why),
      step(9, id(4), 'created', at(1), null, 'Olive Owner'),
    ])
    .execute();
}
