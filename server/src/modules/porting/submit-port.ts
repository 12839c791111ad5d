import { formatPhone, porting as contract, type Answer } from '#contract';
import { isTollFree } from '#contract/phone';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { invalid, notFound, fail } from '../../platform/errors.ts';
import { mustBe } from '../../platform/must-be.ts';
import { unseal } from '../../platform/secrets.ts';
import type { PortDocument, PortingCarrier } from '../../gateways/porting.ts';
import { checkNumbers } from './check-portability.ts';
import { requireNumberRoom } from '../numbers/index.ts';
import { setPortStatus } from './set-port-status.ts';
import { missingFields, presentPort, todayOf } from './present.ts';
import { addressOf } from './rules.ts';
import { statusLabels } from './save-port.ts';
import { numbersOf, readPort, updatePortNumbers, updatePort, type PortRecord } from './store.ts';
import { documentsOf, fileKey } from './store-documents.ts';
import { submitJob, cancelAtCarrierJob } from './job-kinds.ts';

/** The idempotency key of the request's order at the carrier. */
export const orderKey = (companyId: number, portId: number): string =>
  `port-${companyId}-${portId}`;

/** The numbers of a request that can be submitted and for which the plan has room. */
async function numbersToPort(t: TxCtx, id: number): Promise<string[]> {
  const row = (await readPort(t.tx, t.companyId, id)) ?? notFound();
  if (!contract.isPortEditable(row.status))
    fail('port.not_now', { status: statusLabels[row.status] });
  const numbers = (await numbersOf(t.tx, t.companyId, id)).map((n) => n.number);
  await requireNumberRoom(
    t,
    numbers.map((number) => (isTollFree(number) ? 1 : 2)),
  );
  return numbers;
}

/**
 * Submits a request: a draft for the first time, a rejected one after a fix, or one whose requested
 * documents were added. Missing fields are reported by field. A job calls the carrier, so that a
 * carrier outage loses nothing. Throws port.not_now and port.not_portable.
 */
export async function submitPort(
  ctx: Ctx,
  id: number,
): Promise<Answer<typeof contract.submitPort>> {
  const requested = await ctx.transaction((t) => numbersToPort(t, id));
  const checked = await checkNumbers(ctx, requested);
  const notPortable = checked.find((n) => !n.portable);
  if (notPortable)
    fail('port.not_portable', {
      number: formatPhone(notPortable.number),
      reason: notPortable.reason ?? '',
    });
  return ctx.transaction(async (t) => {
    const row = (await readPort(t.tx, t.companyId, id, true)) ?? notFound();
    if (!contract.isPortEditable(row.status))
      fail('port.not_now', { status: statusLabels[row.status] });
    // The draft's portability results may be outdated.
    for (const { number, portable, reason } of checked)
      await updatePortNumbers(t.tx, t.companyId, id, { portable, reason }, number);
    const documents = await documentsOf(t.tx, t.companyId, id);
    const needs = missingFields(
      row,
      await numbersOf(t.tx, t.companyId, id),
      documents,
      await todayOf(t),
      t.now,
    );
    if (row.status === 'documentsRequested') {
      // Date and bill were accepted on first submission; only the requested documents count now.
      delete needs['requested_date'];
      delete needs['documents'];
      const open = row.documents_wanted.filter((kind) => !documents.some((d) => d.kind === kind));
      if (open.length) needs['documents'] = 'Add every requested document.';
    }
    if (Object.keys(needs).length) invalid(needs);
    const to =
      row.status === 'documentsRequested'
        ? row.status_before === 'pending' || row.status_before === null
          ? 'submitted'
          : row.status_before
        : 'submitted';
    if (row.status === 'documentsRequested' && row.status_before === 'pending')
      await setPortStatus(t, row, 'pending', { documents_wanted: [] });
    await setPortStatus(t, row, to, {
      documents_wanted: [],
      rejection: null,
      submitted_at: t.now,
      attempt: row.attempt + 1,
      carrier: row.carrier ?? t.gateways.carriers.portingProvider.name,
    });
    await updatePortNumbers(t.tx, t.companyId, id, { status: 'moving' });
    await t.enqueue(submitJob, { portId: id, attempt: row.attempt });
    return { data: await presentPort(t, id) };
  });
}

/**
 * Submits the request to the carrier (a job). Running twice creates one order, because the key is
 * the request's own. `send_started_at` is stored first, so that a concurrent cancellation asks the
 * carrier; after sending, a cancellation in between is checked for.
 */
