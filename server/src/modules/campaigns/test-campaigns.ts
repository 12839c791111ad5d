import { campaigns as contract } from '#contract';
import type { Campaign } from '#contract/campaigns';
import { expect } from 'vitest';
import type { TestCompany, TestPerson, World } from '../../../test/world.ts';
import { systemCtx } from '../../platform/context.ts';
import { installNumber } from '../numbers/index.ts';

let line = 100;
let phone = 0;
export interface Sender {
  company: TestCompany;
  owner: TestPerson;
  number: number;
  otherNumber: number;
  group: number;
  people: string[];
  ours: string;
}

/** A company with a number and a group of so many people in New York, whose hours never end unless told otherwise. */
export async function aSender(
  world: World,
  people: number,
  more: { quiet?: boolean; areaCodes?: readonly string[] } = {},
): Promise<Sender> {
  const { company, owner } = await world.company();
  const buy = () =>
    systemCtx(world.house, company.id, world.said).transaction((t) =>
      installNumber(t, { number: `+1646555${String(line++).padStart(4, '0')}` }),
    );
  const [number, otherNumber] = [await buy(), await buy()];
  const codes = more.areaCodes ?? ['212'];
  const numbers = Array.from({ length: people }, (_, i) => {
    phone++;
    return `+1${codes[i % codes.length]}${String(2_000_000 + phone)}`;
  });
  const { group, ours } = await world.house.db.within({ companyId: company.id }, async (tx) => {
    const made = numbers.length
      ? await tx
          .insertInto('contact')
          .values(
            numbers.map((n, i) => ({ company_id: company.id, number: n, name: `Person${i} Test` })),
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
  });
  if (!more.quiet)
    await world.house.db.system((tx) =>
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

/** An approved registration of a number, as the tables keep it: 75 segments a second. */
export async function register(world: World, companyId: number, numberId: number): Promise<void> {
  await world.house.db.within({ companyId }, async (tx) => {
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
      .insertInto('sms_review')
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

/** Send a campaign to the sender's group now. */
export async function send(
  world: World,
  s: Sender,
  body: Record<string, unknown> = {},
): Promise<Campaign> {
  const made = await world.as(s.owner).ask(contract.createCampaign, {
    body: {
      company_id: s.company.id,
      title: 'Campaign',
      text: 'Hello {{first_name}}',
      groups: [s.group],
      number_id: s.number,
      state: 'queued',
      ...body,
    },
  } as never);
  expect(made.body).toMatchObject({ data: { id: expect.any(Number) } });
  return made.body.data;
}
export const look = async (world: World, s: Sender, id: number): Promise<Campaign> =>
  (await world.as(s.owner).ask(contract.getCampaign, { params: { id } })).body.data;
