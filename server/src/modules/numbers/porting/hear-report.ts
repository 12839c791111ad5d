import { porting as contract } from '#contract';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { Refusal } from '../../../platform/refuse.ts';
import type { PortReport } from '../../../ports/porting.ts';
import { installNumber } from '../install-number.ts';
import { movePort, notePort } from './move-port.ts';
import { numbersOf, readPort, setNumbers, templateExists, updatePort, type PortColumns, type PortRecord } from './store.ts';

/**
 * A carrier says where an order stands. Reports may come late, twice or with some missing: an older one changes nothing, a
 * newer one is reached by the statuses in between.
 */
export async function hearReport(ctx: TxCtx, portId: number, carrier: string, report: PortReport): Promise<void> {
  const row = await readPort(ctx.tx, ctx.companyId, portId, true);
  if (!row || report.seq <= row.carrier_seq || (row.carrier !== null && row.carrier !== carrier)) return;
  await updatePort(ctx.tx, ctx.companyId, portId, { carrier_seq: report.seq, carrier_ref: row.carrier_ref ?? report.ref, carrier: row.carrier ?? carrier });
  const way = wayFor(row, report);
  if (way === null) return void ctx.log.warn({ portId, from: row.status, to: report.state }, 'a carrier reported a port where it cannot be');
  for (const to of way) await movePort(ctx, row, to, factsOf(to, report, ctx.now), to === 'rejected' ? { text: report.rejection?.text ?? '' } : {});
  if (way.at(-1) === 'completed') await install(ctx, row);
  if (way.at(-1) === 'canceled') await setNumbers(ctx.tx, ctx.companyId, portId, { status: 'canceled' });
}
/** A rejected or paused order that the carrier took up again was sent by us, so our own status tells that, not the carrier's. */
const wayFor = (row: PortRecord, report: PortReport): contract.PortStatus[] | null => (contract.portIsOver(row.status) || row.status === 'pending' ? null : contract.wayOfPort(row.status, report.state, row.status_before));

function factsOf(to: contract.PortStatus, report: PortReport, now: Date): PortColumns {
  if (to === 'firmOrderScheduled') return { foc_date: report.focDate };
  if (to === 'documentsRequested') return { documents_wanted: report.wanted };
  if (to === 'rejected') return { rejection: JSON.stringify(report.rejection ?? { code: 'unknown', text: 'The carrier gave no reason.', fix: 'Check the details and submit again.' }) };
  if (to === 'completed') return { completed_at: now };
  return to === 'canceled' ? { canceled_at: now } : {};
}

/** The numbers are ours from now on: each becomes a number of the company. One that somebody else got meanwhile says so. */
async function install(ctx: TxCtx, row: PortRecord): Promise<void> {
  const done: { number: string; numberId: number }[] = [];
  // A template that is gone by now is none.
  const templateId = row.template_id && (await templateExists(ctx.tx, ctx.companyId, row.template_id)) ? row.template_id : null;
  for (const n of await numbersOf(ctx.tx, ctx.companyId, row.id)) {
    if (n.status !== 'moving' && n.status !== 'pending') continue;
    try {
      const numberId = await installNumber(ctx, { number: n.number, label: '', carrier: row.carrier, ...(row.service === 2 ? { category: 3 as const } : {}), templateId, ...(row.temporary_forward_number_id ? { copyOf: row.temporary_forward_number_id } : {}) });
      await setNumbers(ctx.tx, ctx.companyId, row.id, { status: 'completed', completed_at: ctx.now, number_id: numberId }, n.number);
      done.push({ number: n.number, numberId });
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'numbers.taken') throw error;
      await setNumbers(ctx.tx, ctx.companyId, row.id, { status: 'failed', reason: 'it belongs to another account here' }, n.number);
      await notePort(ctx, row.id, 'change', `${n.number} could not be installed: it belongs to another account here.`);
    }
  }
  if (!done.length) return;
  await ctx.say(contract.portCompleted, { companyId: ctx.companyId, portId: row.id, numbers: done, templateId: row.template_id, temporaryNumberId: row.temporary_forward_number_id });
  if (row.temporary_forward_number_id && !templateId) await notePort(ctx, row.id, 'change', 'The moved numbers now answer as the temporary number did. The temporary number is no longer needed and can be released.');
}

/** Ask the carrier about orders nobody told us about for a while. */
export async function askAboutPort(ctx: Ctx, { portId }: { portId: number }): Promise<void> {
  const row = await ctx.transaction((t) => readPort(t.tx, t.companyId, portId));
  if (!row?.carrier_ref || row.carrier === null) return;
  const { carrier } = row;
  const report = await ctx.ports.carriers.porting(carrier).look(row.carrier_ref);
  if (report) await ctx.transaction((t) => hearReport(t, portId, carrier, report));
}
