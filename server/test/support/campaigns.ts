import { campaigns as contract } from '#contract';
import type { Campaign } from '#contract/campaigns/schemas';
import { expect } from 'vitest';
import type { TestCompany, TestPerson, TestApp } from './test-app.ts';
import { systemCtx } from '../../src/platform/context.ts';
import { provisionNumber } from '../../src/modules/numbers/index.ts';

let line = 100;
let phone = 0;
export interface TestSender {
  company: TestCompany;
  owner: TestPerson;
  number: number;
  otherNumber: number;
  group: number;
  people: string[];
  ours: string;
}

/**
 * A company with a number and a group of this many contacts in New York. Sending hours never end
 * unless given.
 */
export async function createSender(
  app: TestApp,
  people: number,
  more: { quiet?: boolean; areaCodes?: readonly string[] } = {},
): Promise<TestSender> {
  const { company, owner } = await app.createCompany();
  const buy = () =>
    systemCtx(app.services, company.id, app.notifier).transaction((t) =>
      provisionNumber(t, { number: `+1646555${String(line++).padStart(4, '0')}` }),
    );
  const [number, otherNumber] = [await buy(), await buy()];
  const codes = more.areaCodes ?? ['212'];
  const numbers = Array.from({ length: people }, (_, i) => {
    phone++;
    return `+1${codes[i % codes.length]}${String(2_000_000 + phone)}`;
  });
  const { group, ours } = await app.services.db.transaction(
    { companyId: company.id },
    async (tx) => {
      const made = numbers.length
        ? await tx
            .insertInto('contact')
            .values(
              numbers.map((n, i) => ({
                company_id: company.id,
                number: n,
                name: `Person${i} Test`,
              })),
            )
            .returning('id')
            .execute()
        : [];
      const g = await tx
        .insertInto('contact_group')
        .values({ company_id: company.id, name: 'Patients' })
        .returning('id')
        .executeTakeFirstOrThrow();
      if (made.length)
        await tx
          .insertInto('contact_group_member')
          .values(made.map((c) => ({ company_id: company.id, group_id: g.id, contact_id: c.id })))
          .execute();
      return {
        group: g.id,
        ours: (
          await tx
            .selectFrom('number')
            .select('number')
            .where('id', '=', number)
            .executeTakeFirstOrThrow()
        ).number,
      };
    },
  );
  if (!more.quiet)
    await app.services.db.systemTransaction((tx) =>
      tx
        .updateTable('company')
        .set({
          settings: JSON.stringify({
            quiet_hours: { start: '00:00', end: '00:00', mode: 'recipient' },
          }),
        })
        .where('id', '=', company.id)
        .execute(),
    );
  return { company, owner, number, otherNumber, group, people: numbers, ours };
}

/** An approved registration of a number as stored: 75 segments a second. */
export async function registerNumber(
  app: TestApp,
  companyId: number,
  numberId: number,
): Promise<void> {
  await app.services.db.transaction({ companyId }, async (tx) => {
    const at = new Date();
    const brand = await tx
      .insertInto('sms_brand')
      .values({
        company_id: companyId,
        status: 'approved',
        score: 90,
        created_at: at,
        updated_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const campaign = await tx
      .insertInto('sms_campaign')
      .values({
        company_id: companyId,
        brand_id: brand.id,
        is_draft: false,
        details: JSON.stringify({ monthly_volume: '250,001+' }),
        created_at: at,
        updated_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx
      .insertInto('registration_review')
      .values({
        company_id: companyId,
        campaign_id: campaign.id,
        kind: 'local',
        carrier: 'sandbox',
        status: 'approved',
        submitted_at: at,
      })
      .execute();
    await tx
      .insertInto('sms_campaign_number')
      .values({
        company_id: companyId,
        campaign_id: campaign.id,
        number_id: numberId,
        number: '+1',
        kind: 'local',
        state: 'approved',
        added_at: at,
      })
      .execute();
    await tx
      .updateTable('number')
      .set({ sms_verification_status: 'approved', sms_verification_campaign_id: campaign.id })
      .where('id', '=', numberId)
      .execute();
  });
}

/** Sends a campaign to the sender's group now. */
export async function send(
  app: TestApp,
  s: TestSender,
  body: Record<string, unknown> = {},
): Promise<Campaign> {
  const made = await app.as(s.owner).request(contract.createCampaign, {
    body: {
      company_id: s.company.id,
      title: 'Campaign',
      text: 'Hello {{first_name}}',
      groups: [s.group],
      number_id: s.number,
      state: 'queued',
      ...body,
    },
  });
  expect(made.body).toMatchObject({ data: { id: expect.any(Number) } });
  return made.body.data;
}
export const readCampaign = async (app: TestApp, s: TestSender, id: number): Promise<Campaign> =>
  (await app.as(s.owner).request(contract.getCampaign, { params: { id } })).body.data;
