import { PDFDocument, StandardFonts } from 'pdf-lib';
import { afterEach, expect, test } from 'vitest';
import { fax as contract } from '#contract';
import type { Fax } from '#contract/fax/schemas';
import { setFaults } from '../../adapters/sandbox/fault-injection.ts';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { provisionNumber } from '../numbers/index.ts';
import { uniquePhone, inboxHelpers } from '../../../test/support/inbox.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);
afterEach(() => {
  setFaults({});
});
const minute = 180_000;

async function aPdf(pages: number): Promise<Buffer> {
  const doc = await PDFDocument.create();
  const font = await doc.embedFont(StandardFonts.Helvetica);
  for (let i = 1; i <= pages; i++)
    doc.addPage([612, 792]).drawText(`Page ${i}`, { x: 60, y: 600, size: 40, font });
  return Buffer.from(await doc.save());
}
function form(
  fields: Record<string, string | number>,
  files: { name: string; bytes: Buffer }[],
  as = 'files[]',
) {
  const parts = [
    ...Object.entries(fields).map(([k, v]) =>
      Buffer.from(`--b7\r\ncontent-disposition: form-data; name="${k}"\r\n\r\n${v}\r\n`),
    ),
    ...files.flatMap((f) => [
      Buffer.from(
        `--b7\r\ncontent-disposition: form-data; name="${as}"; filename="${f.name}"\r\ncontent-type: application/pdf\r\n\r\n`,
      ),
      f.bytes,
      Buffer.from('\r\n'),
    ]),
    Buffer.from('--b7--\r\n'),
  ];
  return {
    payload: Buffer.concat(parts),
    headers: { 'content-type': 'multipart/form-data; boundary=b7' },
  };
}
const faxNumber = async (companyId: number, number = uniquePhone().replace('+1212', '+1415')) => ({
  id: await inbox
    .inCompany(companyId)
    .transaction((t) => provisionNumber(t, { number, label: 'Fax line', category: 3 })),
  number,
});
const send = (
  who: TestPerson,
  fields: Record<string, string | number>,
  files: { name: string; bytes: Buffer }[],
) =>
  app.as(who).inject({
    method: 'POST',
    url: '/api/fax',
    ...form({ company_id: who.companyId, ...fields }, files),
  });
const get = async (who: TestPerson, id: number): Promise<Fax> =>
  (await app.as(who).request(contract.getFax, { params: { id } })).body.data;
const machine = async (
  phone: string,
): Promise<{ id: number; from: string; to: string; pages: number; url: string }[]> =>
  (
    await app
      .as(null)
      .inject({ method: 'GET', url: `/sandbox/faxes?phone=${encodeURIComponent(phone)}` })
  ).body;
const faxIn = (from: string, to: string, bytes: Buffer) =>
  app.as(null).inject({
    method: 'POST',
    url: '/sandbox/faxes',
    ...form({ from, to }, [{ name: 'in.pdf', bytes }], 'file'),
  });
/**
 * Rendering runs in a child process: on a busy machine it takes longer than one `drainJobs` waits.
 */
async function settle() {
  for (let n = 0; n < 3; n++)
    try {
      return await app.drainJobs();
    } catch (error) {
      if (n === 2 || !/did not settle: \[\]/.test(String(error))) throw error;
    }
}

test(
  'a PDF is sent as pages, arrives at the remote machine, and its item shows so; the PDF can be downloaded',
  async () => {
    const { company, owner } = await app.createCompany();
    const number = await faxNumber(company.id);
    const phone = uniquePhone();
    const sent = await send(owner, { numberId: number.id, to: phone }, [
      { name: 'Intake form.pdf', bytes: await aPdf(2) },
    ]);
    expect(sent.status, JSON.stringify(sent.body)).toBe(201);
    expect(sent.body.data).toMatchObject({
      state: 'queued',
      pages: 0,
      name: 'Intake form.pdf',
      party: phone,
      isInbound: false,
    });
    await settle();
    const fax = await get(owner, sent.body.data.id);
    expect(fax).toMatchObject({ state: 'delivered', pages: 2, errorText: null, attempts: 1 });
    expect(fax.images.map((p) => [p.n, p.width, p.height])).toEqual([
      [1, 1728, 2237],
      [2, 1728, 2237],
    ]);
    const picture = await app.server.inject({ method: 'GET', url: fax.images[1]!.url });
    expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, 'image/png']);
    const pdf = await app.server.inject({ method: 'GET', url: fax.url! });
    expect(pdf.headers['content-type']).toBe('application/pdf');
    expect(pdf.headers['content-disposition']).toContain('Intake%20form.pdf');
    expect((await PDFDocument.load(pdf.rawPayload)).getPageCount()).toBe(2);
    const [arrived] = await machine(phone);
    expect(arrived).toMatchObject({ from: number.number, to: phone, pages: 2 });
    expect(
      (await app.server.inject({ method: 'GET', url: arrived!.url })).rawPayload
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    const [item] = await inbox.items(owner, fax.conversationId!);
    expect(item).toMatchObject({
      kind: 'fax',
      isInbound: false,
      actor: { userId: owner.id },
      details: {
        faxId: fax.id,
        pages: 2,
        state: 'delivered',
        preview: expect.stringContaining('/api/files/'),
      },
    });
  },
  minute,
);

