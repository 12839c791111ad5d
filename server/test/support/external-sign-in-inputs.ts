import type { IdentityProvider } from '../../src/gateways/sign-in.ts';
import type { InputContext } from './endpoint-inputs.ts';
import type { FixtureCompany } from './fixtures.ts';
import type { TestApp } from './test-app.ts';

/** Believes whatever its callback's `code` says: the subject and the verified address. */
const standIn: IdentityProvider = {
  name: 'google',
  label: 'Google',
  authorizationUrl: ({ state }) => Promise.resolve(`https://id.test/?state=${state}`),
  identify: ({ callback }) => {
    const [subject = '', verifiedEmail = ''] = callback.get('code')?.split(' ') ?? [];
    return Promise.resolve({
      state: 'known' as const,
      identity: { issuer: 'https://id.test', subject, verifiedEmail, firstName: '', lastName: '' },
    });
  },
};
const params = { provider: 'google' };
const setUp = (app: TestApp) =>
  (app.services.gateways.signIn as Map<string, IdentityProvider>).set('google', standIn);

let visits = 0;
/** The cookie of a browser that has returned from the provider. */
async function returned(app: TestApp, subject = `visit-${++visits}`) {
  setUp(app);
  const { host } = new URL(app.services.settings.publicUrl);
  const url = '/api/oauth/google/redirect';
  const begun = await app.as(null).inject({ method: 'GET', url, headers: { host } });
  const to = new URL(String(begun.headers['location']));
  const cookie = String(begun.headers['set-cookie']).split(';')[0]!;
  const code = `${subject} ${subject}@new.test`;
  const query = new URLSearchParams({ state: to.searchParams.get('state')!, code });
  await app.as(null).inject({
    method: 'GET',
    url: `/api/oauth/google/callback?${query.toString()}`,
    headers: { cookie },
  });
  return { headers: { cookie } };
}
async function linked(app: TestApp, personId: number): Promise<string> {
  setUp(app);
  const subject = `linked-${++visits}`;
  await app.services.db.pool.query(
    `insert into person_identity (person_id, provider, issuer, subject, email)
      values ($1, 'google', 'https://id.test', $2, 'linked@people.test')
      on conflict (person_id, provider) do update set subject = excluded.subject`,
    [personId, subject],
  );
  return subject;
}

/** What the endpoints of sign-in through providers need beyond their examples, of who is signed in. */
export const externalSignInInputs = {
  startLinkingSignIn: ({ app }: InputContext) => (setUp(app), { params }),
  unlinkSignIn: async ({ app, person }: InputContext) => {
    await linked(app, person.id);
    return { params };
  },
};
interface Anyone {
  world: TestApp;
  a: FixtureCompany;
}
/** The same of those that anyone can call. */
export const anonymousSignInInputs = {
  redirectToSignInProvider: ({ world }: Anyone) => (setUp(world), { params }),
  returnFromSignInProvider: ({ world }: Anyone) => (setUp(world), { params }),
  getProvenIdentity: ({ world }: Anyone) => returned(world),
  signUpExternally: ({ world }: Anyone) => returned(world),
  signInExternally: async ({ world, a }: Anyone) =>
    returned(world, await linked(world, a.people.billing.id)),
};