export async function submitToCarrier(
  ctx: Ctx,
  { portId, attempt }: { portId: number; attempt: number },
): Promise<void> {
  const started = await ctx.transaction((t) => startSending(t, portId, attempt));
  if (!started) return;
  const documents: PortDocument[] = [];
  for (const { key, ...document } of started.files)
    documents.push({ ...document, bytes: await ctx.files.blobs.get(key) });
  const response = await ctx.gateways.carriers
    .porting(started.row.carrier ?? ctx.gateways.carriers.portingProvider.name)
    .submit({ ...orderOf(ctx, started.row), numbers: started.numbers, documents });
  await ctx.transaction((t) => applySubmitResponse(t, portId, attempt, response));
}

/** Marks the sending as started; null if this attempt is outdated or must not be sent. */
async function startSending(t: TxCtx, portId: number, attempt: number) {
  const row = await readPort(t.tx, t.companyId, portId, true);
  if (!row || row.attempt !== attempt) return null;
  // Canceled during sending, and that process or its response was lost.
  if (row.status === 'canceled' && row.send_started_at !== null)
    await enqueueCancelOrder(t, portId);
  if (!contract.isPortWithCarrier(row.status)) return null;
  if (row.send_started_at === null)
    await updatePort(t.tx, t.companyId, portId, { send_started_at: t.now });
  const files = await filesToSend(t, row);
  const numbers = (await numbersOf(t.tx, t.companyId, portId)).map((n) => n.number);
  return { row, numbers, files };
}

/** The request's documents and its signed letter, with the keys of their contents. */
async function filesToSend(
  t: TxCtx,
  row: PortRecord,
): Promise<(Omit<PortDocument, 'bytes'> & { key: string })[]> {
  const files = [];
  for (const document of await documentsOf(t.tx, t.companyId, row.id))
    files.push({
      kind: document.kind,
      name: document.name,
      contentType: document.mime,
      key: mustBe(await fileKey(t.tx, t.companyId, document.file_id), 'file of the document').key,
    });
  const letter =
    row.loa_file_id === null ? undefined : await fileKey(t.tx, t.companyId, row.loa_file_id);
  if (letter)
    files.push({
      kind: 'loa' as const,
      name: letter.name,
      contentType: letter.content_type,
      key: letter.key,
    });
  return files;
}

async function applySubmitResponse(
  t: TxCtx,
  portId: number,
  attempt: number,
  response: Awaited<ReturnType<PortingCarrier['submit']>>,
): Promise<void> {
  const row = await readPort(t.tx, t.companyId, portId, true);
  if (!row || row.attempt !== attempt) return;
  if ('refused' in response) {
    const transitions = contract.isPortFinal(row.status)
      ? null
      : contract.portTransitions(row.status, 'rejected', row.status_before);
    for (const to of transitions ?? [])
      await setPortStatus(
        t,
        row,
        to,
        { rejection: JSON.stringify(response.refused) },
        { text: response.refused.text },
      );
    return;
  }
  await updatePort(t.tx, t.companyId, portId, { carrier_ref: response.ref });
  if (row.status === 'canceled') await enqueueCancelOrder(t, portId);
  // Open screens show the order's reference.
  await t.publish(contract.portChanged, { companyId: t.companyId, portId, what: 'details' });
}

/** Cancels the order that the carrier has, or may have, for a canceled request. */
export const enqueueCancelOrder = (t: TxCtx, portId: number) =>
  t.enqueue(
    cancelAtCarrierJob,
    { companyId: t.companyId, portId },
    { key: `porting.cancelAtCarrier:${t.companyId}:${portId}` },
  );

const orderOf = (ctx: Ctx, row: PortRecord) => ({
  key: orderKey(row.company_id, row.id),
  service: row.service,
  losingCarrier: row.losing_carrier,
  accountNumber: row.account_number,
  pin: row.pin_sealed === null ? null : unseal(ctx.settings.appSecrets, row.pin_sealed),
  billingTelephoneNumber: row.billing_telephone_number ?? '',
  customerType: row.customer_type,
  entityName: row.entity_name,
  authorized: {
    firstName: row.authorized_first_name,
    lastName: row.authorized_last_name,
    email: row.authorized_email,
    phone: row.authorized_phone ?? '',
  },
  serviceAddress: addressOf(row.service_address),
  requestedDate: row.requested_date ?? '',
  partial: row.partial,
});
