import type { EventData } from '#contract';
import type { callStarted } from '#contract/calls/events';
import { companySettingsOf } from '#contract/settings/rules';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { ApiError } from '../../../platform/errors.ts';
import { companyRow } from '../../companies/index.ts';
import { identifyNewCallerJob } from '../job-kinds.ts';
import { identifyCaller } from './identify-caller.ts';

/** A call came in from someone who isn't a contact: looks them up where the company wants that. */
export async function lookUpNewCaller(
  ctx: TxCtx,
  call: EventData<typeof callStarted>,
): Promise<void> {
  if (call.outbound || call.contactId !== null || !call.party.startsWith('+')) return;
  const settings = companySettingsOf((await companyRow(ctx.tx, ctx.companyId))?.settings);
  if (settings.enhanced_caller_id_auto)
    await ctx.enqueue(
      identifyNewCallerJob,
      { number: call.party },
      { key: `identify:${ctx.companyId}:${call.party}` },
    );
}

/** Job: the look-up. What it finds is kept; no entry, no service or no room left is an end, too. */
export async function identifyNewCaller(ctx: Ctx, { number }: { number: string }): Promise<void> {
  await identifyCaller(ctx, { number }).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
  });
}
