import { expect, test } from 'vitest';
import { registration as contract, type Body } from '#contract';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { systemCtx } from '../../../platform/context.ts';
import { provisionNumber } from '../../numbers/index.ts';

const app = await createTestApp({ demo: true });
let line = 300;
const number = (companyId: number, area = '415') =>
  systemCtx(app.services, companyId, app.notifier).transaction((t) =>
    provisionNumber(t, { number: `+1${area}555${String(line++).padStart(4, '0')}` }),
  );
type Said = Body<typeof contract.createSmsCampaign>;
const brand = {
  type: 'private',
  legal_name: 'Harbor Dental LLC',
  dba: 'Harbor Dental',
  ein: '12-1234567',
  industry: 'healthcare',
  website: 'harbor-dental.test',
  email: 'hello@harbor-dental.test',
  phone: '+12125552300',
  address: { line1: '1 Harbor Street', city: 'New York', state: 'NY', zip: '10001', country: 'US' },
  contact: {
    first_name: 'Olive',
    last_name: 'Owner',
    title: 'Owner',
    email: 'owner@harbor-dental.test',
    phone: '',
  },
} as const;
const good = [
  'Harbor Dental: your visit is on Tuesday at 10:30. Reply STOP to stop.',
  'Harbor Dental: your invoice is ready at the desk. Reply STOP to stop.',
];
const campaign = {
  use_case: 'CUSTOMER_CARE',
  description: 'Appointment reminders and answers to questions of patients of the practice.',
  sample_messages: good,
  optins: [
    {
      type: 'text_to_join',
      description: 'Patients text JOIN to the number on the desk.',
      keywords: ['join'],
    },
  ],
  opt_in_message: 'Harbor Dental: welcome. Reply STOP to stop.',
  opt_out_message: 'Harbor Dental: you get no more texts.',
  help_message: 'Harbor Dental: call us.',
  privacy_url: 'https://harbor-dental.test/privacy',
  monthly_volume: '10,001-25,000',
} as const;
const whole = (more: Record<string, unknown> = {}, brandMore: Record<string, unknown> = {}) =>
  ({ brand: { ...brand, ...brandMore }, campaign: { ...campaign, ...more } }) as unknown as Said;
const create = (who: TestPerson, body: Said) =>
  app.as(who).request(contract.createSmsCampaign, { params: { companyId: who.companyId }, body });
const update = (who: TestPerson, id: number, body: unknown) =>
  app.as(who).request(contract.updateSmsCampaign, {
    params: { companyId: who.companyId, id },
    body,
  } as never);
const get = async (who: TestPerson, id: number) =>
  (await app.as(who).request(contract.getSmsCampaign, { params: { companyId: who.companyId, id } }))
    .body.data;
const submit = (who: TestPerson, id: number, more = {}) =>
  app.as(who).request(contract.submitSmsCampaign, {
    params: { companyId: who.companyId, id },
    body: more,
  });
const cancel = (who: TestPerson, id: number, type: string) =>
  app.as(who).request(contract.cancelSmsCampaign, {
    params: { companyId: who.companyId, id },
    body: { type },
  } as never);
const add = (who: TestPerson, id: number, numbers: number[]) =>
  app.as(who).request(contract.addSmsCampaignNumbers, {
    params: { companyId: who.companyId, id },
    body: { numbers },
  });
const remove = (who: TestPerson, id: number, numbers: number[]) =>
  app.as(who).request(contract.removeSmsCampaignNumbers, {
    params: { companyId: who.companyId, id },
    body: { numbers },
  });
const statusOf = async (companyId: number, numberId: number) =>
  await app.services.db.transaction({ companyId }, (tx) =>
    tx
      .selectFrom('number')
      .select(['sms_verification_status as status', 'sms_verification_campaign_id as campaign'])
      .where('id', '=', numberId)
      .executeTakeFirstOrThrow(),
  );
/** The sandbox reviewer decides everything in review, without the minute's wait. */
async function reviewerDecides() {
  for (const { ref, state } of (
    await app.as(null).inject({ method: 'GET', url: '/sandbox/registrations' })
  ).body.data)
    if (state === 'in_review')
      await app.as(null).inject({ method: 'POST', url: `/sandbox/registrations/${ref}/review` });
  await app.drainJobs();
}
const errorsOf = (answer: { body: unknown }) =>
  (answer.body as { errors: Record<string, string[]> }).errors;

