import { sql, type NotNull } from 'kysely';
import { z } from 'zod';
import { UndeliverableError, type Mail } from '../gateways/mail.ts';
import type { Ctx } from './context.ts';
import type { Db, Tx } from './db.ts';
import { findFile } from './files.ts';
import { jobKind } from './job-kind.ts';
import { runJob } from './jobs.ts';
import { inBrand } from './mail-brand.ts';
import { seal, unseal, type KeyRing } from './secrets.ts';

/** An attachment is stored with the mail, or is a company's file as it is when the mail is sent. */
type QueuedAttachment = { name: string; contentType: string } & (
  | { bytes: Buffer }
  | { companyId: number; fileId: number }
);
interface Attempt {
  number: number;
  last: boolean;
}
interface QueuedMail extends Omit<Mail, 'attachments' | 'from'> {
  attachments?: readonly QueuedAttachment[];
  /** Not sent after this time, for example because its code has expired. */
  expiresAt?: Date;
  /** A person is waiting for it, so it is not queued behind notifications. */
  urgent?: boolean;
}

const sealedMail = z.object({
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  unsubscribe: z.string().optional(),
  oneClick: z.boolean().optional(),
  /** Once it was sent: whom it says it is from; undefined: the installation. */
  fromName: z.string().optional(),
  /** The company it is sent for, whose organization may have a sender of its own. */
  companyId: z.number().optional(),
  attachments: z.array(
    z.object({
      name: z.string(),
      contentType: z.string(),
      base64: z.string().optional(),
      companyId: z.number().optional(),
      fileId: z.number().optional(),
    }),
  ),
});

/**
 * Queues a mail, in the transaction `tx` if given: a job sends it after commit and retries for
 * about sixteen hours. The same `key` queues only one mail. Where this server cannot send mail
 * (`settings.canMail`) nothing is stored; an action that a person waits for fails with
 * `mail.not_set_up` itself.
 */
export async function queueMail(
  ctx: Pick<Ctx, 'db' | 'settings' | 'now'> & Partial<Pick<Ctx, 'companyId' | 'contactDetails'>>,
  mail: QueuedMail,
  tx: Tx = ctx.db.unscoped,
): Promise<void> {
  if (!ctx.settings.canMail) return;
  const { to, key, expiresAt, urgent: awaited, unsubscribe, oneClick } = mail;
  const { subject, text, html } = await withoutHiddenDetails(ctx, mail);
  const attachments = (mail.attachments ?? []).map((a) => ({
    name: a.name,
    contentType: a.contentType,
    ...('bytes' in a
      ? { base64: a.bytes.toString('base64') }
      : { companyId: a.companyId, fileId: a.fileId }),
  }));
  const { companyId } = ctx;
  const content: z.input<typeof sealedMail> = {
    ...{ subject, text, html, unsubscribe, oneClick, attachments },
    ...(companyId && { companyId }),
  };
  const sealed = seal(ctx.settings.appSecrets, JSON.stringify(content));
  const { name: job, policy } = awaited ? sendUrgentJob : sendJob;
  await sql`select queue_mail(${to}, ${sealed}, ${key ?? null}, ${expiresAt ?? null}, ${ctx.now},
    ${job}, ${policy.retries + 1})`.execute(tx);
}

/** The words of a mail about a company, without contact details that its reader may not see. */
async function withoutHiddenDetails(
  {
    db,
    companyId,
    contactDetails,
  }: Pick<Ctx, 'db'> & Partial<Pick<Ctx, 'companyId' | 'contactDetails'>>,
  { to, subject, text, html }: QueuedMail,
) {
  const words = { subject, text, html };
  return companyId && contactDetails ? contactDetails.forPerson(db, companyId, to, words) : words;
}

/**
 * Sends a queued mail. Mail jobs run one after another (awaited ones in a lane of their own), so
 * that a slow mail server occupies at most two of the worker's slots. What cannot be delivered
 * stays in `mail_outbox` with its reason.
 */
