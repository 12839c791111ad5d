import { sql } from 'kysely';
import type { porting as contract } from '#contract';
import type { Tx } from '../../platform/db.ts';

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

/** The documents of a port request, oldest first. */
export const documentsOf = async (tx: Tx, companyId: number, portId: number) =>
  (
    await sql<PortDocumentRecord>`select * from port_document
      where company_id = ${companyId} and port_id = ${portId} order by uploaded_at, id`.execute(tx)
  ).rows;
/** The history of a port request, oldest first. */
export const eventsOf = async (tx: Tx, companyId: number, portId: number) =>
  (
    await sql<PortEventRecord>`select * from port_event
      where company_id = ${companyId} and port_id = ${portId} order by at, id`.execute(tx)
  ).rows;
/** Where a file's bytes are stored; `undefined` if the company has no such file. */
export const fileKey = async (tx: Tx, companyId: number, fileId: number) =>
  await tx
    .selectFrom('file')
    .select(['key', 'name', 'content_type'])
    .where('company_id', '=', companyId)
    .where('id', '=', fileId)
    .executeTakeFirst();

/** Stores a document of a port request. `uploaded_by`: null for documents we made. */
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
/** The deleted document; `undefined` if there was none. */
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
/** Adds an entry to the request's history and returns its id. */
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
/** An entry of a port request's history. Undefined: none of this ID. */
export const eventById = (tx: Tx, companyId: number, id: number) =>
  tx
    .selectFrom('port_event')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst();
