import { describe, expect, test } from 'vitest';
import {
  accessTokens,
  archive,
  companies,
  endpoints,
  mfa,
  needsConfirmation,
  users,
  type AnyEndpoint,
} from '#contract';
import { requestOf, sendRequest, writtenCompanies } from './support/cross-tenant-probes.ts';
import { createFixtures, permittedPerson } from './support/fixtures.ts';
import type { TestPerson } from './support/test-app.ts';

/**
 * Every dangerous act of the contract is refused to a session that hasn't confirmed who it is, and to
 * keys, and changes nothing; after `POST /sanctum/confirm` the same request goes on.
 */
const fixtures = await createFixtures();
const { app, a, snapshot } = fixtures;
const PASSWORD = 'trunkline-demo';

/** Bodies with which an endpoint that is dangerous now and then is so. */
const dangerous: Record<string, () => object> = {
  createOrganization: () => ({ name: 'Group', companyIds: [a.id] }),
  createPersonalAccessToken: () => ({ name: 'Sync', scopes: ['read', 'admin'], company_id: a.id }),
  removeMfa: () => ({}),
  removeNumber: () => ({ undo: false }),
  removeNumbersInBulk: () => ({ ids: [a.ids.number], undo: false }),
  updateCompanyUser: () => ({ role: 'deactivated' }),
  updateManyUsers: () => ({ user_ids: [a.people.user.id], role: 'administrator' }),
  inviteMany: () => ({ rows: [{ email: 'new@people.test', role: 'Administrator' }] }),
  invitePerson: () => ({ email: 'new@people.test', role: 'administrator' }),
  updateAccountStatus: () => ({ companyId: a.id, status: 1 }),
  updateGeneralSettings: () => ({ allowed_ip_ranges: ['127.0.0.0/8'] }),
  bulkUpdateGeneralSettings: () => ({ companyIds: [a.id], settings: { require_mfa: 'off' } }),
  restoreGeneralSettings: () => ({ keys: ['allowed_ip_ranges'] }),
};
/** Those whose action asks by itself, and where that is shown. */
const own: Record<string, string> = {
  startOwnershipTransfer: 'below',
  startArchive: 'below',
  updatePassword: 'below',
  updateProfile: 'below',
  decideConsent: 'server/src/modules/identity/oauth-provider/confirm-consent.test.ts',
};

const codeOf = (answer: { body: unknown }) => (answer.body as { code?: string } | null)?.code;
const confirming = endpoints.filter((e) => e.confirms);

/** A key with all scopes of the person. */
async function keyOf(person: TestPerson): Promise<TestPerson> {
  const made = await app.as(person).request(accessTokens.createPersonalAccessToken, {
    body: { name: 'All', scopes: ['read', 'write', 'admin'], company_id: a.id },
  });
  expect(made.status).toBe(201);
  const key = { ...person, token: made.body.data.plain_text_token };
  // Its first use is noted; what follows writes nothing.
  await app.as(key).request(companies.getUser);
  return key;
}

test('what is dangerous is declared', () => {
  const names = confirming.map((e) => e.name).sort();
  expect(names).toMatchInlineSnapshot(`
    [
      "acceptOwnershipTransfer",
      "addOrganizationAdmin",
      "allowAdminWrites",
      "attachOrganizationCompany",
      "bulkUpdateGeneralSettings",
      "confirmOwnershipTransfer",
      "createAuditStream",
      "createOrganization",
      "createPasskey",
      "createPersonalAccessToken",
      "createRemoteLogin",
      "deactivateUser",
      "decideConsent",
      "deleteCompany",
      "deleteCompanyUser",
      "deleteOrganization",
      "detachOrganizationCompany",
      "endCompanySessions",
      "endLegalHold",
      "endUserSessions",
      "enterAdminMode",
      "eraseOwnAccount",
      "erasePerson",
      "inviteMany",
      "invitePerson",
      "leaveOrganization",
      "linkSignIn",
      "makeScimToken",
      "passkeyCreationOptions",
      "reactivateMfa",
      "removeMfa",
      "removeNumber",
      "removeNumbersInBulk",
      "removeOrganizationAdmin",
      "removePasskey",
      "removeSso",
      "removeSsoDomain",
      "requireSso",
      "resetUserFactors",
      "restoreGeneralSettings",
      "revokeScimToken",
      "rotateNumber",
      "saveSso",
      "saveSsoAccess",
      "setCustomDomain",
      "startArchive",
      "startCompanyImport",
      "startLinkingSignIn",
      "startOwnershipTransfer",
      "startSenderVerification",
      "unlinkSignIn",
      "updateAccountStatus",
      "updateCompanyUser",
      "updateGeneralSettings",
      "updateManyUsers",
      "updatePassword",
      "updateProfile",
      "updateUserAccounts",
      "verifyMfa",
    ]
  `);
  expect(confirming.flatMap((e) => (e.confirms === 'own' ? [e.name] : [])).sort()).toEqual(
    Object.keys(own).sort(),
  );
  expect(
    confirming.flatMap((e) => (typeof e.confirms === 'function' ? [e.name] : [])).sort(),
  ).toEqual(Object.keys(dangerous).sort());
});

