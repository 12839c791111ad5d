import { DateTime } from 'luxon';
import type { NotificationKind } from '#contract/notifications/rules';
import { mailEverySeconds } from '#contract/notifications/rules';
import { formatPhone } from '#contract/phone';
import { partyName } from '#contract/party';
import { accessTo, grantIn } from '../../platform/access.ts';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { queueMail } from '../../platform/mail.ts';
import { escapeHtml } from '../../platform/html.ts';
import { firstOf, mustBe } from '../../platform/must-be.ts';
import { personNow } from '../companies/index.ts';
import { mailFoot } from './mail-foot.ts';
import { laterOf, pausedPeople } from './pauses.ts';
import { quietUntil, wantsNotification } from './preferences.ts';
import { unsubscribeToken } from './settings.ts';
import {
  addDigestLine,
  conversationSummary,
  readersOf,
  settingsOfUsers,
  unreadItems,
  deleteDigest,
  type DigestLine,
  type Reader,
} from './store-settings.ts';
import { mailDigestJob } from './job-kinds.ts';

// The system role: names and addresses of people, for IDs that the company’s own rows hold.

/** Whether a person gets into the company's inbox now. */
async function seesInbox(ctx: Ctx, personId: number): Promise<boolean> {
  const person = await personNow(ctx.db, personId);
  return person !== null && grantIn(accessTo(person, ctx.companyId), 'inbox.view') !== 'none';
}

/**
 * Adds a line to each reader's next email about the conversation; the first line schedules it in
 * five minutes.
 */
export async function addToMailDigest(
  ctx: TxCtx,
  readers: readonly Reader[],
  item: {
    kind: NotificationKind;
    numberId: number | null;
    conversationId: number;
    line: Omit<DigestLine, 'kind'>;
  },
): Promise<void> {
  const settings = await settingsOfUsers(
    ctx.tx,
    ctx.companyId,
    readers.map((p) => p.user_id),
  );
  const paused = await pausedPeople(ctx);
  for (const person of readers) {
    const preferences = settings.get(person.user_id);
    if (!wantsNotification(preferences, item.kind, 'email', item.numberId)) continue;
    const earliest = new Date(ctx.now.getTime() + mailEverySeconds * 1000);
    const quietEnd = quietUntil(
      preferences,
      preferences?.timezone ?? person.timezone ?? person.company_timezone,
      earliest,
    );
    const dueAt =
      laterOf(laterOf(quietEnd, paused.get(person.user_id) ?? null), earliest) ?? earliest;
    const { conversationId } = item;
    if (
      await addDigestLine(ctx.tx, {
        companyId: ctx.companyId,
        userId: person.user_id,
        conversationId,
        line: { ...item.line, kind: item.kind },
        dueAt,
        at: ctx.now,
      })
    )
      await ctx.enqueue(
        mailDigestJob,
        { userId: person.user_id, conversationId },
        {
          key: `digest:${ctx.companyId}:${person.user_id}:${conversationId}`,
          runAt: dueAt,
        },
      );
  }
}

/**
 * Job: mails what is still unread of a conversation. The digest is deleted in the same transaction,
 * so that it is sent once.
 */
export async function mailDigest(
  ctx: Ctx,
  job: { userId: number; conversationId: number },
): Promise<void> {
  await ctx.transaction(async (t) => {
    const digest = await deleteDigest(t.tx, t.companyId, job.userId, job.conversationId);
    const conversation =
      digest && (await conversationSummary(t.tx, t.companyId, job.conversationId));
    const [person] = await readersOf(t.db.unscoped, t.companyId, [job.userId]);
    if (!digest || !conversation || !person) return;
    // What they may see can have ended since the lines were written.
    if (!(await seesInbox(t, job.userId))) return;
    const unread = await unreadItems(
      t.tx,
      t.companyId,
      digest.lines.flatMap((line) => line.itemId ?? []),
    );
    const lines = digest.lines.filter((line) => line.itemId === null || unread.has(line.itemId));
    if (!lines.length) return;
    const mail = renderDigest(lines, {
      who: conversation.contact || partyName(conversation.party),
      ours: conversation.label || formatPhone(conversation.number),
      person,
      publicUrl: t.settings.publicUrl,
      path: `/inbox/${job.conversationId}`,
      token: unsubscribeToken(t.settings.appSecret, t.companyId, job.userId),
    });
    await queueMail(
      t,
      {
        to: person.email,
        ...mail,
        key: `news:${t.companyId}:${job.userId}:${job.conversationId}:${digest.created_at.getTime()}`,
      },
      t.tx,
    );
  });
}

