import { porting as contract, type Answer, type Body } from '#contract';
import { audit } from '../../platform/audit.ts';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { queueMail } from '../../platform/mail.ts';
import { invalid, notFound, fail } from '../../platform/errors.ts';
import { escapeHtml } from '../../platform/html.ts';
import type { renderLetter } from './render-letter.ts';
import { runInThread } from '../../platform/worker-thread.ts';
import {
  hashOfLetter,
  isSameName,
  letterOf,
  signedInAs,
  textOfLetter,
  type Letter,
} from './letter.ts';
import { recordPortEvent } from './set-port-status.ts';
import { missingFields, presentPort, todayOf } from './present.ts';
import { detectDocumentType } from './rules.ts';
import { companyName, statusLabels } from './save-port.ts';
import { numbersOf, readPort, updatePort, type PortRecord } from './store.ts';
import { documentsOf } from './store-documents.ts';
import { mailLetterJob } from './job-kinds.ts';

/**
 * The letter in its current text, and the state of its signature. `not_found` when the request
 * doesn't exist.
 */
export async function portLetter(
  ctx: TxCtx,
  id: number,
): Promise<Answer<typeof contract.portLetter>> {
  const row = (await readPort(ctx.tx, ctx.companyId, id)) ?? notFound();
  const letter = await currentLetter(ctx, row);
  const mayEdit = ctx.may('ports.edit') !== 'none';
  return {
    data: {
      ...letter,
      facts: letter.facts.map(([name, value]): [string, string] => [
        name,
        name === 'Account number' && !mayEdit ? '••••' : value,
      ]),
      hash: hashOfLetter(letter),
      state: row.loa_state,
      signed_at: row.loa_signed_at?.toISOString() ?? null,
      signed_by: row.loa_signed_by,
      signed_in_as: signedInAs(row),
      valid_until: row.loa_signed_at
        ? new Date(row.loa_signed_at.getTime() + contract.loaDays * 86_400_000).toISOString()
        : null,
      file:
        row.loa_file_id === null || !mayEdit
          ? null
          : ctx.files.signUrl(ctx.companyId, row.loa_file_id, ctx.now),
    },
  };
}
const currentLetter = async (ctx: TxCtx, row: PortRecord): Promise<Letter> =>
  letterOf(row, await numbersOf(ctx.tx, ctx.companyId, row.id), await companyName(ctx));

/** Throws errors by field if the request still lacks something the letter must contain. */
async function requireCompleteLetter(ctx: TxCtx, row: PortRecord): Promise<void> {
  const needs = missingFields(
    row,
    await numbersOf(ctx.tx, ctx.companyId, row.id),
    await documentsOf(ctx.tx, ctx.companyId, row.id),
    await todayOf(ctx),
    ctx.now,
  );
  delete needs['loa'];
  delete needs['documents'];
  if (row.status === 'documentsRequested') delete needs['requested_date'];
  if (Object.keys(needs).length) invalid(needs);
}

/**
 * Signs the letter. `body.hash` must match the current text, so that what was read is what is
 * signed. Name, drawing, time and IP address are stored with the text. Throws port.not_now and
 * port.letter_changed.
 */
export async function signPortLetter(
  ctx: TxCtx,
  id: number,
  body: Body<typeof contract.signPortLetter>,
  ip: string,
): Promise<Answer<typeof contract.signPortLetter>> {
  const row = (await readPort(ctx.tx, ctx.companyId, id, true)) ?? notFound();
  if (!contract.isPortEditable(row.status))
    fail('port.not_now', { status: statusLabels[row.status] });
  await requireCompleteLetter(ctx, row);
  const person = `${row.authorized_first_name} ${row.authorized_last_name}`.trim();
  if (!isSameName(body.name, person))
    invalid({ name: `Sign as ${person}, the authorized person named in this letter.` });
  const letter = await currentLetter(ctx, row);
  const hash = hashOfLetter(letter);
  if (hash !== body.hash) fail('port.letter_changed');
  const drawing = drawingOf(body);
  const by = { name: ctx.actor.name, email: ctx.actor.email };
  const pdf = await pdfOfLetter({
    letter,
    signature: { name: body.name, drawing, at: ctx.now, ip, hash, by },
    at: ctx.now,
  }).catch(() => invalid({ drawing: 'Draw again.' }));
  const fileId = await saveSignedLetter(ctx, id, pdf);
  await updatePort(ctx.tx, ctx.companyId, id, {
    loa_state: 'signed',
    loa_signed_at: ctx.now,
    loa_signed_by: body.name,
    loa_hash: hash,
    loa_text: textOfLetter(letter),
    loa_file_id: fileId,
    updated_at: ctx.now,
    loa_signature: JSON.stringify({
      name: body.name,
      how: drawing ? 'drawn' : 'typed',
      drawing: body.drawing ?? null,
      ip,
      at: ctx.now.toISOString(),
      hash,
      userId: ctx.actor.userId,
      by,
    }),
  });
  await audit(ctx, 'port.letter_signed', `port:${id}`, {
    after: { name: body.name, how: drawing ? 'drawn' : 'typed', ip, hash, by },
  });
  await recordPortEvent(
    ctx,
    id,
    'letter',
    isSameName(by.name, body.name)
      ? `${body.name} signed the letter of authorization.`
      : `${body.name} signed the letter of authorization, signed in as ${by.name}.`,
  );
  return { data: await presentPort(ctx, id) };
}