describe.each(
  confirming
    // Admin mode's own steps are tried by its tests.
    .filter((e) => e.confirms !== 'own' && e.permission !== 'platform.operate')
    .map((e) => [`${e.method} ${e.path}`, e] as const),
)('%s', (_, e) => {
  const requestIn = async (person: TestPerson) => {
    const asked = await requestOf(fixtures, e, person);
    const body = dangerous[e.name]?.();
    return body ? { ...asked, body } : asked;
  };

  test('is confirmed by its person first', async () => {
    try {
      const person = permittedPerson(a, e);
      const key = await keyOf(person);
      const asked = await requestIn(person);
      await app.unconfirm(person);
      const mark = await snapshot.mark();
      const refused = await sendRequest(app, e, person, asked);
      expect([refused.status, codeOf(refused)]).toEqual([403, 'confirmation.required']);
      const byKey = await sendRequest(app, e, key, asked);
      expect([403, 404]).toContain(byKey.status);
      expect([
        'confirmation.needs_session',
        'scope.missing',
        'scope.session_only',
        'role.forbidden',
        'not_found',
      ]).toContain(codeOf(byKey));
      expect(await writtenCompanies(fixtures, mark)).toEqual([]);

      const confirmed = await app.as(person).request(mfa.confirmIdentity, {
        body: { password: PASSWORD },
      });
      expect(confirmed.status).toBe(200);
      const done = await sendRequest(app, e, person, asked);
      expect(String(codeOf(done))).not.toMatch(/^confirmation/);
    } finally {
      await snapshot.restore();
    }
  });
});

test('what is harmless in the same endpoints is not asked for', () => {
  const harmless: [AnyEndpoint['name'], object][] = [
    ['createOrganization', { name: 'Group' }],
    ['createPersonalAccessToken', { scopes: ['read'] }],
    ['removeNumber', { undo: true }],
    ['updateAccountStatus', { dry_run: true }],
    ['updateGeneralSettings', { timezone: 'UTC' }],
    ['restoreGeneralSettings', { keys: ['timezone'] }],
    ['invitePerson', { role: 'user' }],
  ];
  for (const [name, body] of harmless)
    expect(
      needsConfirmation(
        endpoints.find((e) => e.name === name)!,
        body,
      ),
      name,
    ).toBe(false);
});

test('endpoints that ask for the password themselves refuse a wrong one', async () => {
  const { owner, administrator } = a.people;
  await app.unconfirm(owner);
  const wrong = { password: 'not-the-password' };
  const answers = [
    await app.as(owner).request(users.startOwnershipTransfer, {
      params: { companyId: a.id },
      body: { user_id: administrator.id, ...wrong },
    }),
    await app.as(owner).request(archive.startArchive, {
      params: { companyId: a.id },
      body: wrong,
    }),
    await app.as(owner).request(users.updatePassword, {
      params: { userId: owner.id },
      body: { current_password: 'not-the-password', password: 'a-new-long-password-1' },
    }),
    await app.as(owner).request(users.updateProfile, {
      params: { userId: owner.id },
      body: { email: 'other@people.test' },
    }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422]);
});

test('a confirmation counts for 15 minutes, and a refreshed session starts without one', async () => {
  const { owner } = a.people;
  const make = () =>
    app.as(owner).request(accessTokens.createPersonalAccessToken, {
      body: { name: 'Admin', scopes: ['admin'], company_id: a.id },
    });
  await app.unconfirm(owner);
  await app.as(owner).request(mfa.confirmIdentity, { body: { password: PASSWORD } });
  app.clock.advance(14 * 60);
  expect((await make()).status).toBe(201);
  app.clock.advance(61);
  expect(codeOf(await make())).toBe('confirmation.required');
});
