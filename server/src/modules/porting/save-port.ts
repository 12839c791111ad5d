import { formatPhone, porting as contract, type Answer, type Body } from '#contract';
import { audit } from '../../platform/audit.ts';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { invalid, notFound, fail } from '../../platform/errors.ts';
import { firstOf, mustBe } from '../../platform/must-be.ts';
import { seal } from '../../platform/secrets.ts';
import { companyRow } from '../companies/index.ts';
import { numberRecord } from '../numbers/index.ts';
import { checkNumbers, type PortabilityResult } from './check-portability.ts';
import { hashOfLetter, letterOf } from './letter.ts';
import { recordPortEvent } from './set-port-status.ts';
import { maskTail, presentPort } from './present.ts';
import { areTypesMixed } from './rules.ts';
import {
  insertPort,
  numbersOf,
  readPort,
  replaceNumbers,
  templateExists,
  updatePort,
  type PortColumns,
  type PortRecord,
} from './store.ts';

type PortPatch = { [k in keyof contract.PortDraft]?: contract.PortDraft[k] | undefined };

/**
 * Creates a draft request, which may be incomplete and is kept until it is submitted or canceled.
 * Throws port.mixed_types and port.open.
 */
export async function createPort(
  ctx: Ctx,
  body: Body<typeof contract.createPort>,
): Promise<Answer<typeof contract.createPort>> {
  const checked = await checkNumbers(ctx, body.numbers);
  return ctx.transaction(async (t) => {
    const first = firstOf(checked);
    const id = await insertPort(t.tx, t.companyId, {
      number_type: first.type,
      service: body.service ?? 1,
      created_by: t.actor.userId || null,
      created_by_name: t.actor.name,
      at: t.now,
    });
    await writeDraft(
      t,
      mustBe(await readPort(t.tx, t.companyId, id, true), 'the port stored above'),
      { losing_carrier: first.losing_carrier ?? '', ...body },
      checked,
    );
    await audit(t, 'port.created', `port:${id}`, {
      after: { numbers: checked.map((n) => n.number) },
    });
    await recordPortEvent(t, id, 'change', 'The request was created.');
    return { data: await presentPort(t, id) };
  });
}

/**
 * Updates a draft or a rejected request. Fields left out keep their values. Throws port.not_now
 * unless it is editable.
 */
export async function savePort(
  ctx: Ctx,
  id: number,
  body: PortPatch,
): Promise<Answer<typeof contract.savePort>> {
  const before = await ctx.transaction(async (t) => {
    const row = (await readPort(t.tx, t.companyId, id)) ?? notFound();
    if (!contract.isPortEditable(row.status))
      fail('port.not_now', { status: statusLabels[row.status] });
    return await numbersOf(t.tx, t.companyId, id);
  });
  const numbers = before.map((n) => n.number);
  const changed =
    body.numbers !== undefined && JSON.stringify(body.numbers) !== JSON.stringify(numbers);
  // Unportable numbers are checked again: the losing carrier may have released them.
  const checked =
    body.numbers && (changed || before.some((n) => n.portable === false))
      ? await checkNumbers(ctx, body.numbers)
      : null;
  return ctx.transaction(async (t) => {
    const row = (await readPort(t.tx, t.companyId, id, true)) ?? notFound();
    if (!contract.isPortEditable(row.status))
      fail('port.not_now', { status: statusLabels[row.status] });
    await writeDraft(t, row, body, checked);
    // The audit log names the changed fields; never the PIN, and the account number only as masked
    // for everyone.
    const after = mustBe(await readPort(t.tx, t.companyId, id), 'the changed port');
    const [was, is] = [auditedFacts(row), auditedFacts(after)];
    const facts = Object.keys(is).filter(
      (key) => JSON.stringify(was[key]) !== JSON.stringify(is[key]),
    );
    const pickFacts = (from: Record<string, unknown>) =>
      Object.fromEntries(facts.filter((key) => key !== 'pin').map((key) => [key, from[key]]));
    if (changed) facts.push('numbers');
    if (facts.length)
      await audit(t, 'port.changed', `port:${id}`, {
        before: { ...pickFacts(was), ...(changed ? { numbers } : {}) },
        after: {
          ...pickFacts(is),
          ...(changed && checked ? { numbers: checked.map((n) => n.number) } : {}),
          changed: facts,
        },
      });
    return { data: await presentPort(t, id) };
  });
}
/** Status as used in the sentence "while the request is …". */
export const statusLabels: Readonly<Record<contract.PortStatus, string>> = {
  pending: 'a draft',
  documentsRequested: 'waiting for documents',
  submitted: 'at the carrier',
  inProgress: 'at the carrier',
  firmOrderScheduled: 'scheduled',
  completed: 'completed',
  rejected: 'rejected',
  canceled: 'canceled',
};

