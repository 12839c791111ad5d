import { caddy } from '#contract';
import { insertCode } from '../../src/modules/caddy/sign-in/store-codes.ts';
import { hashToken, sign } from '../../src/platform/secrets.ts';
import type { TestApp, TestPerson } from './test-app.ts';

let count = 0;

/** What tests of Caddy do: ask for codes, read them where they went, sign up. */
export function caddyHelpers(app: TestApp) {
  const stranger = app.as(null);
  /** The newest code that was mailed to an address or texted to a phone; null: none. */
  const codeFor = async (to: string): Promise<string | null> => {
    await app.drainJobs();
    if (to.includes('@'))
      return /^\d{6}/.exec((await app.mails(to.toLowerCase())).at(-1)?.subject ?? '')?.[0] ?? null;
    const { rows } = await app.services.db.pool.query<{ body: string }>(
      'select body from sandbox.text where to_number = $1 order by id desc limit 1',
      [to],
    );
    return /^\d{6}/.exec(rows[0]?.body ?? '')?.[0] ?? null;
  };
  /** An account with a session of its own. */
  const signUp = async (
    said: { email?: string; phone?: string; password?: string } = {},
  ): Promise<TestPerson> => {
    const email = said.phone ? undefined : (said.email ?? `person${++count}@caddy.test`);
    const body = said.phone
      ? { provider: 'phone' as const, phone: said.phone }
      : { provider: 'email' as const, email, password: said.password };
    const asked = await stranger.request(caddy.caddyRegister, { body });
    if (asked.status !== 202) throw new Error(`no code: ${JSON.stringify(asked.body)}`);
    const code = (await codeFor(said.phone ?? email ?? '')) ?? '';
    const opened = await stranger.request(caddy.caddyRegister, { body: { ...body, code } });
    const { data } = opened.body;
    if (opened.status !== 201 || !('token' in data))
      throw new Error(`no account: ${JSON.stringify(opened.body)}`);
    const id = data.accountId;
    // However far a test moves the clock.
    await app.services.db.pool.query(
      `update session set access_expires_at = access_expires_at + interval '400 days'
        where access_hash = $1`,
      [hashToken(data.token)],
    );
    return { id, email: email ?? '', token: data.token, companyId: id, role: 'owner' };
  };
  /** An account with a number. */
  const withNumber = async () => {
    const person = await signUp();
    const { data } = (await app.as(person).request(caddy.getRandomCaddyNumber)).body;
    const body = { number: data.number };
    const added = await app.as(person).request(caddy.addCaddyNumber, { body });
    return { person, mine: added.body.data };
  };
  /** A code for a new password, stored as if it had been sent: without jobs. */
  const resetCode = async (email: string): Promise<string> => {
    const [code, target] = ['482913', `0:email:${email}`];
    const { appSecret } = app.services.settings;
    const at = app.clock.value;
    await app.services.db.systemTransaction((tx) =>
      insertCode(tx, {
        ...{ purpose: 'reset', target_hash: sign(appSecret, `caddy:target:${target}`) },
        ...{ hash: sign(appSecret, `caddy:reset:${target}:${code}`) },
        ...{ device_hash: null, network_hash: '', created_at: at },
        expires_at: new Date(at.getTime() + 600_000),
      }),
    );
    return code;
  };
  return { stranger, codeFor, resetCode, signUp, withNumber };
}