const subjectLabels: Record<string, [single: string, many: string]> = {
  message: ['New text from', 'new texts from'],
  missed: ['Missed call from', 'missed calls from'],
  voicemail: ['New voicemail from', 'new voicemails from'],
  fax: ['New fax from', 'new faxes from'],
};
const labelsOf = ({ kind }: DigestLine) => mustBe(subjectLabels[kind], `subject of ${kind}`);
interface DigestContext {
  who: string;
  ours: string;
  person: Reader;
  publicUrl: string;
  path: string;
  token: string;
}
/** The email of a digest: what happened, when, and one link. */
export function renderDigest(
  lines: readonly DigestLine[],
  context: DigestContext,
): { subject: string; text: string; html: string; unsubscribe: string } {
  const zone = context.person.timezone ?? context.person.company_timezone;
  const time = (line: DigestLine) =>
    DateTime.fromISO(line.at, { zone }).setLocale('en-US').toFormat('ccc h:mm a');
  // Mentions and assignments come first in the subject.
  const lineOfKind = (kind: string) => lines.find((line) => line.kind === kind);
  const first = lineOfKind('mention') ?? lineOfKind('assigned') ?? firstOf(lines);
  const kinds = new Set(lines.map((line) => line.kind));
  const subject =
    first.kind === 'mention'
      ? `${first.who} mentioned you: ${context.who}`
      : first.kind === 'assigned'
        ? `${first.who} assigned ${first.text || 'you'} the conversation with ${context.who}`
        : kinds.size > 1
          ? `${lines.length} updates from ${context.who}`
          : lines.length === 1
            ? `${labelsOf(first)[0]} ${context.who}`
            : `${lines.length} ${labelsOf(first)[1]} ${context.who}`;
  const describeLine = (line: DigestLine): string =>
    line.kind === 'mention'
      ? `${line.who} wrote: ${line.text}`
      : line.kind === 'assigned'
        ? `${line.who} assigned ${line.text || 'you'} this conversation`
        : line.text;
  const link = new URL(context.path, context.publicUrl).href;
  const foot = mailFoot({ ...context, company: context.person.company });
  const text = `${context.who} · ${context.ours}\n\n${lines.map((line) => `${time(line)}  ${describeLine(line)}`).join('\n')}\n\nOpen the conversation: ${link}\n\n${foot.text}`;
  const html = `<div style="font:15px/1.5 system-ui,sans-serif;color:#1f2430;max-width:560px"><p style="margin:0 0 12px"><strong>${escapeHtml(context.who)}</strong> <span style="color:#5b6270">· ${escapeHtml(context.ours)}</span></p>
<table role="presentation" cellspacing="0" cellpadding="0" style="border-collapse:collapse">${lines.map((line) => `<tr><td style="padding:4px 12px 4px 0;color:#5b6270;white-space:nowrap;vertical-align:top">${time(line)}</td><td style="padding:4px 0">${escapeHtml(describeLine(line))}</td></tr>`).join('')}</table>
<p style="margin:16px 0"><a href="${link}" style="display:inline-block;padding:8px 14px;border-radius:8px;background:#0f766e;color:#fff;text-decoration:none">Open the conversation</a></p>
${foot.html}</div>`;
  return { subject, text, html, unsubscribe: foot.unsubscribe };
}
