import { TOTP } from 'otpauth';
import { expect } from 'vitest';
import { identity, mfa, sso } from '#contract';
import { createSsoOrganization } from './sso-organization.ts';
import type { TestApp, TestPerson } from './test-app.ts';

let addresses = 0;

/** What tests of "only through single sign-on" do again and again. */
export function createOnlySso(app: TestApp, issuer: string) {
  const { pool } = app.services.db;
  /** Sends each request from another address: sign-ins are limited by address as well. */
  const post = (path: string, payload: object) =>
    app.as(null).inject({
      method: 'POST',
      url: `/api${path}`,
      payload,
      remoteAddress: `10.7.${Math.floor(++addresses / 250)}.${addresses % 250}`,
    });
  const named = async (organization: { domain: string }, person: TestPerson, name: string) => {
    const email = `${name}@${organization.domain}`;
    await pool.query('update person set email = $1 where id = $2', [email, person.id]);
    return { ...person, email };
  };
  return {
    post,
    named,
    /** An organization that lets its people in only through its provider, with a member at its domain. */
    async create() {
      const organization = await createSsoOrganization(app, { issuer });
      await pool.query(
        'update sso_connection set used_at = now(), required_at = now() where organization_id = $1',
        [organization.id],
      );
      const person = await app.createPerson(organization.company.id, 'administrator');
      return { ...organization, person: await named(organization, person, 'ann') };
    },
    login: (email: string, more: object = {}) =>
      post(identity.login.path, { email, password: 'trunkline-demo', ...more }),
    /** As if the person's session had begun through the organization's provider. */
    comeThrough: (person: TestPerson, organizationId: number | null) =>
      pool.query('update session set sso_organization_id = $1 where person_id = $2', [
        organizationId,
        person.id,
      ]),
    /** Sets up an authenticator app, and says its next codes. */
    async enroll(person: TestPerson): Promise<() => string> {
      const params = { kind: 'totp' as const };
      const { secret } = (await app.as(person).request(mfa.mfaQr, { params })).body.data;
      const code = () => new TOTP({ secret }).generate({ timestamp: +app.clock.value });
      const { status } = await app
        .as(person)
        .request(mfa.verifyMfa, { params, body: { code: code() } });
      expect(status).toBe(200);
      app.clock.advance(60);
      return code;
    },
    finish: (mfa_token: string, code: string) =>
      post(mfa.signInWithCode.path, { mfa_token, kind: 'totp', code }),
    require: (organization: { as: ReturnType<TestApp['as']>; params: { id: number } }, on = true) =>
      organization.as.request(sso.requireSso, {
        params: organization.params,
        body: { required: on },
      }),
  };
}
