import type { Ctx } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import type { Http } from '../../../platform/routes.ts';
import { runInThread } from '../../../platform/worker-thread.ts';
import { requireBilling } from '../subscription.ts';
import { invoiceNumber } from './issue-invoice.ts';
import type { Printed } from './render-invoice.ts';
import { dueOf, invoiceById, linesOf } from './store-invoices.ts';

/** An invoice as PDF, made from what was stored when it was issued. `not_found`: no such invoice. */
export async function invoicePdf(ctx: Ctx, id: number, { reply }: Http): Promise<unknown> {
  requireBilling(ctx);
  const { row, lines, due } = await ctx.readOnly(async (t) => {
    const found = (await invoiceById(t.tx, t.companyId, id)) ?? notFound();
    return {
      row: found,
      lines: await linesOf(t.tx, t.companyId, [id]),
      due: (await dueOf(t.tx, t.companyId)).get(id) ?? 0,
    };
  });
  const number = invoiceNumber(row);
  const printed: Printed = { number, row, lines, dueCents: due };
  const pdf = await runInThread<Uint8Array>('renderInvoice', printed, 30);
  await reply
    .type('application/pdf')
    .header('content-disposition', `inline; filename="${number}.pdf"`)
    .header('cache-control', 'private, no-store')
    .send(Buffer.from(pdf));
  return undefined;
}
