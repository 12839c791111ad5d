import { sql } from 'kysely';
import type { porting as contract } from '#contract';
import type { Tx } from '../../platform/db.ts';

export interface PortRecord {
  company_id: number;
  id: number;
  status: contract.PortStatus;
  status_before: contract.PortStatus | null;
  number_type: 1 | 2 | 3;
  service: 1 | 2;
  losing_carrier: string;
  account_number: string;
  pin_sealed: string | null;
  billing_telephone_number: string | null;
  customer_type: 'business' | 'residential';
  entity_name: string;
  authorized_first_name: string;
  authorized_last_name: string;
  authorized_email: string;
  authorized_phone: string | null;
  service_address: Partial<contract.PortAddress>;
  requested_date: string | null;
  partial: boolean;
  loa_state: 'unsigned' | 'sent' | 'signed';
  loa_signed_at: Date | null;
  loa_signed_by: string | null;
  loa_hash: string | null;
  loa_file_id: number | null;
  loa_signature: { by?: { name: string; email: string } } | null;
  foc_date: string | null;
  rejection: { code: string; text: string; fix: string } | null;
  documents_wanted: contract.PortDocumentKind[];
  carrier: string | null;
  carrier_ref: string | null;
  carrier_seq: number;
  attempt: number;
  template_id: number | null;
  temporary_forward_number_id: number | null;
  created_by: number | null;
  created_by_name: string | null;
  created_at: Date;
  updated_at: Date;
  submitted_at: Date | null;
  send_started_at: Date | null;
  alarm: { code: contract.PortAlarmCode; text: string; at: string } | null;
  completed_at: Date | null;
  cancel_reason: string | null;
}
export interface PortNumberRecord {
  number: string;
  type: 1 | 2 | 3;
  portable: boolean | null;
  reason: string | null;
  losing_carrier: string | null;
  status: 'pending' | 'moving' | 'completed' | 'failed' | 'canceled';
  completed_at: Date | null;
  number_id: number | null;
}
/** A request by id; `undefined` if the company has none. `lock` locks the row. */
export async function readPort(
  tx: Tx,
  companyId: number,
  id: number,
  lock = false,
): Promise<PortRecord | undefined> {
  return (
    await sql<PortRecord>`select * from port_request
      where company_id = ${companyId} and id = ${id} ${lock ? sql`for update` : sql``}`.execute(tx)
  ).rows[0];
}
/** The numbers of a port request, in the order in which they were entered. */
export const numbersOf = async (tx: Tx, companyId: number, portId: number) =>
  (
    await sql<PortNumberRecord>`select * from port_number
      where company_id = ${companyId} and port_id = ${portId} order by position, number`.execute(tx)
  ).rows;
/** Stores a new port request and returns its ID. */
export async function insertPort(
  tx: Tx,
  companyId: number,
  port: {
    number_type: number;
    service: number;
    created_by: number | null;
    created_by_name: string;
    at: Date;
  },
): Promise<number> {
  return (
    await tx
      .insertInto('port_request')
      .values({
        company_id: companyId,
        number_type: port.number_type,
        service: port.service,
        created_by: port.created_by,
        created_by_name: port.created_by_name,
        created_at: port.at,
        updated_at: port.at,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
}
/** Columns to write; JSON columns are given as text. */
export type PortColumns = Partial<
  Omit<
    PortRecord,
    'company_id' | 'id' | 'service_address' | 'rejection' | 'alarm' | 'loa_signature'
  >
> & {
  alarm?: string | null;
  service_address?: string;
  rejection?: string | null;
  loa_signature?: string | null;
  loa_text?: string | null;
  canceled_at?: Date;
};
/** Changes columns of a port request. */
export const updatePort = (tx: Tx, companyId: number, id: number, set: PortColumns) =>
  tx
    .updateTable('port_request')
    .set(set)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute();

/**
 * Replaces a request's numbers. Returns the first number that is already in another open request,
 * null if none is (then nothing was changed).
 */
export async function replaceNumbers(
  tx: Tx,
  companyId: number,
  portId: number,
  numbers: readonly {
    number: string;
    type: number;
    portable: boolean | null;
    reason: string | null;
    losing_carrier: string | null;
  }[],
): Promise<string | null> {
  const { rows } = await sql<{
    number: string;
  }>`select number from port_number
    where company_id = ${companyId} and port_id <> ${portId} and status in ('pending', 'moving')
    and number = any (${numbers.map((n) => n.number)}::text[]) order by number limit 1`.execute(tx);
  if (rows[0]) return rows[0].number;
  await tx
    .deleteFrom('port_number')
    .where('company_id', '=', companyId)
    .where('port_id', '=', portId)
    .execute();
  await tx
    .insertInto('port_number')
    .values(
      numbers.map((n, position) => ({ company_id: companyId, port_id: portId, position, ...n })),
    )
    .execute();
  return null;
}
/**
 * Updates one number, or else every number that is pending or moving (also failed ones when
 * canceling).
 */
export const updatePortNumbers = (
  tx: Tx,
  companyId: number,
  portId: number,
  set: Partial<PortNumberRecord>,
  onlyNumber?: string,
) => {
  const all = tx
    .updateTable('port_number')
    .set(set)
    .where('company_id', '=', companyId)
    .where('port_id', '=', portId);
  return (
    onlyNumber
      ? all.where('number', '=', onlyNumber)
      : all.where('status', 'in', [
          'pending',
          'moving',
          ...(set.status === 'canceled' ? (['failed'] as const) : []),
        ])
  ).execute();
};

/** Which of these numbers the company already has. */
export const ownNumbersAmong = async (tx: Tx, companyId: number, numbers: readonly string[]) =>
  new Set(
    (
      await sql<{
        number: string;
      }>`select number from number where company_id = ${companyId}
        and status <> 'released' and number = any (${[...numbers]}::text[])`.execute(tx)
    ).rows.map((r) => r.number),
  );

/**
 * Orders that may still be open at a carrier: open requests, and those canceled recently in case an
 * order goes on anyway. For the polling job; across companies.
 */
export const ordersToCheck = async (tx: Tx, untouchedSince: Date, canceledSince: Date) =>
  (
    await sql<{ company_id: number; id: number }>`(select company_id, id from port_request
      where send_started_at is not null
        and status in ('submitted', 'inProgress', 'firmOrderScheduled', 'documentsRequested')
        and updated_at < ${untouchedSince} order by updated_at limit 500)
    union all (select company_id, id from port_request
      where send_started_at is not null and status = 'canceled' and canceled_at > ${canceledSince}
        order by canceled_at limit 500)`.execute(tx)
  ).rows;
/** Whether the company has a number template of this ID. */
export const templateExists = async (tx: Tx, companyId: number, id: number) =>
  (
    await sql`select from number_template where company_id = ${companyId} and id = ${id}`.execute(
      tx,
    )
  ).rows.length > 0;
