import type { Answer, oauthIntegrations as contract } from '#contract';
import { mostLookedUp } from '#contract/integrations/oauth-integrations/rules';
import type { Lookup, LookupItem } from '../../../gateways/lookup.ts';
import type { Ctx } from '../../../platform/context.ts';
import { fail } from '../../../platform/errors.ts';
import { connectedAccount } from '../../connections/index.ts';
import { sendWithAccount } from './send-with-account.ts';
import { labelOf } from './present-account.ts';

/** Pages that one list is read from at most. */
const PAGES = 10;

/**
 * What a connected account has, to choose from. Fails with `not_found`, `integration.no_lookup` where
 * its provider has no such list, and with why it can't be read.
 * @param ctx outside a transaction
 * @param parent what they belong to; undefined: nothing was named
 */
export async function lookUp(
  ctx: Ctx,
  id: number,
  { kind, parent }: { kind: Lookup['kind']; parent: string | undefined },
): Promise<Answer<typeof contract.lookUpOAuthIntegration>> {
  const { provider, account } = await ctx.transaction((t) => connectedAccount(t, id));
  const lookup = ctx.gateways.lookups.find((one) => one.provider === provider && one.kind === kind);
  if (!lookup) return fail('integration.no_lookup', { provider: labelOf(provider) });
  return {
    data: await readAll(ctx, id, lookup, { parent: parent ?? null, account: account.external_id }),
  };
}

/** All pages of a list, as many entries as are shown. */
async function readAll(
  ctx: Ctx,
  id: number,
  lookup: Pick<Lookup, 'ask' | 'read' | 'provider'>,
  question: { parent: string | null; account: string },
): Promise<LookupItem[]> {
  const provider = labelOf(lookup.provider);
  const found: LookupItem[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < PAGES && found.length < mostLookedUp; page++) {
    const sent = await sendWithAccount(
      ctx,
      id,
      { ...lookup.ask({ ...question, cursor }), whole: true },
      (answer) => lookup.read(answer).state === 'unauthorized',
    );
    if (sent.unusable)
      return fail(sent.unusable === 'away' ? 'integration.away' : 'integration.reconnect', {
        provider,
      });
    const read = lookup.read(sent.answer);
    if (read.state === 'away') return fail('integration.away', { provider });
    if (read.state !== 'found') {
      ctx.log.warn({ provider, text: read.text }, 'a list was refused');
      return fail('integration.lookup_refused', { provider });
    }
    found.push(...read.items);
    cursor = read.next;
    if (cursor === null) break;
  }
  return found.slice(0, mostLookedUp);
}
