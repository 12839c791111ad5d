import { sql, type Selectable } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import { firstOf } from '../../../platform/must-be.ts';
import type { Tables } from '../../../platform/tables.ts';
import type { AccountTax } from '../tax/tax-of-account.ts';

/** An invoice; its tax as this module wrote it. */
export type InvoiceRow = Omit<Selectable<Tables['invoice']>, 'tax'> & { tax: AccountTax };
export type InvoiceLineRow = Selectable<Tables['invoice_line']>;
// Written by this module alone.
const asRow = (row: Selectable<Tables['invoice']>): InvoiceRow => row as InvoiceRow;
export type NewLine = Omit<InvoiceLineRow, 'company_id' | 'invoice_id' | 'position'>;

/** The invoice of this cause; undefined: it wasn't issued. */
export async function invoiceOfCause(
  tx: Tx,
  companyId: number,
  cause: string,
): Promise<InvoiceRow | undefined> {
  const row = await tx
    .selectFrom('invoice')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('cause', '=', cause)
    .executeTakeFirst();
  return row && asRow(row);
}

/** An invoice of the company; undefined: there is none of this ID. */
export async function invoiceById(
  tx: Tx,
  companyId: number,
  id: number,
): Promise<InvoiceRow | undefined> {
  const row = await tx
    .selectFrom('invoice')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && asRow(row);
}

/** Stores an invoice under the next number, with its lines in their order. */
export async function insertInvoice(
  tx: Tx,
  companyId: number,
  {
    tax_cents = 0,
    tax = null,
    ...invoice
  }: Omit<InvoiceRow, 'company_id' | 'id' | 'number' | 'bill_to' | 'tax_cents' | 'tax'> & {
    bill_to: object;
    tax_cents?: number;
    tax?: AccountTax;
  },
  lines: readonly NewLine[],
): Promise<InvoiceRow> {
  const { rows } = await sql<{ number: number }>`select next_invoice_number() as number`.execute(
    tx,
  );
  const row = await tx
    .insertInto('invoice')
    .values({
      ...invoice,
      company_id: companyId,
      number: firstOf(rows).number,
      bill_to: JSON.stringify(invoice.bill_to),
      tax_cents,
      tax: tax && JSON.stringify(tax),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('invoice_line')
    .values(
      lines.map((line, i) => ({
        ...line,
        company_id: companyId,
        invoice_id: row.id,
        position: i + 1,
      })),
    )
    .execute();
  return asRow(row);
}

/** Invoices of a company, newest first, and how many there are. */
export async function invoicePage(
  tx: Tx,
  companyId: number,
  { page, perPage }: { page: number; perPage: number },
): Promise<{ rows: InvoiceRow[]; total: number }> {
  const rows = await tx
    .selectFrom('invoice')
    .selectAll()
    .where('company_id', '=', companyId)
    .orderBy('number', 'desc')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute();
  const { rows: counted } = await sql<{ n: number }>`
    select count(*)::int as n from invoice where company_id = ${companyId}`.execute(tx);
  return { rows: rows.map(asRow), total: firstOf(counted).n };
}

/** The lines of invoices, in their order. */
export const linesOf = (
  tx: Tx,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<InvoiceLineRow[]> =>
  tx
    .selectFrom('invoice_line')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('invoice_id', 'in', [0, ...invoiceIds])
    .orderBy('invoice_id')
    .orderBy('position')
    .execute();

/**
 * What is still due of each invoice, by its ID: payments and credits settle the oldest first. What
 * was charged without an invoice comes first.
 */
export async function dueOf(tx: Tx, companyId: number): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; due: number }>`
    with settled as (
      select greatest(0, -coalesce(sum(amount_cents), 0)
          + coalesce((select sum(total_cents) from invoice
              where company_id = ${companyId} and total_cents > 0), 0)) as cents
      from ledger_entry where company_id = ${companyId}),
    charged as (
      select id, total_cents,
        sum(total_cents) over (order by number) as upto
      from invoice where company_id = ${companyId} and total_cents > 0)
    select c.id, greatest(0, least(c.total_cents, c.upto - s.cents))::bigint as due
    from charged c, settled s`.execute(tx);
  return new Map(rows.map((row) => [row.id, row.due]));
}