test('a draft may be incomplete; a registration saved as complete may not', async () => {
  const { owner } = await app.createCompany();
  const draft = await create(owner, {
    is_draft: true,
    brand: { legal_name: 'Harbor Dental LLC' },
  } as Said);
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
  const refused = await create(owner, {} as Said);
  expect(refused.status).toBe(422);
  expect(errorsOf(refused)).toMatchObject({
    'brand.legal_name': [expect.any(String)],
    'brand.ein': [expect.any(String)],
    'campaign.description': [expect.any(String)],
    'campaign.sample_messages': [expect.any(String)],
    'campaign.optins': [expect.any(String)],
  });
  const made = await create(owner, whole());
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
  ['one sample', { sample_messages: [good[0]] }, {}, 'campaign.sample_messages'],
  ['six samples', { sample_messages: Array(6).fill(good[0]) }, {}, 'campaign.sample_messages'],
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
  const answer = await create(owner, whole(more, brandMore));
  expect(answer.status).toBe(422);
  expect(Object.keys(errorsOf(answer))).toContain(field);
});

test('numbers are stored in the format registries accept', async () => {
  const { owner } = await app.createCompany();
  const made = await create(
    owner,
    whole(
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
    whole(
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
  const { id } = (await create(owner, whole({ numbers: [await number(company.id, '888')] }))).body
    .data;
  const checked = await submit(owner, id, { checks_only: true });
  expect(checked.body.checks.filter((c) => !c.ok).map((c) => c.code)).toEqual(['opt_in']);
});

test('fees are shown before money is spent: low volume, and a second campaign after the first one ended', async () => {
  const { company, owner } = await app.createCompany();
  const phone = await number(company.id);
  const { id, fees } = (
    await create(owner, whole({ numbers: [phone], monthly_volume: '1-10,000' }))
  ).body.data;
  expect(fees).toMatchObject({ due_today_cents: 1950, monthly_cents: 150 });
  expect((await submit(owner, id)).status).toBe(200);
  await app.drainJobs();
  expect((await get(owner, id)).fees.due_today_cents).toBe(0);
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
    const { id } = (await create(owner, whole(more, brandMore))).body.data;
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
    const { id } = (await create(owner, whole({}, { website }))).body.data ?? {};
    if (!id) continue; // not a web address
    expect((await submit(owner, id, { checks_only: true })).body.checks[0]).toMatchObject({
      code: 'website',
      ok: false,
      simulated: false,
    });
  }
});

test('rejected for a sample without STOP, fixed, approved: the history keeps both reviews and the numbers follow', async () => {
  const { company, owner } = await app.createCompany();
  const [first, second] = [await number(company.id), await number(company.id)];
  const { id } = (
    await create(
      owner,
      whole({
        sample_messages: [good[0]!, 'Harbor Dental: see you tomorrow at ten.'],
        numbers: [first],
      }),
    )
  ).body.data;
  const sent = await submit(owner, id);
  expect(sent.body.data).toMatchObject({
    is_submitted: true,
    status: { local: 'submitted', toll_free: null },
    campaign: { numbers: [{ id: first, status: 'submitted' }] },
    fees: { due_today_cents: 0 },
  });
  expect(
    await update(owner, id, { campaign: { description: campaign.description } }),
  ).toMatchObject({ status: 409, body: { code: 'registration.locked' } });
  expect(await submit(owner, id)).toMatchObject({ status: 409 });
  await app.drainJobs();
  expect((await get(owner, id)).status.local).toBe('in_review');
  expect(await statusOf(company.id, first)).toEqual({ status: 'in_review', campaign: id });
  await reviewerDecides();
  const rejected = await get(owner, id);
  expect(rejected).toMatchObject({
    status: { local: 'rejected' },
    rejection: [
      {
        kind: 'local',
        code: 'sample.no_opt_out',
        text: 'Sample message 2 doesn’t explain how to opt out.',
        fix: expect.stringContaining('Reply STOP'),
      },
    ],
    campaign: { numbers: [{ status: 'rejected' }] },
  });
  expect((await statusOf(company.id, first)).status).toBe('rejected');

  expect((await update(owner, id, { campaign: { sample_messages: good } })).status).toBe(200);
  expect((await submit(owner, id)).body.data.status.local).toBe('submitted');
  await app.drainJobs();
  await reviewerDecides();
  const approved = await get(owner, id);
  expect(approved).toMatchObject({
    status: { local: 'approved' },
    brand: { status: 'approved', score: 64, is_draft: false },
    rejection: [],
    rates: { local: 120, toll_free: null },
    campaign: { numbers: [{ id: first, status: 'approved' }] },
  });
  expect(approved.history.map((h) => h.what)).toEqual([
    'approved',
    'in_review',
    'submitted',
    'rejected',
    'in_review',
    'submitted',
    'created',
  ]);
  expect(await statusOf(company.id, first)).toEqual({ status: 'approved', campaign: id });

  expect(
    (await add(owner, id, [second])).body.data.campaign.numbers.find((n) => n.id === second)
      ?.status,
  ).toBe('submitted');
  await app.drainJobs();
  expect((await statusOf(company.id, second)).status).toBe('approved');
  expect(
    (await remove(owner, id, [second])).body.data.campaign.numbers.find((n) => n.id === second)
      ?.status,
  ).toBe('canceling');
  await app.drainJobs();
  expect((await get(owner, id)).campaign.numbers.map((n) => n.id)).toEqual([first]);
  expect(await statusOf(company.id, second)).toEqual({ status: 'not_required', campaign: null });
});

test('a free mailbox requires action, and the brand says why', async () => {
  const { owner } = await app.createCompany();
  const { id } = (await create(owner, whole({}, { email: 'harbordental@gmail.com' }))).body.data;
  await submit(owner, id);
  await app.drainJobs();
  await reviewerDecides();
  expect(await get(owner, id)).toMatchObject({
    status: { local: 'action_required' },
    brand: { status: 'action_required', rejection: [{ code: 'brand.free_mail' }] },
  });
  expect((await update(owner, id, { brand: { email: 'hello@harbor-dental.test' } })).status).toBe(
    200,
  );
  await submit(owner, id);
  await app.drainJobs();
  await reviewerDecides();
  expect((await get(owner, id)).status.local).toBe('approved');
});

test('local and toll-free are reviewed separately, and one is canceled without the other', async () => {
  const { company, owner } = await app.createCompany();
  const [local, free] = [await number(company.id), await number(company.id, '888')];
  const { id } = (await create(owner, whole({ numbers: [local] }))).body.data;
  expect(await cancel(owner, id, 'local')).toMatchObject({
    status: 409,
    body: { code: 'registration.not_cancelable' },
  });
  await submit(owner, id);
  await app.drainJobs();
  await reviewerDecides();
  expect((await add(owner, id, [free])).body.data.status).toEqual({
    local: 'approved',
    toll_free: 'submitted',
  });
  await app.drainJobs();
  await reviewerDecides();
  expect(await get(owner, id)).toMatchObject({
    status: { local: 'approved', toll_free: 'approved' },
    rates: { local: 120, toll_free: 3 },
  });
  expect(
    await app
      .as(owner)
      .request(contract.deleteSmsCampaign, { params: { companyId: company.id, id } }),
  ).toMatchObject({ status: 409, body: { code: 'registration.active' } });
  expect((await cancel(owner, id, 'local')).body.data.status).toEqual({
    local: 'canceling',
    toll_free: 'approved',
  });
  await app.drainJobs();
  expect((await get(owner, id)).status).toEqual({ local: 'expired', toll_free: 'approved' });
  expect([
    (await statusOf(company.id, local)).status,
    (await statusOf(company.id, free)).status,
  ]).toEqual(['not_required', 'approved']);
  await cancel(owner, id, 'toll_free');
  await app.drainJobs();
  expect(
    (
      await app
        .as(owner)
        .request(contract.deleteSmsCampaign, { params: { companyId: company.id, id } })
    ).status,
  ).toBe(204);
  expect(
    (
      await app
        .as(owner)
        .request(contract.getSmsCampaign, { params: { companyId: company.id, id } })
    ).status,
  ).toBe(404);
});

test('a number is part of one registration, and only a company’s own numbers that text', async () => {
  const [a, b] = [await app.createCompany(), await app.createCompany()];
  const [mine, theirs] = [await number(a.company.id), await number(b.company.id)];
  const one = (await create(a.owner, whole({ numbers: [mine] }))).body.data;
  expect(await create(a.owner, whole({ numbers: [mine] }))).toMatchObject({
    status: 409,
    body: { code: 'registration.number_in_use' },
  });
  expect((await create(a.owner, whole({ numbers: [theirs] }))).status).toBe(422);
  expect((await add(a.owner, one.id, [theirs])).status).toBe(422);
  const fax = await systemCtx(app.services, a.company.id, app.notifier).transaction((t) =>
    provisionNumber(t, { number: '+14155559901', category: 3 }),
  );
  expect((await add(a.owner, one.id, [fax])).status).toBe(422);
  expect(
    (
      await app.as(a.owner).request(contract.listSmsCampaigns, {
        params: { companyId: a.company.id },
        query: { number_id: mine },
      })
    ).body.data.map((v) => v.id),
  ).toEqual([one.id]);
  const limited = await app.createPerson(a.company.id, 'user', [mine + 1]);
  expect((await get(limited, one.id)).campaign.numbers).toEqual([]);
  expect((await update(limited, one.id, {})).status).toBe(403);
});

test('proof travels as files: PNG, JPEG and PDF by their bytes, five megabytes, ten', async () => {
  const { company, owner } = await app.createCompany();
  const { id } = (await create(owner, whole())).body.data;
  const send = (files: [name: string, bytes: Buffer][], body: object = {}) => {
    const edge = 'edge42';
    const parts = [
      ...Object.entries(body).map(([k, v]) =>
        Buffer.from(
          `--${edge}\r\ncontent-disposition: form-data; name="${k}"\r\n\r\n${JSON.stringify(v)}\r\n`,
        ),
      ),
      ...files.flatMap(([name, bytes]) => [
        Buffer.from(
          `--${edge}\r\ncontent-disposition: form-data; name="supporting_files_0"; filename="${name}"\r\ncontent-type: application/octet-stream\r\n\r\n`,
        ),
        bytes,
        Buffer.from('\r\n'),
      ]),
      Buffer.from(`--${edge}--\r\n`),
    ];
    return app.as(owner).inject({
      method: 'PUT',
      url: `/api/companies/${company.id}/sms-verification/campaign/${id}`,
      payload: Buffer.concat(parts),
      headers: { 'content-type': `multipart/form-data; boundary=${edge}` },
    });
  };
  const pdf = Buffer.from('%PDF-1.7 proof');
  const kept = await send(
    [
      ['form.pdf', pdf],
      ['desk.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1])],
    ],
    { campaign: { description: campaign.description } },
  );
  expect(kept.status, JSON.stringify(kept.body)).toBe(200);
  const files = kept.body.data.campaign.optins[0].supporting_files;
  expect(files).toMatchObject([
    { name: 'form.pdf', mime: 'application/pdf', size: pdf.length },
    { name: 'desk.png', mime: 'image/png' },
  ]);
  expect((await app.as(owner).inject({ method: 'GET', url: files[0].url })).status).toBe(200);
  expect((await send([['form.pdf', Buffer.from('<html>not a pdf')]])).status).toBe(422);
  expect(
    (await send([['big.pdf', Buffer.concat([pdf, Buffer.alloc(5 * 1024 * 1024)])]])).status,
  ).toBe(422);
  expect(
    (await send(Array.from({ length: 9 }, (_, i) => [`${i}.pdf`, pdf] as [string, Buffer]))).status,
  ).toBe(422);
  // Omitting a file from the list removes it; omitting the list keeps all.
  const optin = campaign.optins[0];
  expect(
    (await update(owner, id, { campaign: { optins: [optin] } })).body.data.campaign.optins[0]!
      .supporting_files,
  ).toHaveLength(2);
  expect(
    (
      await update(owner, id, {
        campaign: { optins: [{ ...optin, supporting_files: [{ id: files[1].id }] }] },
      })
    ).body.data.campaign.optins[0]!.supporting_files.map((f) => f.name),
  ).toEqual(['desk.png']);
  expect((await app.as(owner).inject({ method: 'GET', url: files[0].url })).status).toBe(404);
});

test('unsigned webhooks change nothing; early, duplicate and missing ones end in the right state', async () => {
  const { owner } = await app.createCompany();
  expect(
    (
      await app.as(null).inject({
        method: 'POST',
        url: '/carriers/sandbox/registrations',
        payload: JSON.stringify({ refs: ['sbr-1'] }),
        headers: { 'content-type': 'application/json', 'x-sandbox-signature': 'forged' },
      })
    ).status,
  ).toBe(403);
  const { id } = (await create(owner, whole())).body.data;
  await submit(owner, id);
  await app.drainJobs();
  const { ref } = (await app.as(null).inject({ method: 'GET', url: '/sandbox/registrations' })).body
    .data[0];
  await app.as(null).inject({ method: 'POST', url: `/sandbox/registrations/${ref}/review` });
  await app.as(null).inject({ method: 'POST', url: `/sandbox/registrations/${ref}/review` });
  await app.drainJobs();
  expect((await get(owner, id)).history.filter((h) => h.what === 'approved')).toHaveLength(1);
});

test('another company’s registration is not found', async () => {
  const [a, b] = [await app.createCompany(), await app.createCompany()];
  const { id } = (await create(a.owner, whole())).body.data;
  expect(
    (
      await app
        .as(b.owner)
        .request(contract.getSmsCampaign, { params: { companyId: b.company.id, id } })
    ).status,
  ).toBe(404);
  expect((await submit(b.owner, id)).status).toBe(404);
  expect(
    (await create(b.owner, { ...whole(), brand_id: (await get(a.owner, id)).brand.id } as Said))
      .status,
  ).toBe(422);
});
