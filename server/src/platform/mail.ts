import { sql } from 'kysely';
import { z } from 'zod';
import { Undeliverable, type Mail } from '../ports/mail.ts';
import type { Ctx } from './context.ts';
import type { Db, Tx } from './db.ts';
import { fileRow } from './files.ts';
import { job } from './jobs.ts';
import { seal, unseal } from './secrets.ts';

/** An attachment stands in the mail itself, or is a company's file as it is when the mail leaves. */
type Attached = { name: string; contentType: string } & ({ bytes: Buffer } | { companyId: number; fileId: number });
export interface QueuedMail extends Omit<Mail, 'attachments'> {
  attachments?: readonly Attached[];
  /** Not worth sending after that: a code that no longer works. */
  expiresAt?: Date;
  /** Somebody sits and waits for it: it does not stand behind notifications. */
  awaited?: boolean;
}

const sealedMail = z.object({
  subject: z.string(), text: z.string(), html: z.string(), unsubscribe: z.string().optional(),
  attachments: z.array(z.object({ name: z.string(), contentType: z.string(), base64: z.string().optional(), companyId: z.number().optional(), fileId: z.number().optional() })),
});

/**
 * Queue a mail, in the transaction `tx` when there is one: a job sends it after commit and tries again for about sixteen hours. The
 * same `key` queues nothing twice. Where this server cannot send mail (`settings.canMail`) nothing is kept either; who answers
 * a person refuses with `mail.not_set_up` before.
 */
export async function queueMail(ctx: Pick<Ctx, 'db' | 'settings' | 'now'>, mail: QueuedMail, tx: Tx = ctx.db.directory): Promise<void> {
  if (!ctx.settings.canMail) return;
  const { to, key, expiresAt, awaited, subject, text, html, unsubscribe } = mail;
  const attachments = (mail.attachments ?? []).map((a) => ({ name: a.name, contentType: a.contentType, ...('bytes' in a ? { base64: a.bytes.toString('base64') } : { companyId: a.companyId, fileId: a.fileId }) }));
  const sealed = seal(ctx.settings.appSecret, JSON.stringify({ subject, text, html, unsubscribe, attachments } satisfies z.input<typeof sealedMail>));
  await sql`select queue_mail(${to}, ${sealed}, ${key ?? null}, ${expiresAt ?? null}, ${ctx.now}, ${awaited ? 'mail awaited' : 'mail'})`.execute(tx);
}

/**
 * Send a queued mail. Mail jobs run one after another (awaited ones in a lane of their own), so that a slow mail server holds
 * two of the worker's hands at most. What cannot be delivered stays in `mail_outbox` with its reason.
 */
async function sendMail(ctx: Ctx, { mailId }: { mailId: number }, attempt: { number: number; last: boolean }): Promise<void> {
  const row = await ctx.db.directory.selectFrom('mail_outbox').selectAll().where('id', '=', mailId).executeTakeFirst();
  if (!row?.sealed || row.sent_at || row.failed_at) return;
  const note = (facts: { sent_at?: Date; failed_at?: Date; error?: string | null; sealed?: null }) =>
    ctx.db.directory.updateTable('mail_outbox').set({ attempts: attempt.number, ...facts }).where('id', '=', mailId).execute();
  const giveUp = async (error: string) => {
    await note({ failed_at: ctx.now, error, sealed: null });
    ctx.log.error({ mailId, reason: error }, 'a mail could not be delivered');
  };
  if (row.expires_at && row.expires_at <= ctx.now) return giveUp(`It expired before the mail server took it. ${row.error ?? ''}`.trim());
  try {
    await ctx.ports.mail.send(await wholeMail(ctx, row.to_address, row.key, row.sealed));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (attempt.last || error instanceof Undeliverable) return giveUp(reason);
    await note({ error: reason });
    throw error;
  }
  await note({ sent_at: ctx.now, error: null, ...(ctx.ports.mail.name === 'outbox' ? {} : { sealed: null }) });
}

async function wholeMail(ctx: Ctx, to: string, key: string | null, sealed: string): Promise<Mail> {
  const { attachments, ...mail } = sealedMail.parse(JSON.parse(unseal(ctx.settings.appSecret, sealed)));
  const bytesOf = async (a: (typeof attachments)[number]) => {
    if (a.companyId === undefined || a.fileId === undefined) return Buffer.from(a.base64 ?? '', 'base64');
    const file = await fileRow(ctx.db.directory, a.companyId, a.fileId);
    return file && ctx.files.bytes.get(file.key);
  };
  const whole = await Promise.all(attachments.map(async (a) => ({ name: a.name, contentType: a.contentType, bytes: await bytesOf(a) })));
  // A file that was deleted meanwhile is missing from the mail, not the mail itself.
  return { ...mail, to, key: key ?? undefined, attachments: whole.flatMap((a) => (a.bytes ? [{ ...a, bytes: a.bytes }] : [])) };
}

export const jobs = [job('mail.send', z.object({ mailId: z.number() }), sendMail)];

/** The last hundred mails that are still there to be read, newest first: for the development outbox and tests. */
export async function readMails(db: Db, appSecret: Buffer, to?: string): Promise<{ id: number; to: string; subject: string; text: string; html: string; at: Date }[]> {
  const rows = await db.directory.selectFrom('mail_outbox').selectAll().where('sealed', 'is not', null).$if(to !== undefined, (q) => q.where('to_address', '=', to!)).orderBy('id', 'desc').limit(100).execute();
  return rows.map((row) => {
    const { subject, text, html } = sealedMail.parse(JSON.parse(unseal(appSecret, row.sealed!)));
    return { id: row.id, to: row.to_address, subject, text, html, at: row.at };
  });
}
