import { describe, expect, test } from 'vitest';
import { companies, identity, mfa, passkeys, type AnyEndpoint, type Answer } from '#contract';
import { createAuthenticator } from '../../../../test/support/authenticator.ts';
import {
  createTestApp,
  type TestPerson,
  type TestResponse,
} from '../../../../test/support/test-app.ts';

const origin = 'https://phones.test';
const app = await createTestApp({ clock: 'still', env: { PUBLIC_URL: origin } });
const PASSWORD = 'trunkline-demo';

const confirm = (person: TestPerson) =>
  app.as(person).request(mfa.confirmIdentity, { body: { password: PASSWORD } });
async function creationChallenge(person: TestPerson): Promise<string> {
  const { body } = await app.as(person).request(passkeys.passkeyCreationOptions, {});
  return body.data.challenge;
}
const create = (person: TestPerson, passkey: object) =>
  app.as(person).request(passkeys.createPasskey, {
    body: { name: 'Laptop', passkey: { id: 'x', ...passkey } },
  });
/** A person with a passkey. */
async function withPasskey() {
  const { owner, company } = await app.createCompany();
  await confirm(owner);
  const key = createAuthenticator(origin);
  const created = await create(owner, key.create(await creationChallenge(owner)));
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return { owner, company, key, id: created.body.data.id };
}
let addresses = 0;
/** Sends each request from another address: sign-ins are limited by address as well. */
const anonymous = <E extends AnyEndpoint>(e: E, payload: object) =>
  app.as(null).inject({
    method: 'POST',
    url: `/api${e.path}`,
    payload,
    remoteAddress: `10.9.0.${++addresses}`,
  }) as Promise<TestResponse<Answer<E>>>;
const signInChallenge = async (body: object = {}) =>
  (await anonymous(passkeys.passkeySignInOptions, body)).body.data.challenge;
const signIn = (passkey: object) => anonymous(passkeys.signInWithPasskey, { passkey });
const refused = { code: 'passkey.refused' };

describe('signing in with a passkey', () => {
  test('opens a session of its person', async () => {
    const { owner, key } = await withPasskey();
    const { status, body } = await signIn(key.use(await signInChallenge()));
    expect([status, body]).toMatchObject([200, { data: { id: owner.id } }]);
    expect(await app.as(owner).request(passkeys.listPasskeys, {})).toMatchObject({
      body: { data: [{ name: 'Laptop', last_used_at: app.clock.value.toISOString() }] },
    });
  });

  test('an answer is accepted once, also when it is sent three times at once', async () => {
    const { key } = await withPasskey();
    const answer = key.use(await signInChallenge());
    const all = await Promise.all([signIn(answer), signIn(answer), signIn(answer)]);
    expect(all.map((a) => a.status).toSorted()).toEqual([200, 422, 422]);
    expect((await signIn(answer)).body).toMatchObject(refused);
  });

  test.each([
    ['another website', { origin: 'https://evil.test' }],
    ['another relying party', { rpId: 'evil.test' }],
    ['the other ceremony', { type: 'webauthn.create' }],
    ['a person who was not verified', { isVerified: false }],
    ['a counter that went back', { counter: 1 }],
  ])('an answer from %s is refused', async (_, deviation) => {
    const { key } = await withPasskey();
    expect((await signIn(key.use(await signInChallenge()))).status).toBe(200);
    const answer = await signIn(key.use(await signInChallenge(), deviation));
    expect([answer.status, answer.body]).toMatchObject([422, refused]);
  });

  test('a challenge for creating a passkey does not sign in, nor one of our own making', async () => {
    const { owner, key } = await withPasskey();
    for (const challenge of [await creationChallenge(owner), 'c2VsZi1tYWRl'])
      expect((await signIn(key.use(challenge))).body).toMatchObject(refused);
  });

  test('a challenge that waited longer than five minutes is refused', async () => {
    const { key } = await withPasskey();
    const challenge = await signInChallenge();
    app.clock.advance(5 * 60 + 1);
    expect((await signIn(key.use(challenge))).body).toMatchObject(refused);
  });

  test('it finishes the waiting sign-in of its own person only', async () => {
    const [one, other] = [await withPasskey(), await withPasskey()];
    const waiting = async (person: TestPerson) => {
      const { body } = await anonymous(identity.login, { email: person.email, password: PASSWORD });
      if (!('mfa_token' in body)) throw new Error('no second factor was asked for');
      return body.mfa_token;
    };
    const finish = async (mfa_token: string, key: typeof one.key) =>
      anonymous(mfa.signInWithCode, {
        mfa_token,
        kind: 'passkey',
        passkey: key.use(await signInChallenge({ mfa_token })),
      });
    expect((await finish(await waiting(one.owner), other.key)).status).toBe(422);
    expect((await finish(await waiting(one.owner), one.key)).status).toBe(200);
  });

  test('a removed passkey and one of a disabled person do not sign in', async () => {
    const [removed, disabled] = [await withPasskey(), await withPasskey()];
    await app.as(removed.owner).request(passkeys.removePasskey, { params: { id: removed.id } });
    await app.services.db.unscoped
      .updateTable('person')
      .set({ disabled_at: app.clock.value })
      .where('id', '=', disabled.owner.id)
      .execute();
    for (const { key } of [removed, disabled])
      expect((await signIn(key.use(await signInChallenge()))).body).toMatchObject(refused);
  });
});

