import { formatPhone, type porting as contract } from '#contract';
import { audit } from '../../platform/audit.ts';
import type { TxCtx } from '../../platform/context.ts';
import { recordPortEvent } from './set-port-status.ts';
import { numbersOf, updatePort, type PortRecord } from './store.ts';
import { mailStatusJob } from './job-kinds.ts';

const alarmSentences: Readonly<Record<contract.PortAlarmCode, (numbers: string) => string>> = {
  still_moving: (numbers) =>
    `You canceled this request, but the carrier says it’s too late to stop it: ${numbers} may still be ported here. Contact support right away.`,
  moved_anyway: (numbers) =>
    `You canceled this request, but the carrier ported ${numbers} here anyway. We added them to your numbers so you don’t miss any calls. To go back, ask your previous carrier to port them.`,
  not_installed: (numbers) =>
    `The carrier ported ${numbers}, but we couldn’t add them to your numbers. Contact support.`,
};

/**
 * Raises an alarm when an order contradicts what the company was told. It is kept on the request
 * and in its history and the audit log, and mailed to the request's creator and the authorized
 * person. Raising the same alarm again does nothing.
 */
export async function raiseAlarm(
  ctx: TxCtx,
  row: PortRecord,
  code: contract.PortAlarmCode,
  affected?: readonly string[],
): Promise<void> {
  if (row.alarm?.code === code) return;
  const numbers = affected ?? (await numbersOf(ctx.tx, ctx.companyId, row.id)).map((n) => n.number);
  const text = alarmSentences[code](numbers.map((n) => formatPhone(n)).join(', '));
  row.alarm = { code, text, at: ctx.now.toISOString() };
  await updatePort(ctx.tx, ctx.companyId, row.id, {
    alarm: JSON.stringify(row.alarm),
    updated_at: ctx.now,
  });
  await audit(ctx, 'port.alarm', `port:${row.id}`, { after: { code, numbers } });
  ctx.log.error(
    { companyId: ctx.companyId, portId: row.id, code },
    'a port contradicts what its company was told',
  );
  const eventId = await recordPortEvent(ctx, row.id, 'alarm', text);
  await ctx.enqueue(mailStatusJob, { portId: row.id, eventId });
}
