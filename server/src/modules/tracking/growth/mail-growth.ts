import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { escapeHtml } from '../../../platform/html.ts';
import { queueMail } from '../../../platform/mail.ts';
import type { PoolRecord } from '../pools/store.ts';
import type { Demand } from './rules.ts';

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`;

/** Tells who turned growth on that numbers are being bought, and why. */
export const mailGrowth = (
  t: TxCtx,
  to: string,
  grown: { pool: PoolRecord; size: number; bought: number; demand: Demand },
): Promise<void> => {
  const { pool, size, bought, demand } = grown;
  const why = demand.ranOut
    ? 'visitors found no free number'
    : `${count(demand.peak, 'visitor')} saw numbers at once`;
  return queueMail(
    t,
    mailOf(t, to, pool, `${pool.name}: ${count(bought, 'more number')}`, [
      `In the last hour, ${why} of “${pool.name}”, which has ${size}. ${count(bought, 'number')} more ${bought === 1 ? 'is' : 'are'} being bought in your name.`,
      `The pool grows to at most ${pool.settings.autoScale.max} numbers. Change that in its settings:`,
    ]),
    t.tx,
  );
};

/** Tells who turned growth on what stands in its way. */
export const mailProblem = (ctx: Ctx, to: string, pool: PoolRecord, problem: string) =>
  queueMail(
    ctx,
    mailOf(ctx, to, pool, `${pool.name} needs more numbers`, [
      `“${pool.name}” needs more numbers for the visitors of your website, but they weren’t bought: ${problem}`,
      'Add numbers to the pool, or change its settings:',
    ]),
  );

const mailOf = (
  { settings }: Ctx,
  to: string,
  { id }: PoolRecord,
  subject: string,
  lines: string[],
) => {
  const link = `${settings.publicUrl}/tracking/pools/${id}`;
  return {
    ...{ to, subject, text: [...lines, link].join('\n\n') },
    html: `${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('')}<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`,
  };
};
