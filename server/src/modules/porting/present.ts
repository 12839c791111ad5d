import { formatPhone, porting as contract } from '#contract';
import type { TxCtx } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { unseal } from '../../platform/secrets.ts';
import { companyRow } from '../companies/index.ts';
import { signedInAs } from './letter.ts';
import { addressOf, localDay } from './rules.ts';
import { numbersOf, readPort, type PortNumberRecord, type PortRecord } from './store.ts';
import {
  documentsOf,
  eventsOf,
  type PortDocumentRecord,
  type PortEventRecord,
} from './store-documents.ts';
import type { PortListRow } from './store-lists.ts';

const instant = <At extends Date | null>(at: At) =>
  (at === null ? null : new Date(at).toISOString()) as At extends null ? null : string;
/** Today in the company's time zone: requested dates and bill dates are days of its calendar. */
export const todayOf = async (ctx: TxCtx): Promise<string> =>
  localDay((await companyRow(ctx.tx, ctx.companyId))?.timezone ?? 'UTC', ctx.now);

/** Error sentences by field for everything still missing before the request can be submitted. */
export const missingFields = (
  row: PortRecord,
  numbers: readonly PortNumberRecord[],
  documents: readonly PortDocumentRecord[],
  today: string,
  now: Date,
): Record<string, string> =>
  contract.missingPortFields(
    {
      ...row,
      service_address: addressOf(row.service_address),
      numbers,
      documents,
      loa: { state: row.loa_state, signed_at: instant(row.loa_signed_at) },
    },
    today,
    now,
  );

/**
 * A request as the API returns it. Throws not found if it is not the company's. The account number
 * is masked, and PIN and files are hidden, from readers who may not edit.
 */
export async function presentPort(ctx: TxCtx, id: number): Promise<contract.PortRequest> {
  const row = (await readPort(ctx.tx, ctx.companyId, id)) ?? notFound();
  const numbers = await numbersOf(ctx.tx, ctx.companyId, id);
  const documents = await documentsOf(ctx.tx, ctx.companyId, id);
  const events = (await eventsOf(ctx.tx, ctx.companyId, id)).map(presentEvent);
  const today = await todayOf(ctx);
  return {
    ...presentDetails(ctx, row),
    numbers: numbers.map(presentNumber),
    loa: presentSignature(ctx, row),
    documents: documents.map((document) => presentDocument(ctx, document)),
    notes: events.filter((event) => event.kind === 'note'),
    events,
    earliest_date: contract.earliestPortDay(today, row.number_type),
    needs: contract.isPortEditable(row.status)
      ? missingFields(row, numbers, documents, today, ctx.now)
      : {},
  };
}

const mayEditPorts = (ctx: TxCtx): boolean => ctx.may('ports.edit') !== 'none';

/** The fields of the request's own row. */
const presentDetails = (ctx: TxCtx, row: PortRecord) => ({
  id: row.id,
  status: row.status,
  status_before: row.status_before,
  service: row.service,
  losing_carrier: row.losing_carrier,
  account_number: mayEditPorts(ctx) ? row.account_number : maskTail(row.account_number),
  pin: presentPin(ctx, row),
  billing_telephone_number: row.billing_telephone_number,
  customer_type: row.customer_type,
  entity_name: row.entity_name,
  authorized_first_name: row.authorized_first_name,
  authorized_last_name: row.authorized_last_name,
  authorized_email: row.authorized_email,
  authorized_phone: row.authorized_phone,
  service_address: addressOf(row.service_address),
  requested_date: row.requested_date,
  partial: row.partial,
  documents_wanted: row.documents_wanted,
  foc_date: row.foc_date,
  rejection: row.rejection,
  alarm: row.alarm,
  template_id: row.template_id,
  temporary_forward_number_id: row.temporary_forward_number_id,
  carrier: row.carrier,
  carrier_ref: row.carrier_ref,
  cancel_reason: row.cancel_reason,
  created_by:
    row.created_by === null ? null : { id: row.created_by, name: row.created_by_name ?? '' },
  created_at: instant(row.created_at),
  updated_at: instant(row.updated_at),
  submitted_at: instant(row.submitted_at),
  completed_at: instant(row.completed_at),
});

function presentPin(ctx: TxCtx, row: PortRecord): string | null {
  if (row.pin_sealed === null) return null;
  return mayEditPorts(ctx) ? unseal(ctx.settings.appSecrets, row.pin_sealed) : '••••';
}

const presentNumber = (n: PortNumberRecord): contract.PortRequest['numbers'][number] => ({
  number: n.number,
  formatted: formatPhone(n.number),
  type: n.type,
  portable: n.portable,
  reason: n.reason,
  status: n.status,
  completed_at: instant(n.completed_at),
  number_id: n.number_id,
});

const presentSignature = (ctx: TxCtx, row: PortRecord): contract.PortRequest['loa'] => ({
  state: row.loa_state,
  signed_at: instant(row.loa_signed_at),
  signed_by: row.loa_signed_by,
  signed_in_as: signedInAs(row),
  file:
    row.loa_file_id === null || !mayEditPorts(ctx)
      ? null
      : ctx.files.signUrl(ctx.companyId, row.loa_file_id, ctx.now),
});

const presentDocument = (
  ctx: TxCtx,
  document: PortDocumentRecord,
): contract.PortRequest['documents'][number] => ({
  id: document.id,
  kind: document.kind,
  name: document.name,
  mime: document.mime,
  size: document.size,
  bill_date: document.bill_date,
  url: mayEditPorts(ctx) ? ctx.files.signUrl(ctx.companyId, document.file_id, ctx.now) : null,
  uploaded_at: instant(document.uploaded_at),
});

const presentEvent = (event: PortEventRecord): contract.PortRequest['events'][number] => ({
  id: event.id,
  kind: event.kind,
  status: event.status,
  text: event.text,
  by: event.by_name,
  at: instant(event.at),
});

/** Masks all but the last four characters. */
export const maskTail = (text: string): string =>
  text.length > 4 ? `••••${text.slice(-4)}` : text && '••••';

/** A port request as lists show it. Dates are `YYYY-MM-DD`; null until known. */
export const presentPortRow = (row: PortListRow): contract.PortRow => ({
  id: row.id,
  status: row.status,
  numbers: row.first_numbers.map((number) => ({ number, formatted: formatPhone(number) })),
  numbers_count: row.numbers_count,
  type: row.number_type,
  service: row.service,
  losing_carrier: row.losing_carrier,
  entity_name: row.entity_name,
  requested_date: row.requested_date,
  foc_date: row.foc_date,
  documents_wanted: row.documents_wanted,
  rejection: row.rejection,
  alarm: row.alarm,
  created_at: instant(row.created_at),
  updated_at: instant(row.updated_at),
  submitted_at: instant(row.submitted_at),
});
