import { formatPhone, porting as contract } from '#contract';
import type { Ctx } from '../../platform/context.ts';
import { queueMail } from '../../platform/mail.ts';
import { escapeHtml } from '../../platform/html.ts';
import { personById } from '../identity/index.ts';
import { numbersOf, readPort } from './store.ts';
import { eventById } from './store-documents.ts';

// The system role: names and addresses of people, for IDs that the company’s own rows hold.

const subjects: Readonly<Record<contract.PortStatus, string>> = {
  pending: 'Your port request is a draft',
  submitted: 'Your port request was submitted',
  documentsRequested: 'Your port request needs documents',
  inProgress: 'Your port request is in progress',
  firmOrderScheduled: 'Your port is scheduled',
  completed: 'Your numbers have been ported',
  rejected: 'Your port request was rejected',
  canceled: 'Your port request was canceled',
};
/**
 * Mails the authorized person about the request's status; an alarm also goes to the request's
 * creator.
 */
export async function mailPort(
  ctx: Ctx,
  { portId, eventId }: { portId: number; eventId: number },
): Promise<void> {
  const found = await ctx.transaction(async (t) => {
    const [row, event] = [
      await readPort(t.tx, t.companyId, portId),
      await eventById(t.tx, t.companyId, eventId),
    ];
    return row && event
      ? {
          row,
          event,
          numbers: (await numbersOf(t.tx, t.companyId, portId)).map((n) => formatPhone(n.number)),
        }
      : null;
  });
  if (!found || (!found.event.status && found.event.kind !== 'alarm')) return;
  const { row, event, numbers } = found;
  const isAlarm = event.kind === 'alarm';
  const creator =
    isAlarm && row.created_by !== null
      ? await personById(ctx.db.unscoped, row.created_by)
      : undefined;
  const numberList =
    numbers.length > 5
      ? `${numbers.slice(0, 5).join(', ')} and ${numbers.length - 5} more`
      : numbers.join(', ');
  const fix = event.status === 'rejected' && row.rejection ? [row.rejection.fix] : [];
  const subject = isAlarm
    ? 'Your port request needs attention'
    : subjects[event.status as contract.PortStatus];
  const link = `${ctx.settings.publicUrl}/numbers/ports?port=${row.id}`;
  const readers = new Map([
    [row.authorized_email, row.authorized_first_name],
    ...(creator ? [[creator.email, creator.first_name] as const] : []),
  ]);
  for (const [i, [to, name]] of [...readers].entries()) {
    if (!to) continue;
    const parts = [`Hello ${name},`, event.text, ...fix, `Numbers: ${numberList}`];
    await queueMail(ctx, {
      to,
      subject,
      text: [...parts, link].join('\n\n'),
      key: `port-${ctx.companyId}-${eventId}${i ? `-${i}` : ''}`,
      html: [
        ...parts.map((p) => `<p>${escapeHtml(p)}</p>`),
        `<p><a href="${link}">Open the request</a></p>`,
      ].join(''),
    });
  }
}
