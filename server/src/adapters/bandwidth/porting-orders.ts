/** Bandwidth's port-in orders: finding them and reading their status. */
import type { PortReport, PortState } from '../../gateways/porting.ts';
import { nextReportSeq } from '../shared/report-seq.ts';
import type { BandwidthClient } from './client.ts';
import { dashboardRequest, asList, textOf, findElement, type Xml } from './dashboard.ts';

/** Our state by Bandwidth's processing status. */
export const portStates: Readonly<Record<string, PortState>> = {
  DRAFT: 'submitted',
  VALIDATE_DRAFT_TFNS: 'submitted',
  PENDING_CREDITCARD: 'submitted',
  SUBMITTED: 'inProgress',
  REQUESTED_SUPP: 'inProgress',
  REQUESTED_CANCEL: 'inProgress',
  PENDING_DOCUMENTS: 'documentsRequested',
  FOC: 'firmOrderScheduled',
  COMPLETE: 'completed',
  EXCEPTION: 'rejected',
  CANCELLED: 'canceled',
  CANCELED: 'canceled',
};

/** Bandwidth's id of an order, also when its response was lost; null when there is none. */
export async function orderRef(client: BandwidthClient, key: string): Promise<string | null> {
  const object = await client.store.get('port', key);
  if (!object || object.ref) return object?.ref ?? null;
  const ref = await findOrderByKey(client, key);
  if (ref) await client.store.change('port', key, { ref });
  return ref;
}

/**
 * Finds an order at Bandwidth by our own key. Null when there is none; throws when that is not
 * known.
 */
export async function findOrderByKey(client: BandwidthClient, key: string): Promise<string | null> {
  const { status, xml } = await dashboardRequest(
    client,
    'GET',
    `/portins?${new URLSearchParams({ customerOrderId: key, page: '1', size: '10' })}`,
  );
  if (status === 404) return null;
  // Not knowing must not lead to a second order.
  if (status >= 400) throw new Error(`Bandwidth’s Dashboard did not list its orders (${status}).`);
  const rows = asList(findElement(xml, 'LNPResponseWrapper')?.['lnpPortInfoForGivenStatus']);
  const mine = rows.find(
    (row) =>
      textOf(row, 'CustomerOrderId') === key &&
      portStates[textOf(row, 'ProcessingStatus')] !== 'canceled',
  );
  return textOf(mine, 'OrderId') || null;
}

/** Null when the order is not ours or not at Bandwidth. */
export async function fetchReport(
  client: BandwidthClient,
  ref: string,
): Promise<PortReport | null> {
  const object = await client.store.getByRef('port', ref);
  if (!object) return null;
  const { status, xml } = await dashboardRequest(
    client,
    'GET',
    `/portins/${encodeURIComponent(ref)}`,
  );
  if (status === 404) return null;
  const order = findElement(xml, 'LnpOrderResponse');
  const state = portStates[textOf(order, 'ProcessingStatus')] ?? 'submitted';
  const report = {
    state,
    focDate:
      (textOf(order, 'ActualFocDate') || textOf(order, 'RequestedFocDate')).slice(0, 10) || null,
    wanted: state === 'documentsRequested' ? ['bill' as const] : [],
    rejection: state === 'rejected' ? rejectionIn(order) : null,
  };
  return {
    ref,
    key: object.key,
    seq: await nextReportSeq(client.store, object, report),
    ...report,
  };
}

function rejectionIn(order: Xml | undefined): NonNullable<PortReport['rejection']> {
  const errors = asList(findElement(order, 'Errors')?.['Error']);
  const descriptions = errors.map((error) => textOf(error, 'Description')).filter(Boolean);
  return {
    code: textOf(errors[0], 'Code') || 'exception',
    text: descriptions.join(' ') || 'The current carrier rejected the order.',
    fix: 'Correct it and submit again.',
  };
}