test(
  'an incoming fax is unread in the inbox with its pages; a duplicate webhook stores it once',
  async () => {
    const { company, owner } = await app.createCompany();
    const number = await faxNumber(company.id);
    const phone = uniquePhone();
    setFaults({ duplicateRate: 1 });
    expect((await faxIn(phone, number.number, await aPdf(3))).status).toBe(201);
    await settle();
    const list = await inbox.list(owner);
    expect(list.data).toMatchObject([
      {
        recipient: phone,
        numUnreadItems: 1,
        unread: { faxes: 1 },
        latestItem: { type: 'fax', details: { pages: 3, state: 'received' } },
      },
    ]);
    const items = await inbox.items(owner, list.data[0]!.id);
    expect(items).toHaveLength(1);
    const fax = await get(owner, (items[0]!.details as { faxId: number }).faxId);
    expect(fax).toMatchObject({ isInbound: true, state: 'received', pages: 3, mayRetry: false });
    expect(fax.images).toHaveLength(3);
    const activity = await app.as(owner).inject({
      method: 'POST',
      url: `/api/activity?companyId=${company.id}`,
      payload: { fax: true },
    });
    expect(activity.body.data).toMatchObject([{ kind: 'fax', recipient: phone }]);
  },
  minute,
);

test(
  'a failed line is explained in a sentence, and the fax can be sent again',
  async () => {
    const { company, owner } = await app.createCompany();
    const number = await faxNumber(company.id);
    const phone = uniquePhone();
    await app
      .as(null)
      .inject({ method: 'PUT', url: `/sandbox/phones/${phone}/fax`, payload: { fails: 'busy' } });
    const { body } = await send(owner, { numberId: number.id, to: phone }, [
      { name: 'a.pdf', bytes: await aPdf(1) },
    ]);
    await settle();
    expect(await get(owner, body.data.id)).toMatchObject({
      state: 'failed',
      errorCode: 'busy',
      errorText: 'The line was busy.',
      mayRetry: true,
    });
    expect(await machine(phone)).toEqual([]);
    await app
      .as(null)
      .inject({ method: 'PUT', url: `/sandbox/phones/${phone}/fax`, payload: { fails: null } });
    expect(
      (await app.as(owner).request(contract.retryFax, { params: { id: body.data.id }, body: {} }))
        .body.data,
    ).toMatchObject({ state: 'queued', attempts: 2, errorText: null });
    await settle();
    expect(await get(owner, body.data.id)).toMatchObject({ state: 'delivered', attempts: 2 });
    expect(await machine(phone)).toHaveLength(1);
    const again = await app
      .as(owner)
      .request(contract.retryFax, { params: { id: body.data.id }, body: {} });
    expect([again.status, (again.body as unknown as { code: string }).code]).toEqual([
      409,
      'fax.not_failed',
    ]);
  },
  minute,
);

test(
  'a fax is sent once if the carrier drops its response; duplicate and out-of-order reports change nothing',
  async () => {
    const { company, owner } = await app.createCompany();
    const number = await faxNumber(company.id);
    const phone = uniquePhone();
    setFaults({ dropAfterEffectRate: 1, duplicateRate: 1, reorderRate: 1 });
    const { body } = await send(owner, { numberId: number.id, to: phone }, [
      { name: 'a.pdf', bytes: await aPdf(1) },
    ]);
    await settle();
    expect(await get(owner, body.data.id)).toMatchObject({ state: 'delivered' });
    expect(await machine(phone)).toHaveLength(1);
  },
  minute,
);