async function sendMail(ctx: Ctx, { mailId }: { mailId: number }, attempt: Attempt): Promise<void> {
  const db = ctx.db.unscoped;
  const row = await db
    .selectFrom('mail_outbox')
    .selectAll()
    .where('id', '=', mailId)
    .executeTakeFirst();
  if (!row?.sealed || row.sent_at || row.failed_at) return;
  const updateRow = (facts: {
    sent_at?: Date;
    failed_at?: Date;
    error?: string | null;
    sealed?: string | null;
  }) => {
    const values = { attempts: attempt.number, ...facts };
    return db.updateTable('mail_outbox').set(values).where('id', '=', mailId).execute();
  };
  const giveUp = async (error: string) => {
    await updateRow({ failed_at: ctx.now, error, sealed: null });
    ctx.log.error({ mailId, reason: error }, 'an email could not be delivered');
  };
  if (row.expires_at && row.expires_at <= ctx.now) {
    return giveUp(`It expired before the mail server accepted it. ${row.error ?? ''}`.trim());
  }
  let mail: Mail;
  try {
    mail = await buildMail(ctx, row.to_address, row.key, row.sealed);
    await ctx.gateways.mail.send(mail);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (attempt.last || error instanceof UndeliverableError) return giveUp(reason);
    await updateRow({ error: reason });
    throw error;
  }
  // The development outbox still shows it; elsewhere it is no longer needed.
  const sealed =
    ctx.gateways.mail.name === 'outbox' ? asSent(ctx.settings.appSecrets, row.sealed, mail) : null;
  await updateRow({ sent_at: ctx.now, error: null, sealed });
}

/** The content of a mail that was sent, as its recipient has it. */
function asSent(secrets: KeyRing, sealed: string, { text, html, from }: Mail): string {
  const queued = sealedMail.parse(JSON.parse(unseal(secrets, sealed)));
  const sent = { ...queued, text, html, ...(from && { fromName: from.name }) };
  return seal(secrets, JSON.stringify(sent));
}

async function buildMail(ctx: Ctx, to: string, key: string | null, sealed: string): Promise<Mail> {
  const { attachments, companyId, ...mail } = sealedMail.parse(
    JSON.parse(unseal(ctx.settings.appSecrets, sealed)),
  );
  const bytesOf = async (a: (typeof attachments)[number]) => {
    if (!a.companyId || !a.fileId) return Buffer.from(a.base64 ?? '', 'base64');
    const file = await findFile(ctx.db.unscoped, a.companyId, a.fileId);
    return file && ctx.files.blobs.get(file.key);
  };
  const loaded = await Promise.all(
    attachments.map(async (a) => {
      const bytes = await bytesOf(a);
      // A file deleted meanwhile is left out of the mail.
      return bytes ? [{ name: a.name, contentType: a.contentType, bytes }] : [];
    }),
  );
  const whole = { ...mail, to, key: key ?? undefined, attachments: loaded.flat() };
  return inBrand(ctx, companyId ?? null, whole);
}

const mailPayload = z.object({ mailId: z.number() });
const mailPolicy = {
  queue: 'default',
  timeoutSeconds: 900,
  overlap: 'never',
  retries: 11,
} as const;
const sendJob = jobKind('mail.send', mailPayload, mailPolicy);
/** Awaited mail does not wait for other mail. */
const sendUrgentJob = jobKind('mail.sendUrgent', mailPayload, mailPolicy);
export const jobs = [runJob(sendJob, sendMail), runJob(sendUrgentJob, sendMail)];

interface OutboxMail {
  id: number;
  to: string;
  /** Null: not sent yet, or from the installation. */
  from: string | null;
  subject: string;
  text: string;
  html: string;
  /** Names of the attached files. */
  attached: string[];
  at: Date;
}
/** Forgets all mails to an address, whether or not they were sent. */
export const deleteMailsTo = (tx: Tx, address: string) =>
  tx.deleteFrom('mail_outbox').where('to_address', '=', address).execute();
/**
 * The last hundred mails that can still be read, newest first; for the development outbox and
 * tests.
 */
export async function listOutboxMails(
  db: Db,
  appSecrets: KeyRing,
  to?: string,
): Promise<OutboxMail[]> {
  let query = db.unscoped
    .selectFrom('mail_outbox')
    .selectAll()
    .where('sealed', 'is not', null)
    .$narrowType<{ sealed: NotNull }>()
    .orderBy('id', 'desc')
    .limit(100);
  if (to !== undefined) query = query.where('to_address', '=', to);
  return (await query.execute()).map((row) => {
    const { subject, text, html, fromName, attachments } = sealedMail.parse(
      JSON.parse(unseal(appSecrets, row.sealed)),
    );
    const from = fromName ?? null;
    const attached = attachments.map(({ name }) => name);
    return { id: row.id, to: row.to_address, from, subject, text, html, attached, at: row.at };
  });
}
