import type { connections as contract, Answer } from '#contract';
import type { TxCtx } from '../../platform/context.ts';
import { beginConnecting } from './connect.ts';

/** Starts connecting a provider for this session. The answer's state works for ten minutes. */
export async function redirectToProvider(
  t: TxCtx,
  provider: string,
): Promise<Answer<typeof contract.redirectToOAuthProvider>> {
  const redirectUri = `${t.settings.publicUrl}/api/oauth-integrations/${provider}/callback`;
  const { url, state, expiresAt } = await beginConnecting(t, { provider, redirectUri });
  return { data: { url, state, expires_at: expiresAt.toISOString() } };
}
