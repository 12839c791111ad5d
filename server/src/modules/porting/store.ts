import { sql } from 'kysely';
import type { porting as contract } from '#contract';
import type { Tx } from '../../platform/db.ts';

export const owns = ['port_request', 'port_number', 'port_document', 'port_event'] as const;

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
export interface PortDocumentRecord {
  id: number;
  kind: contract.PortDocumentKind;
  file_id: number;
  name: string;
  mime: string;
  size: number;
  bill_date: string | null;
  uploaded_at: Date;
}
export interface PortEventRecord {
  id: number;
  kind: 'status' | 'note' | 'document' | 'letter' | 'change' | 'alarm';
  status: contract.PortStatus | null;
  text: string;
  by_name: string | null;
  at: Date;
}

export async function readPort(
  tx: Tx,
  companyId: number,
  id: number,
  lock = false,
): Promise<PortRecord | undefined> {
  return (
    await sql<PortRecord>`select * from port_request where company_id = ${companyId} and id = ${id} ${lock ? sql`for update` : sql``}`.execute(
      tx,
    )
  ).rows[0];
}
export const numbersOf = async (tx: Tx, companyId: number, portId: number) =>
  (
    await sql<PortNumberRecord>`select * from port_number where company_id = ${companyId} and port_id = ${portId} order by position, number`.execute(
      tx,
    )
  ).rows;
export const documentsOf = async (tx: Tx, companyId: number, portId: number) =>
  (
    await sql<PortDocumentRecord>`select * from port_document where company_id = ${companyId} and port_id = ${portId} order by uploaded_at, id`.execute(
      tx,
    )
  ).rows;
export const eventsOf = async (tx: Tx, companyId: number, portId: number) =>
  (
    await sql<PortEventRecord>`select * from port_event where company_id = ${companyId} and port_id = ${portId} order by at, id`.execute(
      tx,
    )
  ).rows;
export const fileKey = async (tx: Tx, companyId: number, fileId: number) =>
  await tx
    .selectFrom('file')
    .select(['key', 'name', 'content_type'])
    .where('company_id', '=', companyId)
    .where('id', '=', fileId)
    .executeTakeFirst();

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
  }>`select number from port_number where company_id = ${companyId} and port_id <> ${portId} and status in ('pending', 'moving') and number = any (${numbers.map((n) => n.number)}::text[]) order by number limit 1`.execute(
    tx,
  );
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

export const insertDocument = (
  tx: Tx,
  companyId: number,
  portId: number,
  d: Omit<PortDocumentRecord, 'id'> & { uploaded_by: number | null },
) =>
  tx
    .insertInto('port_document')
    .values({ company_id: companyId, port_id: portId, ...d })
    .execute();