test(
  'documents that can’t be faxed are rejected at once or fail with a sentence',
  async () => {
    const { company, owner } = await app.createCompany();
    const number = await faxNumber(company.id);
    const voice = await inbox.number(company.id);
    const pdf = { name: 'a.pdf', bytes: await aPdf(1) };
    const code = async (
      fields: Record<string, string | number>,
      files: { name: string; bytes: Buffer }[],
    ) => {
      const a = await send(owner, fields, files);
      return [a.status, a.body.code];
    };
    expect(await code({ numberId: number.id, to: uniquePhone() }, [])).toEqual([
      422,
      'fax.no_document',
    ]);
    expect(
      await code({ numberId: number.id, to: uniquePhone() }, [
        { name: 'a.zip', bytes: Buffer.from('PK\x03\x04') },
      ]),
    ).toEqual([422, 'fax.document_kind']);
    expect(
      await code({ numberId: number.id, to: uniquePhone() }, [
        { name: 'big.pdf', bytes: Buffer.concat([pdf.bytes, Buffer.alloc(15_000_000)]) },
      ]),
    ).toEqual([422, 'fax.document_size']);
    expect(await code({ numberId: voice.id, to: uniquePhone() }, [pdf])).toEqual([
      422,
      'fax.number',
    ]);
    expect(await code({ to: uniquePhone() }, [pdf])).toEqual([422, 'fax.no_recipient']);
    expect(await code({ numberId: number.id, to: number.number }, [pdf])).toEqual([422, 'invalid']);
    const other = await app.createCompany();
    expect(
      await code({ numberId: (await faxNumber(other.company.id)).id, to: uniquePhone() }, [pdf]),
    ).toEqual([404, 'not_found']);
    const { body } = await send(owner, { numberId: number.id, to: uniquePhone() }, [
      { name: 'broken.pdf', bytes: Buffer.from('%PDF-1.7\nnothing') },
    ]);
    await settle();
    const failed = await get(owner, body.data.id);
    expect(failed).toMatchObject({
      state: 'failed',
      errorCode: 'broken',
      errorText: 'This document is damaged and can’t be read.',
      mayRetry: false,
    });
    expect(
      (await app.as(other.owner).request(contract.getFax, { params: { id: failed.id } })).status,
    ).toBe(404);
  },
  minute,
);

test(
  'users without access to the number see no fax; unsigned webhooks change nothing',
  async () => {
    const { company } = await app.createCompany();
    const number = await faxNumber(company.id);
    const other = await inbox.number(company.id);
    const user = await app.createPerson(company.id, 'user', [other.id]);
    const mine = await app.createPerson(company.id, 'user', [number.id]);
    expect(
      (
        await send(user, { numberId: number.id, to: uniquePhone() }, [
          { name: 'a.pdf', bytes: await aPdf(1) },
        ])
      ).status,
    ).toBe(404);
    // The carrier is unavailable: the fax stays in that status, however fast rendering is here.
    setFaults({ outage: true });
    const { body } = await send(mine, { numberId: number.id, to: uniquePhone() }, [
      { name: 'a.pdf', bytes: await aPdf(1) },
    ]);
    expect(
      (await app.as(user).request(contract.getFax, { params: { id: body.data.id } })).status,
    ).toBe(404);
    const forged = await app.server.inject({
      method: 'POST',
      url: '/carriers/sandbox/fax',
      payload: JSON.stringify({
        reports: [
          {
            providerId: 'x',
            key: `f.${company.id}.${body.data.id}.1`,
            state: 'failed',
            code: 'busy',
            at: 0,
          },
        ],
      }),
      headers: { 'content-type': 'application/json', 'x-sandbox-signature': 'no' },
    });
    expect(forged.statusCode).toBe(403);
    // An attempt may be under way right now; the fax then waits again.
    await expect.poll(async () => (await get(mine, body.data.id)).state).toBe('queued');
    setFaults({});
    await expect
      .poll(
        async () => {
          await settle();
          return (await get(mine, body.data.id)).state;
        },
        { timeout: 60_000 },
      )
      .toBe('delivered');
  },
  minute,
);