/** Outside the event loop: fitting text to lines takes its time, and a drawing comes from outside. */
const pdfOfLetter = async (input: Parameters<typeof renderLetter>[0]): Promise<Buffer> =>
  Buffer.from(await runInThread<Uint8Array>('renderLetter', input, 30));

/** PNG bytes of a drawn signature, null if it was typed; throws unless the drawing is a PNG. */
function drawingOf(body: Body<typeof contract.signPortLetter>): Buffer | null {
  if (!body.drawing) return null;
  const drawing = Buffer.from(body.drawing.slice(body.drawing.indexOf(',') + 1), 'base64');
  if (detectDocumentType(drawing) !== 'image/png') invalid({ drawing: 'Draw again.' });
  return drawing;
}

async function saveSignedLetter(ctx: TxCtx, id: number, pdf: Buffer): Promise<number> {
  const file = await ctx.files.save(
    ctx.tx,
    ctx.companyId,
    {
      name: `letter-of-authorization-${id}.pdf`,
      contentType: 'application/pdf',
      bytes: pdf,
      purpose: 'port-letter',
    },
    ctx.now,
  );
  return file.id;
}

/**
 * Sends the letter to the authorized person to sign on paper. A job sends the mail.
 * `mail.not_set_up` on servers without mail; `port.not_now` after submission.
 */
export async function sendPortLetter(
  ctx: TxCtx,
  id: number,
): Promise<Answer<typeof contract.sendPortLetter>> {
  if (!ctx.settings.canMail) fail('mail.not_set_up');
  const row = (await readPort(ctx.tx, ctx.companyId, id, true)) ?? notFound();
  if (!contract.isPortEditable(row.status))
    fail('port.not_now', { status: statusLabels[row.status] });
  await requireCompleteLetter(ctx, row);
  const letter = await currentLetter(ctx, row);
  await updatePort(ctx.tx, ctx.companyId, id, {
    loa_state: 'sent',
    loa_signed_at: null,
    loa_signed_by: null,
    loa_file_id: null,
    loa_hash: hashOfLetter(letter),
    loa_text: textOfLetter(letter),
    updated_at: ctx.now,
  });
  await ctx.enqueue(mailLetterJob, {
    portId: id,
    hash: hashOfLetter(letter),
    at: ctx.now.getTime(),
  });
  await recordPortEvent(
    ctx,
    id,
    'letter',
    `The letter of authorization was sent to ${row.authorized_email}.`,
  );
  return { data: await presentPort(ctx, id) };
}

/** Mails the letter (a job), unless it was signed or its text changed since it was queued. */
export async function mailLetter(
  ctx: Ctx,
  { portId, hash, at }: { portId: number; hash: string; at: number },
): Promise<void> {
  const found = await ctx.transaction(async (t) => {
    const row = await readPort(t.tx, t.companyId, portId);
    return row && { row, letter: await currentLetter(t, row), company: await companyName(t) };
  });
  if (!found || found.row.loa_state !== 'sent' || hashOfLetter(found.letter) !== hash) return;
  const text = `Hello ${found.row.authorized_first_name},\n\n${found.company} wants to port phone numbers from your account. Please print the attached letter, sign it, and send a scan to the person who asked you.\n\nIf you didn’t expect this, don’t sign it.`;
  await queueMail(ctx, {
    to: found.row.authorized_email,
    subject: 'Please sign: letter of authorization',
    text,
    html: text
      .split('\n\n')
      .map((p) => `<p>${escapeHtml(p)}</p>`)
      .join(''),
    key: `port-letter-${ctx.companyId}-${portId}-${at}`,
    attachments: [
      {
        name: 'letter-of-authorization.pdf',
        contentType: 'application/pdf',
        bytes: await pdfOfLetter({ letter: found.letter, signature: null, at: ctx.now }),
      },
    ],
  });
}
