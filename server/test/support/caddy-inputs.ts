import { googleIdTokensOf } from '../../src/adapters/id-tokens-google/google.ts';
import type { IdTokenProvider } from '../../src/gateways/id-tokens.ts';
import { caddyHelpers } from './caddy.ts';
import { inboxHelpers } from './inbox.ts';
import type { InputContext } from './endpoint-inputs.ts';
import type { FixtureCompany } from './fixtures.ts';
import { multipartForm, randomPhone } from './samples.ts';
import type { TestApp, TestPerson } from './test-app.ts';

/** Gives an account a paid plan with three numbers. */
export const subscribeAccount = (app: TestApp, accountId: number) =>
  app.services.db.pool.query(
    `insert into subscription (company_id, state, plan, period_start, period_end, provider,
        created_at, updated_at)
      values ($1, 'active', 'unlimited_monthly', $2, $2::timestamptz + interval '1 month', 'manual', $2, $2)
      on conflict do nothing`,
    [accountId, app.clock.value],
  );

const newNumber = async ({ app, person }: InputContext) => {
  await subscribeAccount(app, person.companyId);
  return { body: { number: randomPhone('646') } };
};
/** What the endpoints of Caddy need beyond their examples. */
export const caddyInputs = {
  addCaddyNumber: newNumber,
  replaceCaddyNumber: newNumber,
  uploadCaddySupportFile: () => ({
    form: multipartForm({}, { field: 'file', name: 'log.txt', type: 'text/plain', bytes: 'x' }),
  }),
  // The example’s call is one of a company.
  reportCaddyCustomer: () => ({ body: { callId: undefined } }),
};
/** An object of each kind that Caddy's endpoints name. */
export async function createCaddyObjects(app: TestApp, { companyId }: TestPerson) {
  const { number, inCompany } = inboxHelpers(app);
  const { id: caddyNumber } = await number(companyId);
  const { services, clock } = app;
  const content = { name: 'log.txt', contentType: 'text/plain', bytes: Buffer.from('x') };
  const { id: caddyFile } = await inCompany(companyId).transaction((t) =>
    services.files.save(t.tx, companyId, { ...content, purpose: 'support' }, clock.value),
  );
  return { caddyNumber, caddyFile };
}

/** The same of those that anyone can call. */
export const anonymousCaddyInputs = {
  resetCaddyPassword: async ({ world, a }: { world: TestApp; a: FixtureCompany }) => {
    const { email } = a.individual;
    const code = await caddyHelpers(world).resetCode(email);
    return { body: { email, code, password: 'other-four-words-7' } };
  },
  startCaddyProvider: ({ world }: { world: TestApp }) => {
    const providers = world.services.gateways.idTokens as Map<string, IdTokenProvider>;
    providers.set('google', googleIdTokensOf(['client']));
    return {};
  },
};
