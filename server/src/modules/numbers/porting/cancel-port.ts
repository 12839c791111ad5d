import { porting as contract, type Answer } from '#contract';
import type { Ctx } from '../../../platform/context.ts';
import { missing, refuse } from '../../../platform/refuse.ts';
import { movePort } from './move-port.ts';
import { presentPort } from './present.ts';
import { statusWord } from './save-port.ts';
import { readPort, setNumbers } from './store.ts';

/** Call a request off. A carrier that has it is asked first: past the day it may be too late. */
export async function cancelPort(ctx: Ctx, id: number, reason: string | null): Promise<Answer<typeof contract.cancelPort>> {
  const row = await ctx.transaction(async (t) => (await readPort(t.tx, t.companyId, id)) ?? missing());
  if (contract.portIsOver(row.status)) refuse('port.not_now', { status: statusWord[row.status] });
  if (row.carrier_ref && row.carrier) {
    const answer = await ctx.ports.carriers.porting(row.carrier).cancel(row.carrier_ref).catch((error: unknown) => { ctx.log.warn({ err: error }, 'canceling a port failed'); return refuse('carrier.unreachable'); });
    if (answer === 'too_late') refuse('port.too_late');
  }
  return ctx.transaction(async (t) => {
    const now = (await readPort(t.tx, t.companyId, id, true)) ?? missing();
    if (contract.portIsOver(now.status)) refuse('port.not_now', { status: statusWord[now.status] });
    await movePort(t, now, 'canceled', { canceled_at: t.now, cancel_reason: reason || null, documents_wanted: [] });
    await setNumbers(t.tx, t.companyId, id, { status: 'canceled' });
    return { data: await presentPort(t, id) };
  });
}
