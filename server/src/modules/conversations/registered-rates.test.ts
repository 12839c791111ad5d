import { expect, test } from 'vitest';
import { settings, conversations as contract, numbers, routing } from '#contract';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { systemCtx } from '../../platform/context.ts';
import { provisionNumber } from '../numbers/index.ts';

const app = await createTestApp();
let line = 700;
const number = (companyId: number) =>
  systemCtx(app.services, companyId, app.notifier).transaction((t) =>
    provisionNumber(t, { number: `+1415555${String(line++).padStart(4, '0')}` }),
  );
const send = (who: TestPerson, numberId: number, to: string, message = 'See you at ten.') =>
  app.as(who).request(contract.sendMessage, {
    body: { company_id: who.companyId, numberId, to, message },
  });
const turn = (who: TestPerson, on: boolean | null) =>
  app.as(who).request(settings.updateGeneralSettings, {
    query: { company_id: who.companyId },
    body: { texting_requires_verification: on },
  });
/** Stores an approved registration directly; the compliance module's tests cover how it is made. */
const register = (companyId: number, numberIds: number[], volume: string) =>
  app.services.db.transaction({ companyId }, async (tx) => {
    const at = new Date();
    const brand = await tx
      .insertInto('sms_brand')
      .values({
        company_id: companyId,
        status: 'approved',
        score: 64,
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
        details: JSON.stringify({ monthly_volume: volume }),
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
    for (const number_id of numberIds) {
      await tx
        .insertInto('sms_campaign_number')
        .values({
          company_id: companyId,
          campaign_id: campaign.id,
          number_id,
          number: '+1',
          kind: 'local',
          state: 'approved',
          added_at: at,
        })
        .execute();
      await tx
        .updateTable('number')
        .set({ sms_verification_status: 'approved', sms_verification_campaign_id: campaign.id })
        .where('id', '=', number_id)
        .execute();
    }
  });

test('if the company requires registration, other numbers may only answer parties who wrote within a day', async () => {
  const { company, owner } = await app.createCompany();
  const [registered, other] = [await number(company.id), await number(company.id)];
  await register(company.id, [registered], '10,001-25,000');
  // A13 has no status for a number without a registration; `needed` says whether texts wait for one.
  const verification = async (id: number) => {
    const {
      sms_verification: { status, needed },
    } = (await app.as(owner).request(routing.getNumber, { params: { id } })).body.data;
    const row = (
      await app.as(owner).request(numbers.listNumbersDatatable, { query: {} })
    ).body.data.find((n) => n.id === id);
    expect(row?.sms_verification).toEqual({ status, needed });
    return [status, needed];
  };
  expect([await verification(registered), await verification(other)]).toEqual([
    ['approved', false],
    [null, false],
  ]);
  expect((await send(owner, other, '+12125550101')).status).toBe(201);
  expect((await turn(owner, true)).body.data.texting_requires_verification).toMatchObject({
    value: true,
  });
  expect([await verification(registered), await verification(other)]).toEqual([
    ['approved', false],
    [null, true],
  ]);
  expect(await send(owner, other, '+12125550102')).toMatchObject({
    status: 422,
    body: { code: 'number.not_verified', message: 'This number is not yet approved for texting.' },
  });
  expect((await send(owner, registered, '+12125550102')).status).toBe(201);
  const listed = async () =>
    (
      await app.as(owner).request(contract.listConversations, { params: { companyId: company.id } })
    ).body.data.find((c) => c.number.id === other)?.whyNotText;
  expect(await listed()).toBe('number_not_verified');
  const ours = await app.services.db.transaction({ companyId: company.id }, (tx) =>
    tx.selectFrom('number').select('number').where('id', '=', other).executeTakeFirstOrThrow(),
  );
  await app.as(null).inject({
    method: 'POST',
    url: '/sandbox/texts',
    payload: { from: '+12125550101', to: ours.number, text: 'Can I come at ten?' },
  });
  await app.drainJobs();
  expect(await listed()).toBeNull();
  expect((await send(owner, other, '+12125550101')).status).toBe(201);
  await turn(owner, false);
  expect((await send(owner, other, '+12125550103')).status).toBe(201);
  // Back to the carrier's requirement.
  await turn(owner, true);
  expect((await turn(owner, null)).body.data.texting_requires_verification).toMatchObject({
    value: null,
  });
  expect(await verification(other)).toEqual([null, false]);
  await app.drainJobs();
});

test('a registered number sends at its rate; further texts wait in order, and none is dropped', async () => {
  const { company, owner } = await app.createCompany();
  const slow = await number(company.id);
  await register(company.id, [slow], '1-10,000'); // one segment a second
  for (let i = 1; i <= 3; i++)
    expect((await send(owner, slow, '+12125550104', `Text ${i}`)).status).toBe(201);
  const states = () =>
    app.services.db.transaction({ companyId: company.id }, (tx) =>
      tx
        .selectFrom('conversation_item')
        .select(['text', 'delivery_state as state', 'send_slot_at'])
        .where('kind', '=', 'message')
        .orderBy('id')
        .execute(),
    );
  await expect
    .poll(
      async () => {
        await app.drainJobs();
        return (await states()).filter((s) => ['sent', 'delivered'].includes(s.state ?? '')).length;
      },
      { timeout: 40_000, interval: 200 },
    )
    .toBe(3);
  const { rows } = await app.services.db.pool.query<{ body: string }>(
    `select body from sandbox.text where outgoing and to_number = '+12125550104' order by at`,
  );
  expect(rows.map((r) => r.body)).toEqual(['Text 1', 'Text 2', 'Text 3']);
  // On a busy machine some texts come later than their slot and needn't wait, but never all of them.
  expect((await states()).filter((each) => each.send_slot_at !== null).length).toBeGreaterThan(0);
}, 180_000);