async function writeDraft(
  t: TxCtx,
  row: PortRecord,
  draft: PortPatch,
  checked: readonly PortabilityResult[] | null,
): Promise<void> {
  if (checked) {
    if (areTypesMixed(checked.map((n) => n.number))) fail('port.mixed_types');
    const conflicting = await replaceNumbers(t.tx, t.companyId, row.id, checked);
    if (conflicting) fail('port.open', { number: formatPhone(conflicting) });
  }
  await requireReferences(t, draft);
  await updatePort(t.tx, t.companyId, row.id, {
    ...draftColumns(t, row, draft),
    ...(checked ? { number_type: firstOf(checked).type } : {}),
    updated_at: t.now,
  });
  const after = mustBe(await readPort(t.tx, t.companyId, row.id), 'the changed port');
  if (await isSignatureOutdated(t, after)) await voidSignature(t, row.id);
  else
    await t.publish(contract.portChanged, {
      companyId: t.companyId,
      portId: row.id,
      what: 'details',
    });
}

/** Throws errors by field unless the temporary number is active and the template exists. */
async function requireReferences(t: TxCtx, draft: PortPatch): Promise<void> {
  const errors: Record<string, string> = {};
  const temporaryNumber = draft.temporary_forward_number_id
    ? await numberRecord(t.tx, t.companyId, draft.temporary_forward_number_id)
    : undefined;
  if (draft.temporary_forward_number_id && temporaryNumber?.status !== 'active')
    errors['temporary_forward_number_id'] = 'Choose one of your active numbers.';
  if (draft.template_id && !(await templateExists(t.tx, t.companyId, draft.template_id)))
    errors['template_id'] = 'This template doesn’t exist.';
  if (Object.keys(errors).length) invalid(errors);
}

/** The columns a draft changes; the PIN is encrypted, and the address is merged field by field. */
function draftColumns(t: TxCtx, row: PortRecord, draft: PortPatch): PortColumns {
  const { numbers: _, pin, service_address, ...plain } = draft;
  const columns = Object.fromEntries(
    Object.entries(plain).filter(([key, value]) => value !== undefined && editableColumns.has(key)),
  ) as PortColumns;
  if (pin !== undefined) columns.pin_sealed = pin ? seal(t.settings.appSecrets, pin) : null;
  if (service_address)
    columns.service_address = JSON.stringify({
      ...row.service_address,
      ...Object.fromEntries(Object.entries(service_address).filter(([, v]) => v !== undefined)),
    });
  return columns;
}

/** Whether the letter was sent or signed with a text that differs from its current one. */
async function isSignatureOutdated(t: TxCtx, row: PortRecord): Promise<boolean> {
  if (row.loa_state === 'unsigned') return false;
  const numbers = await numbersOf(t.tx, t.companyId, row.id);
  return row.loa_hash !== hashOfLetter(letterOf(row, numbers, await companyName(t)));
}

async function voidSignature(t: TxCtx, portId: number): Promise<void> {
  await updatePort(t.tx, t.companyId, portId, {
    loa_state: 'unsigned',
    loa_signed_at: null,
    loa_signed_by: null,
    loa_hash: null,
    loa_file_id: null,
    loa_signature: null,
  });
  await recordPortEvent(
    t,
    portId,
    'letter',
    'The content of the letter of authorization has changed, so it must be signed again.',
  );
}

const auditedFacts = (row: PortRecord): Record<string, unknown> => ({
  ...Object.fromEntries([...editableColumns].map((key) => [key, row[key as keyof PortRecord]])),
  account_number: maskTail(row.account_number),
  service_address: row.service_address,
  pin: row.pin_sealed,
});
const editableColumns = new Set([
  'service',
  'losing_carrier',
  'account_number',
  'billing_telephone_number',
  'customer_type',
  'entity_name',
  'authorized_first_name',
  'authorized_last_name',
  'authorized_email',
  'authorized_phone',
  'requested_date',
  'partial',
  'template_id',
  'temporary_forward_number_id',
]);
/** The company's name, as the default for the customer of record; empty when it is gone. */
export const companyName = async (t: TxCtx): Promise<string> =>
  (await companyRow(t.tx, t.companyId))?.name ?? '';
