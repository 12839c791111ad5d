import { expect, test } from 'vitest';
import { subscription } from '#contract';
import { systemCtx } from '../../../platform/context.ts';
import { noteMonthlyFees } from './monthly-fees.ts';
import { createTestApp } from '../../../../test/support/test-app.ts';
import {
  brand,
  errorsOf,
  goodSamples,
  registrationBody,
  registrationsOf,
  type RegistrationBody,
} from '../../../../test/support/registrations.ts';

const app = await createTestApp({ demo: true });
const { number, create, get, submit, cancel } = registrationsOf(app);

test('a draft may be incomplete; a registration saved as complete may not', async () => {
  const { owner } = await app.createCompany();
  const draft = await create(owner, {
    is_draft: true,
    brand: { legal_name: 'Harbor Dental LLC' },
  } as RegistrationBody);
  expect(draft).toMatchObject({
    status: 201,
    body: {
      data: {
        is_draft: true,
        is_submitted: false,
        status: { local: 'draft', toll_free: null },
        brand: { is_draft: true, status: 'draft' },
      },
    },
  });
  const refused = await create(owner, {} as RegistrationBody);
  expect(refused.status).toBe(422);
  expect(errorsOf(refused)).toMatchObject({
    'brand.legal_name': [expect.any(String)],
    'brand.ein': [expect.any(String)],
    'campaign.description': [expect.any(String)],
    'campaign.sample_messages': [expect.any(String)],
    'campaign.optins': [expect.any(String)],
  });
  const made = await create(owner, registrationBody());
  expect(made.body.data).toMatchObject({
    is_draft: false,
    brand: { ein: '121234567', website: 'https://harbor-dental.test/' },
    campaign: { optins: [{ keywords: ['JOIN'], supporting_files: [] }] },
    fees: { due_today_cents: 1950, due_today: 19.5, monthly_cents: 1000 },
  });
});

test.each([
  ['a description of 39 characters', { description: 'x'.repeat(39) }, {}, 'campaign.description'],
  ['a description of 4097', { description: 'x'.repeat(4097) }, {}, 'campaign.description'],
  ['one sample', { sample_messages: [goodSamples[0]] }, {}, 'campaign.sample_messages'],
  [
    'six samples',
    { sample_messages: Array(6).fill(goodSamples[0]) },
    {},
    'campaign.sample_messages',
  ],
  [
    'a mixed campaign of one use',
    { use_case: 'MIXED', sub_usecases: ['2FA'] },
    {},
    'campaign.sub_usecases',
  ],
  [
    'a mixed campaign of six uses',
    {
      use_case: 'MIXED',
      sub_usecases: [
        '2FA',
        'ACCOUNT_NOTIFICATION',
        'CUSTOMER_CARE',
        'DELIVERY_NOTIFICATION',
        'FRAUD_ALERT',
        'MARKETING',
      ],
    },
    {},
    'campaign.sub_usecases',
  ],
  ['a use that is not on the list', { use_case: 'PRIZES' }, {}, 'campaign.use_case'],
  ['a volume that is not on the list', { monthly_volume: '12' }, {}, 'campaign.monthly_volume'],
  [
    'no exchange of a public company',
    {},
    { type: 'publicly_traded', stock_symbol: 'HDL' },
    'brand.stock_exchange',
  ],
  [
    'no symbol of a public company',
    {},
    { type: 'publicly_traded', stock_exchange: 'NYSE' },
    'brand.stock_symbol',
  ],
  ['an industry that is not on the list', {}, { industry: 'piracy' }, 'brand.industry'],
  [
    'a registration id without its kind',
    {},
    { registration_id: '123' },
    'brand.registration_id_type',
  ],
  ['an EIN of a prefix that is not in use', {}, { ein: '00-1234567' }, 'brand.ein'],
  ['an EIN of zeros', {}, { ein: '000000000' }, 'brand.ein'],
  [
    'a DUNS of two digits',
    {},
    { registration_id_type: 'DUNS', registration_id: '12' },
    'brand.registration_id',
  ],
  [
    'an LEI whose check digits are wrong',
    {},
    { registration_id_type: 'LEI', registration_id: '5493001KJTIIGC8Y1R13' },
    'brand.registration_id',
  ],
  [
    'a GIIN that is none',
    {},
    { registration_id_type: 'GIIN', registration_id: 'x' },
    'brand.registration_id',
  ],
  ['a phone of three digits', {}, { phone: '123' }, 'brand.phone'],
  [
    'a state that is none',
    {},
    { address: { ...brand.address, state: 'Neverland' } },
    'brand.address.state',
  ],
  ['a ZIP code of one digit', {}, { address: { ...brand.address, zip: '1' } }, 'brand.address.zip'],
  [
    'another country',
    {},
    { address: { ...brand.address, country: 'FR' } },
    'brand.address.country',
  ],
  ['a reply of two letters', { opt_out_message: 'ok' }, {}, 'campaign.opt_out_message'],
  ['a reply of 321 characters', { opt_in_message: 'x'.repeat(321) }, {}, 'campaign.opt_in_message'],
] as const)('%s is rejected at its field', async (_, more, brandMore, field) => {
  const { owner } = await app.createCompany();
  const answer = await create(owner, registrationBody(more, brandMore));
  expect(answer.status).toBe(422);
  expect(Object.keys(errorsOf(answer))).toContain(field);
});

