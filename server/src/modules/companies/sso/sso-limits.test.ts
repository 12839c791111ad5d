import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { sso } from '#contract';
import { createTestNumber } from '../../../../test/support/call-harness.ts';
import {
  createBrowser,
  createIdentityProvider,
} from '../../../../test/support/identity-provider.ts';
import { createSsoOrganization } from '../../../../test/support/sso-organization.ts';
import { createTestApp } from '../../../../test/support/test-app.ts';
import { ownProviders } from '../../../adapters/sign-in-organizations/own-providers.ts';
import { GOOGLE } from './rules.ts';

const idp = await createIdentityProvider('idp');
afterAll(() => idp.server.stop());
const connected = ownProviders({ isPrivateAllowed: true });
const app = await createTestApp({
  ports: {
    ownProviders: {
      ...connected,
      // Google's own servers can't be asked here: another provider answers in their name.
      connect: (own) => {
        if (own.issuer !== GOOGLE) return connected.connect(own);
        const real = connected.connect({ ...own, issuer: idp.issuer });
        return {
          ...real,
          identify: async (visit) => {
            const answer = await real.identify(visit);
            return answer.state === 'known'
              ? { ...answer, identity: { ...answer.identity, issuer: GOOGLE } }
              : answer;
          },
        };
      },
    },
  },
});
const { pool } = app.services.db;
beforeEach(() => idp.says({}));

type Organization = Awaited<ReturnType<typeof createSsoOrganization>>;
async function comeIn(o: Organization, claims: object) {
  idp.says({ email_verified: true, ...claims });
  const browser = createBrowser(app);
  const { external } = await browser.comeThrough(o.way);
  const { body } = await browser.send('POST', '/sanctum/sso', { body: {} });
  return { external, code: body.code as string | undefined };
}
const give = (
  o: Organization,
  rules: { group: string | null; company_id: number; role: 'user'; number_ids?: number[] }[],
) => o.as.request(sso.saveSsoAccess, { params: o.params, body: { rules } });
const memberOf = async (companyId: number, email: string) =>
  (
    await pool.query<{ role: string; number_ids: string[] }>(
      `select m.role, m.number_ids from membership m join person p on p.id = m.user_id
        where m.company_id = $1 and p.email = $2`,
      [companyId, email],
    )
  ).rows[0];

test('a Google account signs in when Google says that a proven domain manages it', async () => {
  const o = await createSsoOrganization(app, { issuer: GOOGLE });
  const other = await createSsoOrganization(app, { issuer: idp.issuer });
  await give(o, [{ group: null, company_id: o.company.id, role: 'user' }]);
  const email = `ann@${o.domain}`;
  const outcome = async (hd: object) => (await comeIn(o, { sub: 'ann', email, ...hd })).external;
  // Anyone can have a Google account with a work address.
  expect(await outcome({})).toBe('other_domain');
  expect(await outcome({ hd: 'gmail.com' })).toBe('other_domain');
  expect(await outcome({ hd: other.domain })).toBe('other_domain');
  expect(await outcome({ hd: `sub.${o.domain}` })).toBe('other_domain');
  expect(await outcome({ hd: o.domain.toUpperCase() })).toBe('signed_in');
  // It is asked each time: the account may have left the domain since.
  expect(await outcome({ hd: 'gmail.com' })).toBe('other_domain');
});

describe('numbers', () => {
  test('of all rules of one role come together, and one rule for all numbers is for all', async () => {
    const o = await createSsoOrganization(app, { issuer: idp.issuer });
    const [first, second] = [
      (await createTestNumber(app, o.company.id)).id,
      (await createTestNumber(app, o.company.id)).id,
    ];
    const rule = (group: string, ids: number[]) => ({
      ...{ group, company_id: o.company.id, role: 'user' as const, number_ids: ids },
    });
    await give(o, [rule('North', [first]), rule('South', [second]), rule('All', [])]);
    const email = `lee@${o.domain}`;
    const numbers = async (groups: string[]) => {
      await comeIn(o, { sub: 'lee', email, groups });
      return (await memberOf(o.company.id, email))?.number_ids.map(Number);
    };
    expect(await numbers(['North'])).toEqual([first]);
    expect(await numbers(['North', 'South'])).toEqual([first, second].toSorted((a, b) => a - b));
    expect(await numbers(['North', 'All'])).toEqual([]);
    expect(await numbers(['South'])).toEqual([second]);
  });

  test('of another company are refused, and a rule whose numbers are gone gives nothing', async () => {
    const o = await createSsoOrganization(app, { issuer: idp.issuer });
    const other = await app.createCompany();
    const foreign = (await createTestNumber(app, other.company.id)).id;
    const rule = { group: null, company_id: o.company.id, role: 'user' as const };
    expect((await give(o, [{ ...rule, number_ids: [foreign] }])).status).toBe(422);
    // As a rule stands after its number was moved to another company.
    await pool.query(
      `insert into sso_access (organization_id, position, company_id, role, number_ids)
        values ($1, 0, $2, 'user', array[$3::bigint])`,
      [o.id, o.company.id, foreign],
    );
    const email = `kim@${o.domain}`;
    expect((await comeIn(o, { sub: 'kim', email })).external).toBe('no_access');
    expect(await memberOf(o.company.id, email)).toBeUndefined();
  });
});

test('a company without a free seat is skipped, and is joined once there is one', async () => {
  const o = await createSsoOrganization(app, { issuer: idp.issuer });
  const full = await app.createCompany();
  await pool.query('update company set organization_id = $1, plan_seats = 1 where id = $2', [
    o.id,
    full.company.id,
  ]);
  const everyone = (company_id: number) => ({ group: null, company_id, role: 'user' as const });
  await give(o, [everyone(o.company.id), everyone(full.company.id)]);
  const email = `max@${o.domain}`;
  expect((await comeIn(o, { sub: 'max', email })).code).toBeUndefined();
  expect(await memberOf(o.company.id, email)).toMatchObject({ role: 'user' });
  expect(await memberOf(full.company.id, email)).toBeUndefined();
  // Where it is all there is, they are told that they have no access.
  await give(o, [everyone(full.company.id)]);
  const nowhere = await comeIn(o, { sub: 'new', email: `new@${o.domain}` });
  expect(nowhere.code).toBe('sso.no_access');
  expect(
    (await pool.query('select from person where email = $1', [`new@${o.domain}`])).rowCount,
  ).toBe(0);
  await pool.query('update company set plan_seats = 2 where id = $1', [full.company.id]);
  await comeIn(o, { sub: 'max', email });
  expect(await memberOf(full.company.id, email)).toMatchObject({ role: 'user' });
});
