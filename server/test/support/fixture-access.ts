import { accessTokens, identity, type AnyEndpoint } from '#contract';

/** An API key of the owner and a second session. */
export async function createCredentials(
  make: <T = { id: number }>(e: AnyEndpoint, input?: unknown) => Promise<T>,
  companyId: number,
): Promise<{ apiKey: number; session: number }> {
  const key = await make(accessTokens.createPersonalAccessToken, {
    body: { company_id: companyId, name: 'Fixture', scopes: ['read'] },
  });
  const session = await make(identity.createTokenSession, { body: { device_name: 'Phone' } });
  return { apiKey: key.id, session: session.id };
}
