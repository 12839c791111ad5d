import type { Answer, Body, caddy as contract } from '#contract';
import { supportFileBytes } from '#contract/caddy/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { fail, notFound } from '../../../platform/errors.ts';
import { findFile } from '../../../platform/files.ts';
import type { Http } from '../../../platform/routes.ts';
import { findCall } from '../../calls/index.ts';
import { openTicket } from '../../settings/index.ts';
import { accountRow } from '../store.ts';

/** Stores a file for a report. @throws ApiError `caddy.file_missing`, `support.file_large` */
export async function uploadSupportFile(
  t: TxCtx,
  { files }: Http,
): Promise<Answer<typeof contract.uploadCaddySupportFile>> {
  const file = files[0] ?? fail('caddy.file_missing');
  if (file.size > supportFileBytes) fail('support.file_large', { name: file.name.slice(0, 80) });
  const { name, contentType } = file;
  const content = { name, contentType, bytes: await file.bytes(), purpose: 'support' };
  const { id } = await t.files.save(t.tx, t.companyId, content, t.now);
  return { data: { id, url: t.files.signUrl(t.companyId, id, t.now) } };
}

/**
 * Opens a ticket for support with what the app knows.
 * @throws ApiError `not_found` for a file or call that isn't the account's
 */
export async function reportProblem(
  t: TxCtx,
  body: Body<typeof contract.reportCaddyCustomer>,
): Promise<Answer<typeof contract.reportCaddyCustomer>> {
  const account = (await accountRow(t.tx, t.companyId)) ?? notFound();
  const files = [];
  for (const id of new Set(body.fileIds)) {
    const file = await findFile(t.tx, t.companyId, id);
    files.push(file?.purpose === 'support' ? file : notFound());
  }
  if (body.callId !== undefined && !(await findCall(t, body.callId))) notFound();
  const about = [
    `Category: ${body.category}`,
    ...(body.callId === undefined ? [] : [`Call: ${body.callId}`]),
    `App: ${body.appVersion}`,
    ...(body.device ? [`Device: ${JSON.stringify(body.device)}`] : []),
  ];
  const { reference } = await openTicket(t, {
    message: `${body.message}\n\n${about.join('\n')}`,
    from: { name: t.actor.name, email: account.email },
    files: files.map(({ id, name, content_type: contentType }) => ({ id, name, contentType })),
  });
  return { data: { reference } };
}
