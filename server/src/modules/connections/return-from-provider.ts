import { accessTo, grantIn } from '../../platform/access.ts';
import type { Ctx } from '../../platform/context.ts';
import { finishConnecting, providerNamed, type ConnectOutcome } from './connect.ts';
import { companyOfState } from './rules.ts';

/**
 * Finishes what `redirectToProvider` started, in the company that the state names.
 * @param callback the query with which the provider sent the person back
 * @returns the page of the app that the person goes to, with the outcome in its query
 */
export async function returnFromProvider(
  ctx: Ctx,
  provider: string,
  callback: URLSearchParams,
): Promise<string> {
  providerNamed(ctx, provider);
  const outcome = await finishIn(ctx, provider, callback);
  const page = new URL('/integrations', ctx.settings.publicUrl);
  page.searchParams.set('provider', provider);
  page.searchParams.set('outcome', outcome === 'connected' ? 'connected' : 'failed');
  // Only our own code: a provider's sentence in our address could be anyone's.
  if (outcome !== 'connected') page.searchParams.set('reason', outcome);
  return page.href;
}

type Outcome = 'connected' | Extract<ConnectOutcome, { failed: string }>['failed'];

async function finishIn(ctx: Ctx, provider: string, callback: URLSearchParams): Promise<Outcome> {
  const company = companyCtx(ctx, companyOfState(callback.get('state') ?? ''));
  if (!company) return 'state';
  const outcome = await finishConnecting(company, { provider, callback });
  if ('connected' in outcome) return 'connected';
  const { failed, text } = outcome;
  ctx.log.warn({ provider, company: company.companyId, failed, text }, 'connecting failed');
  return failed;
}

/** The person acting in that company; null where they may not connect anything (any more). */
function companyCtx(ctx: Ctx, companyId: number | null): Ctx | null {
  const access = companyId === null ? null : accessTo(ctx.actor, companyId);
  if (!access || grantIn(access, 'integrations.edit') === 'none') return null;
  return ctx.actingIn(access.companyId, access.roles);
}
