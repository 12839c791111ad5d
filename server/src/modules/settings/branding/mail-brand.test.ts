import sharp from 'sharp';
import { beforeEach, expect, test } from 'vitest';
import { branding, companies, identity, invitations } from '#contract';
import type { Mail } from '../../../gateways/mail.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { multipartForm } from '../../../../test/support/samples.ts';

const sent: Mail[] = [];
const app = await createTestApp({
  env: { PUBLIC_URL: 'https://phones.test', CODES_PER_HOUR: '1000' },
  ports: { mail: { name: 'test', send: (mail) => Promise.resolve(void sent.push(mail)) } },
});
beforeEach(() => void (sent.length = 0));
const query = (text: string, values: unknown[]) => app.services.db.pool.query(text, values);

let organizations = 0;
/** An organization with a name, a footer and an active domain; `owner` has its only company. */
async function branded() {
  const { owner } = await app.createCompany();
  const host = `app.pier-${++organizations}.test`;
  const { rows } = await query(
    `with made as (insert into organization (name, slug) values ('Pier', $1) returning id),
      placed as (update company set organization_id = (select id from made) where id = $2),
      named as (insert into tenant (organization_id, name, email_footer)
        select id, 'Pier Voice', 'Pier, 1 Dock Road' from made returning id, organization_id)
    insert into tenant_domain (tenant_id, domain, app_host, api_host, status, started_at)
      select id, 'pier.test', $3, 'api-' || $3, 'active', now() from named
      returning (select organization_id from named) as id`,
    [`pier-${organizations}`, owner.companyId, host],
  );
  return { owner, host, organizationId: rows[0].id as number };
}
const forgotten = async (person: TestPerson): Promise<Mail | undefined> => {
  const { rows } = await query('select email from person where id = $1', [person.id]);
  await app.as(null).request(identity.forgotPassword, { body: { email: rows[0].email } });
  await app.drainJobs();
  return sent.find(({ to }) => to === rows[0].email);
};
async function uploadLogo(who: TestPerson, color = '#BE123C'): Promise<string> {
  const bytes = await sharp({
    create: { width: 40, height: 20, channels: 4, background: '#be123c' },
  })
    .png()
    .toBuffer();
  const file = { field: 'logo', name: 'logo.png', type: 'image/png', bytes };
  const { body } = await app.as(who).inject({
    method: 'POST',
    url: `/api/company/${who.companyId}/branding`,
    ...multipartForm({ primary_color: color }, file),
  });
  return body.data.logo;
}

test('an invitation has the organization’s sender and footer, the company’s logo, and leads to the custom domain', async () => {
  const { owner, host } = await branded();
  const logo = await uploadLogo(owner);
  const email = `guest-${owner.companyId}@example.test`;
  await app.as(owner).request(invitations.invitePerson, {
    params: { companyId: owner.companyId },
    body: { email, role: 'user' },
  });
  await app.drainJobs();
  const mail = sent.find(({ to }) => to === email);
  expect(mail?.from).toMatchObject({ name: 'Pier Voice', address: null });
  expect(mail?.text).toMatch(new RegExp(`https://${host}/invitations/tli_`));
  expect(mail?.text).toContain('Pier, 1 Dock Road');
  expect(mail?.html).toContain(`<img src="https://${host}${logo}" alt="Pier Voice"`);
  expect(mail?.html).toContain('#BE123C');
  expect(`${mail?.text}${mail?.html}`).not.toContain('phones.test');
});

test('a company with a logo and no organization has its own mail, at this installation', async () => {
  const { owner } = await app.createCompany();
  const logo = await uploadLogo(owner);
  const mail = await forgotten(owner);
  expect(mail?.html).toContain(`<img src="https://phones.test${logo}"`);
  expect(mail?.text).toContain('https://phones.test/reset-password/');
  expect(mail?.from?.name).toBeTruthy();
});

test('a link that opens an account leads to a custom domain only if the account is in that organization alone', async () => {
  const [{ owner, host }, { owner: stranger }] = [await branded(), await app.createCompany()];
  expect((await forgotten(owner))?.text).toContain(`https://${host}/reset-password/`);

  // Also a member elsewhere: the owner of the domain could otherwise enter that company.
  await query(`insert into membership (company_id, user_id, role) values ($1, $2, 'user')`, [
    stranger.companyId,
    owner.id,
  ]);
  sent.length = 0;
  const mail = await forgotten(owner);
  expect(mail?.text).toContain('https://phones.test/reset-password/');
  expect(`${mail?.text}${mail?.html}`).not.toMatch(/pier/i);
  expect(mail?.from).toBeUndefined();
});

test('mail to staff of the platform has no brand', async () => {
  const { owner } = await branded();
  await query('update person set is_staff = true where id = $1', [owner.id]);
  expect((await forgotten(owner))?.text).toContain('https://phones.test/reset-password/');
});

test('a domain that isn’t active gets no links, and a brand that is turned off is in no mail', async () => {
  const { owner, host, organizationId } = await branded();
  await query(`update tenant_domain set status = 'failed' where app_host = $1`, [host]);
  const waiting = await forgotten(owner);
  expect(waiting?.from?.name).toBe('Pier Voice');
  expect(waiting?.text).toContain('https://phones.test/reset-password/');

  await query(
    `insert into setting_value (organization_id, key, value, updated_at)
      values ($1, 'feature.white-label', 'false', now())`,
    [organizationId],
  );
  sent.length = 0;
  expect((await forgotten(owner))?.from).toBeUndefined();
});

test('a company shows no brand of its own while that is turned off, and has it again after', async () => {
  const { owner } = await app.createCompany();
  await app.as(owner).request(branding.setCompanyBranding, {
    params: { id: owner.companyId },
    body: { primary_color: '#BE123C' },
  });
  const shown = async () =>
    (await app.as(owner).request(companies.getCompany, { params: { id: owner.companyId } })).body
      .data.branding.primary_color;
  expect(await shown()).toBe('#BE123C');
  const turn = (value: boolean) =>
    query(
      `update company set settings = settings || jsonb_build_object($2::text, $3::boolean) where id = $1`,
      [owner.companyId, 'feature.white-label', value],
    );
  await turn(false);
  expect(await shown()).toBeNull();
  await turn(true);
  expect(await shown()).toBe('#BE123C');
});
