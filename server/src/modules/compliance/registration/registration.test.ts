import { expect, test } from 'vitest';
import { registration as contract } from '#contract';
import { createTestApp } from '../../../../test/support/test-app.ts';
import {
  campaign,
  goodSamples,
  registrationBody,
  registrationsOf,
  type RegistrationBody,
} from '../../../../test/support/registrations.ts';
import { systemCtx } from '../../../platform/context.ts';
import { provisionNumber } from '../../numbers/index.ts';

const app = await createTestApp({ demo: true });
const { number, create, update, get, submit, cancel, add, remove, statusOf, reviewerDecides } =
  registrationsOf(app);

test('rejected for a sample without STOP, fixed, approved: the history keeps both reviews and the numbers follow', async () => {
  const { company, owner } = await app.createCompany();
  const [first, second] = [await number(company.id), await number(company.id)];
  const { id } = (
    await create(
      owner,
      registrationBody({
        sample_messages: [goodSamples[0]!, 'Harbor Dental: see you tomorrow at ten.'],
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

  expect((await update(owner, id, { campaign: { sample_messages: goodSamples } })).status).toBe(
    200,
  );
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
  const { id } = (await create(owner, registrationBody({}, { email: 'harbordental@gmail.com' })))
    .body.data;
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
  const { id } = (await create(owner, registrationBody({ numbers: [local] }))).body.data;
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
  const one = (await create(a.owner, registrationBody({ numbers: [mine] }))).body.data;
  expect(await create(a.owner, registrationBody({ numbers: [mine] }))).toMatchObject({
    status: 409,
    body: { code: 'registration.number_in_use' },
  });
  expect((await create(a.owner, registrationBody({ numbers: [theirs] }))).status).toBe(422);
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
  const { id } = (await create(owner, registrationBody())).body.data;
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
  const { id } = (await create(owner, registrationBody())).body.data;
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
  const { id } = (await create(a.owner, registrationBody())).body.data;
  expect(
    (
      await app
        .as(b.owner)
        .request(contract.getSmsCampaign, { params: { companyId: b.company.id, id } })
    ).status,
  ).toBe(404);
  expect((await submit(b.owner, id)).status).toBe(404);
  expect(
    (
      await create(b.owner, {
        ...registrationBody(),
        brand_id: (await get(a.owner, id)).brand.id,
      } as RegistrationBody)
    ).status,
  ).toBe(422);
});
