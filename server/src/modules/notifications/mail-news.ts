import { DateTime } from 'luxon';
import type { NewsKind } from '#contract/notification-rules';
import { mailEverySeconds } from '#contract/notifications';
import { formatPhone } from '#contract/phone';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { queueMail } from '../../platform/mail.ts';
import { quietUntil, wants } from './quiet.ts';
import { unsubscribeToken } from './settings.ts';
import {
  addLine,
  conversationInShort,
  readersOf,
  settingsOf,
  stillUnread,
  takeDigest,
  type Line,
  type Reader,
} from './store-settings.ts';

/** Note down for each of these people what a mail about the conversation will say; the first line starts the five minutes. */
export async function noteForMail(
  ctx: TxCtx,
  people: readonly Reader[],
  about: {
    kind: NewsKind;
    numberId: number | null;
    conversationId: number;
    line: Omit<Line, 'kind'>;
  },
): Promise<void> {
  const settings = await settingsOf(
    ctx.tx,
    ctx.companyId,
    people.map((p) => p.user_id),
  );
  for (const person of people) {
    const wishes = settings.get(person.user_id);
    if (!wants(wishes, about.kind, 'email', about.numberId)) continue;
    const soon = new Date(ctx.now.getTime() + mailEverySeconds * 1000);
    const quiet = quietUntil(
      wishes,
      wishes?.timezone ?? person.timezone ?? person.company_timezone,
      soon,
    );
    const dueAt = quiet ?? soon;
    const { conversationId } = about;
    if (
      await addLine(ctx.tx, {
        companyId: ctx.companyId,
        userId: person.user_id,
        conversationId,
        line: { ...about.line, kind: about.kind },
        dueAt,
        at: ctx.now,
      })
    )
      await ctx.enqueue(
        'notifications.mailDigest',
        { userId: person.user_id, conversationId },
        {
          key: `digest:${ctx.companyId}:${person.user_id}:${conversationId}`,
          runAt: dueAt,
          attempts: 8,
        },
      );
  }
}

/** Its time has come: one mail for the conversation, about what is still unread. Taken and handed on in one transaction, so that it goes once. */
export async function mailDigest(
  ctx: Ctx,
  job: { userId: number; conversationId: number },
): Promise<void> {
  await ctx.transaction(async (t) => {
    const digest = await takeDigest(t.tx, t.companyId, job.userId, job.conversationId);
    const about = digest && (await conversationInShort(t.tx, t.companyId, job.conversationId));
    const [person] = await readersOf(t.db.directory, t.companyId, [job.userId]);
    if (!digest || !about || !person) return;
    const unread = await stillUnread(
      t.tx,
      t.companyId,
      digest.lines.flatMap((line) => line.itemId ?? []),
    );
    const lines = digest.lines.filter((line) => line.itemId === null || unread.has(line.itemId));
    if (!lines.length) return;
    const mail = mailOf(lines, {
      who:
        about.contact ||
        (about.party.startsWith('+') ? formatPhone(about.party) : 'a withheld number'),
      ours: about.label || formatPhone(about.number),
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

const one: Record<string, [single: string, many: string]> = {
  message: ['New text from', 'new texts from'],
  missed: ['Missed call from', 'missed calls from'],
  voicemail: ['New voicemail from', 'new voicemails from'],
  fax: ['New fax from', 'new faxes from'],
};
interface About {
  who: string;
  ours: string;
  person: Reader;
  publicUrl: string;
  path: string;
  token: string;
}
/** A mail that can be read at a glance: what, from whom, when, and one link. */
export function mailOf(
  lines: readonly Line[],
  about: About,
): { subject: string; text: string; html: string; unsubscribe: string } {
  const zone = about.person.timezone ?? about.person.company_timezone;
  const time = (line: Line) =>
    DateTime.fromISO(line.at, { zone }).setLocale('en-US').toFormat('ccc h:mm a');
  // Who is asked by name is told of that first, whichever was noted before.
  const of = (kind: string) => lines.find((line) => line.kind === kind);
  const first = of('mention') ?? of('assigned') ?? lines[0]!;
  const kinds = new Set(lines.map((line) => line.kind));
  const subject =
    first.kind === 'mention'
      ? `${first.who} mentioned you: ${about.who}`
      : first.kind === 'assigned'
        ? `${first.who} gave you the conversation with ${about.who}`
        : kinds.size > 1
          ? `${lines.length} things from ${about.who}`
          : lines.length === 1
            ? `${one[first.kind]![0]} ${about.who}`
            : `${lines.length} ${one[first.kind]![1]} ${about.who}`;
  const say = (line: Line): string =>
    line.kind === 'mention'
      ? `${line.who} wrote: ${line.text}`
      : line.kind === 'assigned'
        ? `${line.who} gave you this conversation`
        : line.text;
  const link = new URL(about.path, about.publicUrl).href;
  const [settings, unsubscribe] = [
    new URL('/settings/notifications', about.publicUrl).href,
    new URL(`/unsubscribe/${about.token}`, about.publicUrl).href,
  ];
  const foot = `You get this because of your notifications at ${about.person.company}.`;
  const text = `${about.who} · ${about.ours}\n\n${lines.map((line) => `${time(line)}  ${say(line)}`).join('\n')}\n\nOpen the conversation: ${link}\n\n${foot}\nChange them: ${settings}\nNo more mails: ${unsubscribe}\n`;
  const html = `<div style="font:15px/1.5 system-ui,sans-serif;color:#1f2430;max-width:560px"><p style="margin:0 0 12px"><strong>${escaped(about.who)}</strong> <span style="color:#5b6270">· ${escaped(about.ours)}</span></p>
<table role="presentation" cellspacing="0" cellpadding="0" style="border-collapse:collapse">${lines.map((line) => `<tr><td style="padding:4px 12px 4px 0;color:#5b6270;white-space:nowrap;vertical-align:top">${time(line)}</td><td style="padding:4px 0">${escaped(say(line))}</td></tr>`).join('')}</table>
<p style="margin:16px 0"><a href="${link}" style="display:inline-block;padding:8px 14px;border-radius:8px;background:#0f766e;color:#fff;text-decoration:none">Open the conversation</a></p>
<p style="margin:0;font-size:12px;color:#5b6270">${escaped(foot)} <a href="${settings}" style="color:#5b6270">Change them</a> · <a href="${unsubscribe}" style="color:#5b6270">No more mails</a></p></div>`;
  return { subject, text, html, unsubscribe };
}
const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!);