describe('creating a passkey', () => {
  test('needs a recent confirmation', async () => {
    const { owner } = await withPasskey();
    app.clock.advance(16 * 60);
    const asked = await app.as(owner).request(passkeys.passkeyCreationOptions, {});
    expect([asked.status, asked.body]).toMatchObject([403, { code: 'confirmation.required' }]);
  });

  test('a challenge of another person, a used one and one for signing in are refused', async () => {
    const [one, other] = [await withPasskey(), await withPasskey()];
    const fresh = () => createAuthenticator(origin);
    const used = await creationChallenge(one.owner);
    expect((await create(one.owner, fresh().create(used))).status).toBe(201);
    for (const challenge of [await creationChallenge(other.owner), used, await signInChallenge()])
      expect((await create(one.owner, fresh().create(challenge))).body).toMatchObject(refused);
  });

  test('another website, no verification, and a passkey that somebody has are refused', async () => {
    const [one, other] = [await withPasskey(), await withPasskey()];
    const attempt = async (passkey: (challenge: string) => object) =>
      (await create(one.owner, passkey(await creationChallenge(one.owner)))).body;
    const key = createAuthenticator(origin);
    expect(await attempt((c) => key.create(c, { origin: 'https://evil.test' }))).toMatchObject(
      refused,
    );
    expect(await attempt((c) => key.create(c, { isVerified: false }))).toMatchObject(refused);
    expect(await attempt((c) => other.key.create(c))).toMatchObject(refused);
  });

  test('a person has at most twenty', async () => {
    const { owner } = await withPasskey();
    const waiting = await creationChallenge(owner);
    for (let n = 0; n < 19; n++)
      await app.services.db.unscoped
        .insertInto('passkey')
        .values({
          ...{ person_id: owner.id, credential_id: `${owner.id}-${n}`, public_key: 'unused' },
          ...{ counter: 0, name: `Key ${n}` },
        })
        .execute();
    const created = await create(owner, createAuthenticator(origin).create(waiting));
    expect(created.body).toMatchObject({ code: 'passkey.limit' });
    const asked = await app.as(owner).request(passkeys.passkeyCreationOptions, {});
    expect(asked.body).toMatchObject({ code: 'passkey.limit' });
  });

  test('the first factor comes with recovery codes; companies’ lists of people show it', async () => {
    const { owner, company } = await withPasskey();
    await app.drainJobs();
    const listed = await app
      .as(owner)
      .request(companies.listCompanyUsers, { params: { companyId: company.id } });
    expect(listed.body.data).toMatchObject([{ id: owner.id, mfa_enabled: true }]);
  });
});

test('another person’s passkey is not found, and stays', async () => {
  const [one, other] = [await withPasskey(), await withPasskey()];
  const params = { id: other.id };
  const as = app.as(one.owner);
  expect(
    (await as.request(passkeys.renamePasskey, { params, body: { name: 'Mine' } })).status,
  ).toBe(404);
  expect((await as.request(passkeys.removePasskey, { params })).status).toBe(404);
  const theirs = await app.as(other.owner).request(passkeys.listPasskeys, {});
  expect(theirs.body.data).toMatchObject([{ id: other.id, name: 'Laptop' }]);
});