test('numbers are stored in the format registries accept', async () => {
  const { owner } = await app.createCompany();
  const made = await create(
    owner,
    registrationBody(
      {},
      {
        registration_id_type: 'LEI',
        registration_id: '5493001kjtiigc8y1r12',
        address: { ...brand.address, state: 'new york' },
      },
    ),
  );
  expect(made.body.data.brand, JSON.stringify(made.body)).toMatchObject({
    registration_id: '5493001KJTIIGC8Y1R12',
    address: { state: 'NY' },
  });
  const canadian = await create(
    owner,
    registrationBody(
      {},
      {
        ein: '00 123 4567',
        address: { ...brand.address, state: 'ON', zip: 'M5V 3L9', country: 'CA' },
      },
    ),
  );
  expect(canadian.status, JSON.stringify(canadian.body)).toBe(201);
});

test('a toll-free number needs a picture or web page of the opt-in; a keyword is not enough', async () => {
  const { company, owner } = await app.createCompany();
  const { id } = (
    await create(owner, registrationBody({ numbers: [await number(company.id, '888')] }))
  ).body.data;
  const checked = await submit(owner, id, { checks_only: true });
  expect(checked.body.checks.filter((c) => !c.ok).map((c) => c.code)).toEqual(['opt_in']);
});

test('fees are shown before money is spent: low volume, and a second campaign after the first one ended', async () => {
  const { company, owner } = await app.createCompany();
  const phone = await number(company.id);
  const { id, fees } = (
    await create(owner, registrationBody({ numbers: [phone], monthly_volume: '1-10,000' }))
  ).body.data;
  expect(fees).toMatchObject({ due_today_cents: 1950, monthly_cents: 150 });
  const spent = async () =>
    (
      await app
        .as(owner)
        .request(subscription.usageComponents, { params: { companyId: company.id } })
    ).body.data.find(({ key }) => key === 'sms_registration_fee')?.used;
  expect(await spent()).toBe(0);
  expect((await submit(owner, id)).status).toBe(200);
  await app.drainJobs();
  expect((await get(owner, id)).fees.due_today_cents).toBe(0);
  expect(await spent()).toBe(1950);
  await app.services.db.unscoped
    .updateTable('registration_review')
    .set({ status: 'approved' })
    .where('company_id', '=', company.id)
    .execute();
  const clock = systemCtx(app.services, 0, app.notifier);
  await noteMonthlyFees(clock);
  await noteMonthlyFees(clock);
  expect(await spent()).toBe(1950 + 150);
  await cancel(owner, id, 'local');
  await app.drainJobs();
  expect(await get(owner, id)).toMatchObject({
    status: { local: 'expired' },
    fees: {
      due_today_cents: 1500,
      lines: [{ label: 'Campaign review, once' }, { label: 'Campaign, monthly' }],
    },
  });
});

test.each([
  ['website', {}, { website: 'https://down.test' }],
  ['privacy', { privacy_url: 'https://bare.test/privacy' }, {}],
  [
    'samples',
    {
      sample_messages: [
        'Harbor Dental: your visit is on Tuesday.',
        'Your visit is on Tuesday. Reply STOP to stop.',
      ],
    },
    {},
  ],
  ['opt_in', { optins: [{ type: 'point_of_sale', description: 'At the desk.' }] }, {}],
] as const)(
  'the check of the %s fails with its fix, and nothing is sent',
  async (code, more, brandMore) => {
    const { owner } = await app.createCompany();
    const { id } = (await create(owner, registrationBody(more, brandMore))).body.data;
    const looked = await submit(owner, id, { checks_only: true });
    expect(looked.status).toBe(200);
    expect(looked.body.checks.filter((c) => !c.ok).map((c) => c.code)).toEqual([code]);
    const refused = await submit(owner, id);
    expect(refused).toMatchObject({
      status: 422,
      body: {
        code: 'registration.checks_failed',
        errors: [
          { code: `check.${code}`, fix: expect.stringMatching(/[.”]$/), field: expect.any(String) },
        ],
      },
    });
    expect((await get(owner, id)).is_submitted).toBe(false);
  },
);

test('a website inside our own network is never fetched', async () => {
  const { owner } = await app.createCompany();
  for (const website of [
    'http://127.0.0.1',
    'http://0x7f.1',
    'http://169.254.169.254/latest',
    'http://[::1.2.3.4]',
  ]) {
    const { id } = (await create(owner, registrationBody({}, { website }))).body.data ?? {};
    if (!id) continue; // not a web address
    expect((await submit(owner, id, { checks_only: true })).body.checks[0]).toMatchObject({
      code: 'website',
      ok: false,
      simulated: false,
    });
  }
});
