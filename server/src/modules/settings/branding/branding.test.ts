import sharp from 'sharp';
import { expect, test } from 'vitest';
import { companies, tenant } from '#contract';
import { multipartForm } from '../../../../test/support/samples.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { drawPicture } from './draw-picture.ts';

const app = await createTestApp();

const png = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: '#0f766e' } })
    .png()
    .toBuffer();
const svg = (inner: string, head = '') =>
  Buffer.from(
    `${head}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="20"><rect width="40" height="20" fill="red"/>${inner}</svg>`,
  );
type File = { field: string; name: string; type: string; bytes: Buffer | string };
const upload = (
  who: TestPerson | null,
  url: string,
  fields: Record<string, string>,
  ...files: File[]
) => app.as(who).inject({ method: 'POST', url, ...multipartForm(fields, ...files) });
const ofCompany = (who: TestPerson, ...files: File[]) =>
  upload(who, `/api/company/${who.companyId}/branding`, {}, ...files);
const logo = (bytes: Buffer | string, name = 'logo.png', field = 'logo'): File => ({
  field,
  name,
  type: 'image/png',
  bytes,
});
const picture = async (address: string) => {
  const answer = await app.server.inject({ method: 'GET', url: address });
  return { answer, meta: await sharp(answer.rawPayload).metadata() };
};

test('a logo is drawn anew: smaller, as PNG, at an address that anyone can read and keep', async () => {
  const { owner } = await app.createCompany();
  const saved = await ofCompany(owner, logo(await png(2000, 1000)));
  expect(saved.status).toBe(200);
  const { answer, meta } = await picture(saved.body.data.logo);
  expect(meta).toMatchObject({ format: 'png', width: 320, height: 160 });
  expect(answer.headers).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': expect.stringContaining('immutable'),
  });
  const shown = await app.as(owner).request(companies.getCompany, {
    params: { id: owner.companyId },
  });
  expect(shown.body.data.branding.logo).toBe(saved.body.data.logo);
  // Another picture has another address, and the old one is gone.
  const next = await ofCompany(owner, logo(await png(10, 10)));
  expect((await app.server.inject({ url: saved.body.data.logo })).statusCode).toBe(404);
  const removed = await app.as(owner).inject({
    method: 'POST',
    url: `/api/company/${owner.companyId}/branding`,
    payload: { remove: ['logo'], primary_color: '#FFEE00' },
  });
  expect(removed.body.data).toMatchObject({ logo: null, primary_color: '#FFEE00' });
  expect(removed.body.data.contrast_warnings).toHaveLength(1);
  expect((await app.server.inject({ url: next.body.data.logo })).statusCode).toBe(404);
});

test('content decides, not the name; what can’t be drawn changes nothing', async () => {
  const { owner } = await app.createCompany();
  const first = await ofCompany(owner, logo(await png(20, 20)));
  const gif = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');
  for (const bytes of ['<html><script>1</script></html>', 'MZ\u0000', gif, Buffer.alloc(0)]) {
    const refused = await ofCompany(owner, logo(bytes));
    expect([bytes.length, refused.status, refused.body.code]).toEqual([
      bytes.length,
      422,
      'branding.not_a_picture',
    ]);
  }
  expect((await ofCompany(owner, logo(Buffer.alloc(1_000_001, 1)))).body.code).toBe(
    'branding.file_large',
  );
  expect((await ofCompany(owner, logo(await png(9, 9), 'a.png', 'other'))).status).toBe(422);
  const { answer } = await picture(first.body.data.logo);
  expect(answer.statusCode).toBe(200);
  // A JPEG that calls itself a PNG is what it is.
  const jpeg = await sharp(await png(30, 30))
    .jpeg()
    .toBuffer();
  expect((await ofCompany(owner, logo(jpeg))).status).toBe(200);
});

test('nothing of an SVG runs, is read or is fetched: it becomes pixels', async () => {
  const harmless = await drawPicture(
    svg('<script>alert(1)</script><a xlink:href="javascript:alert(1)"><text>x</text></a>'),
    'logo',
  );
  expect((await sharp(harmless!).metadata()).format).toBe('png');
  expect(harmless!.toString('latin1')).not.toContain('script');
  const foreign =
    '<image xlink:href="file:///etc/passwd" width="9" height="9"/><image xlink:href="http://127.0.0.1:1/x.png" width="9" height="9"/>';
  expect(await drawPicture(svg(foreign), 'logo')).not.toBeNull();
  const bomb = '<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>';
  expect(await drawPicture(svg('<text>&b;</text>', bomb), 'logo')).toBeNull();
  const huge = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="90000" height="90000"/>',
  );
  expect(await drawPicture(huge, 'logo')).toBeNull();
});

test('an organization’s brand is shown at its host, and only its administrators change it', async () => {
  const [{ owner: member }, { owner: admin }] = [
    await app.createCompany(),
    await app.createCompany(),
  ];
  const { rows } = await app.services.db.pool.query(
    `insert into organization (name, slug) values ('Harbor', $1) returning id`,
    [`brand-${member.companyId}`],
  );
  const { id } = rows[0];
  await app.services.db.pool.query('update company set organization_id = $1 where id = $2', [
    id,
    member.companyId,
  ]);
  await app.services.db.pool.query(
    'insert into organization_admin (organization_id, user_id) values ($1, $2)',
    [id, admin.id],
  );
  const url = `/api/business-units/${id}/branding`;
  const files = [
    logo(await png(40, 20)),
    logo(svg(''), 'dark.svg', 'logo_dark'),
    logo(await png(90, 90), 'icon.png', 'favicon'),
  ];
  expect((await upload(member, url, {}, ...files)).status).toBe(403);
  const saved = await upload(admin, url, { primary_color: '#0F766E' }, ...files);
  expect(saved.status).toBe(200);
  const host = `brand-${id}.example.com`;
  await app.services.db.pool.query(
    `insert into tenant_domain (tenant_id, domain, app_host, api_host, status, started_at)
      select id, 'example.com', $2, $3, 'active', now() from tenant where organization_id = $1`,
    [id, host, `api-${host}`],
  );
  const shown = (hostname: string) =>
    app.as(null).request(tenant.getTenantConfig, { query: { hostname } });
  expect((await shown(host)).body.data).toMatchObject({
    logo: saved.body.data.logo,
    logo_dark: saved.body.data.logo_dark,
    favicon: saved.body.data.favicon,
    primary_color: '#0F766E',
  });
  expect((await shown('elsewhere.example.com')).body.data.logo).toBeNull();
  expect((await picture(saved.body.data.favicon)).meta).toMatchObject({ width: 64, height: 64 });
  const { rows: audited } = await app.services.db.pool.query(
    `select subject from audit_log where company_id = $1 and action = 'branding.updated'`,
    [member.companyId],
  );
  expect(audited).toEqual([{ subject: `organization:${id}` }]);
});

test('only those who can change the look of a company do', async () => {
  const [{ owner }, other] = [await app.createCompany(), await app.createCompany()];
  const user = await app.createPerson(owner.companyId, 'user');
  const bytes = await png(5, 5);
  expect((await ofCompany(user, logo(bytes))).status).toBe(403);
  const url = `/api/company/${owner.companyId}/branding`;
  expect((await upload(other.owner, url, {}, logo(bytes))).status).toBe(404);
});
