import { formatPhone, porting as contract } from '#contract';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { ApiError } from '../../platform/errors.ts';
import type { PortReport } from '../../gateways/porting.ts';
import { provisionNumber } from '../numbers/index.ts';
import { raiseAlarm } from './alarm.ts';
import { setPortStatus, recordPortEvent } from './set-port-status.ts';
import {
  numbersOf,
  readPort,
  updatePortNumbers,
  templateExists,
  updatePort,
  type PortColumns,
  type PortRecord,
} from './store.ts';
import { orderKey, enqueueCancelOrder } from './submit-port.ts';

/**
 * Applies a carrier's order status. Reports may come late, twice or with gaps: older ones are
 * ignored, newer ones pass through the statuses in between. A request is completed only when every
 * number is provisioned.
 */
export async function applyPortReport(
  ctx: TxCtx,
  portId: number,
  carrier: string,
  report: PortReport,
): Promise<void> {
  const row = await readPort(ctx.tx, ctx.companyId, portId, true);
  if (!row || (row.carrier !== null && row.carrier !== carrier)) return;
  if (row.status === 'canceled') return applyReportOfCanceled(ctx, row, report);
  const isPendingInstall = row.alarm?.code === 'not_installed' && report.state === 'completed';
  if (report.seq <= row.carrier_seq && !isPendingInstall) return;
  await updatePort(ctx.tx, ctx.companyId, portId, {
    carrier_seq: report.seq,
    carrier_ref: row.carrier_ref ?? report.ref,
    carrier: row.carrier ?? carrier,
  });
  const transitions = transitionsFor(row, report);
  if (transitions === null)
    return void ctx.log.warn(
      { portId, from: row.status, to: report.state },
      'a carrier reported an impossible port status',
    );
  for (const to of transitions) {
    if (to === 'completed') {
      const failed = await provisionNumbers(ctx, row);
      if (failed.length) return raiseAlarm(ctx, row, 'not_installed', failed);
      await updatePort(ctx.tx, ctx.companyId, portId, { alarm: null });
    }
    await setPortStatus(
      ctx,
      row,
      to,
      columnsForStatus(to, report, ctx.now),
      to === 'rejected' ? { text: report.rejection?.text ?? '' } : {},
    );
  }
  if (transitions.at(-1) === 'canceled')
    await updatePortNumbers(ctx.tx, ctx.companyId, portId, { status: 'canceled' });
}

/**
 * Handles a report for a canceled request: a running order is canceled, and numbers that moved
 * anyway are provisioned and raise an alarm.
 */
async function applyReportOfCanceled(
  ctx: TxCtx,
  row: PortRecord,
  report: PortReport,
): Promise<void> {
  await updatePort(ctx.tx, ctx.companyId, row.id, {
    carrier_seq: Math.max(row.carrier_seq, report.seq),
    carrier_ref: row.carrier_ref ?? report.ref,
  });
  if (report.state === 'completed') {
    if (row.alarm?.code === 'moved_anyway' || row.alarm?.code === 'not_installed') return;
    const failed = await provisionNumbers(ctx, row);
    await raiseAlarm(
      ctx,
      row,
      failed.length ? 'not_installed' : 'moved_anyway',
      failed.length ? failed : undefined,
    );
  } else if (report.state !== 'canceled' && report.state !== 'rejected')
    await enqueueCancelOrder(ctx, row.id);
}
/**
 * The statuses to pass through; null if the report is impossible. We resubmitted a rejected or
 * paused order ourselves, so our own status counts as the start.
 */
const transitionsFor = (row: PortRecord, report: PortReport): contract.PortStatus[] | null =>
  contract.isPortFinal(row.status) || row.status === 'pending'
    ? null
    : contract.portTransitions(row.status, report.state, row.status_before);

function columnsForStatus(to: contract.PortStatus, report: PortReport, now: Date): PortColumns {
  if (to === 'firmOrderScheduled') return { foc_date: report.focDate };
  if (to === 'documentsRequested') return { documents_wanted: report.wanted };
  if (to === 'rejected')
    return {
      rejection: JSON.stringify(
        report.rejection ?? {
          code: 'unknown',
          text: 'The carrier gave no reason.',
          fix: 'Check the details and submit again.',
        },
      ),
    };
  if (to === 'completed') return { completed_at: now };
  return to === 'canceled' ? { canceled_at: now } : {};
}

/**
 * Provisions each ported number for the company. Returns those that belong to another account by
 * now.
 */
async function provisionNumbers(ctx: TxCtx, row: PortRecord): Promise<string[]> {
  const done: { number: string; numberId: number }[] = [];
  const failed: string[] = [];
  // The template may have been deleted since.
  const templateId =
    row.template_id && (await templateExists(ctx.tx, ctx.companyId, row.template_id))
      ? row.template_id
      : null;
  for (const portNumber of await numbersOf(ctx.tx, ctx.companyId, row.id)) {
    if (portNumber.status === 'completed') continue;
    try {
      const numberId = await provisionPortedNumber(ctx, row, portNumber.number, templateId);
      done.push({ number: portNumber.number, numberId });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'numbers.taken') throw error;
      failed.push(portNumber.number);
      if (portNumber.status !== 'failed') await recordFailedNumber(ctx, row.id, portNumber.number);
    }
  }
  if (done.length)
    await ctx.publish(contract.portCompleted, {
      companyId: ctx.companyId,
      portId: row.id,
      numbers: done,
      templateId: row.template_id,
      temporaryNumberId: row.temporary_forward_number_id,
    });
  if (done.length && row.temporary_forward_number_id && !templateId)
    await recordPortEvent(
      ctx,
      row.id,
      'change',
      'The ported numbers now use the temporary number’s settings. You no longer need the temporary number and can release it.',
    );
  return failed;
}

/** Returns the new number's id; throws numbers.taken if it belongs to another account. */
async function provisionPortedNumber(
  ctx: TxCtx,
  row: PortRecord,
  number: string,
  templateId: number | null,
): Promise<number> {
  const numberId = await provisionNumber(ctx, {
    number,
    label: '',
    carrier: row.carrier,
    how: 'ported_in',
    ...(row.service === 2 ? { category: 3 as const } : {}),
    templateId,
    ...(row.temporary_forward_number_id ? { copyOf: row.temporary_forward_number_id } : {}),
  });
  await updatePortNumbers(
    ctx.tx,
    ctx.companyId,
    row.id,
    { status: 'completed', completed_at: ctx.now, number_id: numberId, reason: null },
    number,
  );
  return numberId;
}

async function recordFailedNumber(ctx: TxCtx, portId: number, number: string): Promise<void> {
  await updatePortNumbers(
    ctx.tx,
    ctx.companyId,
    portId,
    { status: 'failed', reason: 'it belongs to another account' },
    number,
  );
  await recordPortEvent(
    ctx,
    portId,
    'change',
    `${formatPhone(number)} couldn’t be added because it belongs to another account.`,
  );
}

/** Polls the carrier for an order that has not reported for a while (a job). */
export async function checkPortStatus(ctx: Ctx, { portId }: { portId: number }): Promise<void> {
  const row = await ctx.transaction((t) => readPort(t.tx, t.companyId, portId));
  if (!row?.send_started_at || row.carrier === null) return;
  const { carrier } = row;
  const report = await ctx.gateways.carriers
    .porting(carrier)
    .getOrder(orderKey(row.company_id, row.id));
  if (report) await ctx.transaction((t) => applyPortReport(t, portId, carrier, report));
}