export async function deleteDocument(
  tx: Tx,
  companyId: number,
  portId: number,
  id: number,
): Promise<{ file_id: number; name: string } | undefined> {
  return tx
    .deleteFrom('port_document')
    .where('company_id', '=', companyId)
    .where('port_id', '=', portId)
    .where('id', '=', id)
    .returning(['file_id', 'name'])
    .executeTakeFirst();
}
export async function insertEvent(
  tx: Tx,
  companyId: number,
  portId: number,
  e: {
    kind: PortEventRecord['kind'];
    status: contract.PortStatus | null;
    text: string;
    by_user_id: number | null;
    by_name: string | null;
    at: Date;
  },
): Promise<number> {
  return (
    await tx
      .insertInto('port_event')
      .values({ company_id: companyId, port_id: portId, ...e })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
}
export const eventById = (tx: Tx, companyId: number, id: number) =>
  tx
    .selectFrom('port_event')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst();
/** Which of these numbers the company already has. */
export const ownNumbersAmong = async (tx: Tx, companyId: number, numbers: readonly string[]) =>
  new Set(
    (
      await sql<{
        number: string;
      }>`select number from number where company_id = ${companyId} and status <> 'released' and number = any (${[...numbers]}::text[])`.execute(
        tx,
      )
    ).rows.map((r) => r.number),
  );

export interface PortFilter {
  search?: string | undefined;
  status?: readonly string[] | undefined;
  type?: number | undefined;
  service?: number | undefined;
  completed_30d?: boolean | undefined;
}
export type PortSort = (typeof contract.portSorts)[number];
export interface PortListRow extends PortRecord {
  first_numbers: string[];
  numbers_count: number;
}
const sorts: Record<PortSort, ReturnType<typeof sql>> = {
  created_at: sql`p.created_at`,
  updated_at: sql`p.updated_at`,
  requested_date: sql`p.requested_date`,
  foc_date: sql`p.foc_date`,
  losing_carrier: sql`lower(p.losing_carrier)`,
  status: sql`array_position(array['documentsRequested','rejected','pending','submitted','inProgress','firmOrderScheduled','completed','canceled'], p.status)`,
};
export async function portPage(
  tx: Tx,
  companyId: number,
  filter: PortFilter,
  page: { sort: PortSort; dir: 'asc' | 'desc'; page: number; perPage: number },
  now: Date,
): Promise<{ rows: PortListRow[]; total: number }> {
  const like = (text: string) => `%${text.replace(/[%_\\]/g, '\\$&')}%`;
  const all = [sql`p.company_id = ${companyId}`];
  if (filter.status?.length) all.push(sql`p.status = any (${[...filter.status]}::text[])`);
  if (filter.type) all.push(sql`p.number_type = ${filter.type}`);
  if (filter.service) all.push(sql`p.service = ${filter.service}`);
  if (filter.completed_30d)
    all.push(sql`p.completed_at >= ${new Date(now.getTime() - 30 * 86_400_000)}`);
  if (filter.search) {
    const digits = filter.search.replace(/\D/g, '');
    all.push(
      sql`(p.losing_carrier ilike ${like(filter.search)} or p.entity_name ilike ${like(filter.search)} ${digits.length >= 2 ? sql`or exists (select from port_number n where n.company_id = p.company_id and n.port_id = p.id and n.number like ${like(digits)})` : sql``})`,
    );
  }
  const where = sql.join(all, sql` and `);
  const dir = page.dir === 'asc' ? sql`asc nulls last` : sql`desc nulls last`;
  const { rows } =
    await sql<PortListRow>`select p.*, (select coalesce(array_agg(f.number order by f.position), '{}') from (select n.number, n.position from port_number n where n.company_id = p.company_id and n.port_id = p.id order by n.position limit 3) f) first_numbers,
      (select count(*)::int from port_number n where n.company_id = p.company_id and n.port_id = p.id) numbers_count
    from port_request p where ${where} order by ${sorts[page.sort]} ${dir}, p.id ${page.dir === 'asc' ? sql`asc` : sql`desc`} limit ${page.perPage} offset ${(page.page - 1) * page.perPage}`.execute(
      tx,
    );
  const total =
    page.page === 1 && rows.length < page.perPage
      ? rows.length
      : (
          await sql<{
            n: number;
          }>`select count(*)::int n from port_request p where ${where}`.execute(tx)
        ).rows[0]!.n;
  return { rows, total };
}
export async function countPorts(tx: Tx, companyId: number, now: Date) {
  return (
    await sql<{
      pending: number;
      documentsRequested: number;
      inProgress: number;
      completed30d: number;
      rejected: number;
    }>`select count(*) filter (where status = 'pending')::int pending, count(*) filter (where status = 'documentsRequested')::int "documentsRequested",
    count(*) filter (where status in ('submitted', 'inProgress', 'firmOrderScheduled'))::int "inProgress", count(*) filter (where status = 'completed' and completed_at >= ${new Date(now.getTime() - 30 * 86_400_000)})::int completed30d, count(*) filter (where status = 'rejected')::int rejected
    from port_request where company_id = ${companyId}`.execute(tx)
  ).rows[0]!;
}
/**
 * Orders that may still be open at a carrier: open requests, and those canceled recently in case an
 * order goes on anyway. For the polling job; across companies.
 */
export const ordersToCheck = async (tx: Tx, untouchedSince: Date, canceledSince: Date) =>
  (
    await sql<{ company_id: number; id: number }>`(select company_id, id from port_request
      where send_started_at is not null and status in ('submitted', 'inProgress', 'firmOrderScheduled', 'documentsRequested')
        and updated_at < ${untouchedSince} order by updated_at limit 500)
    union all (select company_id, id from port_request
      where send_started_at is not null and status = 'canceled' and canceled_at > ${canceledSince} order by canceled_at limit 500)`.execute(
      tx,
    )
  ).rows;
export const templateExists = async (tx: Tx, companyId: number, id: number) =>
  (
    await sql`select from number_template where company_id = ${companyId} and id = ${id}`.execute(
      tx,
    )
  ).rows.length > 0;
