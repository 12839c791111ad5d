import type { Answer, oauthIntegrations as contract } from '#contract';
import { oauthProviders } from '#contract/connections/schemas';
import type { OfferedProvider } from '#contract/integrations/oauth-integrations/schemas';
import type { TxCtx } from '../../../platform/context.ts';
import { connectedAccount, connectedAccounts } from '../../connections/index.ts';
import { presentAccount, presentAccounts } from './present-account.ts';

/**
 * The company's connected accounts, oldest first, and the providers that can be connected. What the
 * operator of this server has not set up is listed for operators only, with what to set.
 */
export async function listAccounts(
  t: TxCtx,
): Promise<Answer<typeof contract.listOAuthIntegrations>> {
  const connections = await connectedAccounts(t);
  const used = new Set(connections.map(({ provider }) => provider));
  const isOperator = t.roles.includes('platform');
  return {
    data: await presentAccounts(t, connections),
    providers: Object.entries(oauthProviders)
      .map(([name, label]) => offered(t, { name, label, isOperator }))
      .filter(({ name, ready }) => ready || isOperator || used.has(name)),
    meta: { simulated: t.gateways.outbound.name === 'sandbox' },
  };
}

function offered(
  t: TxCtx,
  { name, label, isOperator }: { name: string; label: string; isOperator: boolean },
): OfferedProvider {
  const ready = t.gateways.oauth.has(name);
  const variables = t.gateways.oauthVariables.get(name) ?? [];
  return {
    ...{ name, label, ready },
    delivers: t.gateways.destinations.get(name)?.places !== undefined,
    setup:
      isOperator && !ready
        ? {
            variables: [...variables],
            redirect_url: `${t.settings.publicUrl}/api/oauth-integrations/${name}/callback`,
          }
        : null,
  };
}

/** One connected account. Fails with `not_found`. */
export const getAccount = async (t: TxCtx, id: number) =>
  presentAccount(t, await connectedAccount(t, id));
