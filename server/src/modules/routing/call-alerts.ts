import { DateTime } from 'luxon';
import { calls, type EventData } from '#contract';
import { writeDate } from '#contract/date-style';
import { formatDuration } from '#contract/duration';
import { formatPhone } from '#contract/phone';
import { partyName } from '#contract/party';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { queueMail } from '../../platform/mail.ts';
import { escapeHtml } from '../../platform/html.ts';
import { companyRow, dateStyleOf, unmutedAddresses } from '../companies/index.ts';
import { readNumber } from '../numbers/index.ts';
import { sendCallAlertJob, type CallAlert } from './job-kinds.ts';

const outcomes: Record<number, string> = {
  0: 'Call',
  1: 'Answered call',
  2: 'Missed call',
  3: 'Voicemail',
  4: 'Blocked call',
};

/** A call ended on a route with email alerts (B §3): queues one mail job per address. */
export async function queueCallAlerts(
  ctx: TxCtx,
  ended: EventData<typeof calls.callEnded>,
): Promise<void> {
  if (ended.outbound || ended.alertEmails.length === 0) return;
  const number = await readNumber(ctx.tx, ctx.companyId, ended.numberId);
  const company = await companyRow(ctx.tx, ctx.companyId);
  if (number === undefined || company === undefined) return;
  const caller = partyName(ended.party);
  const called =
    number.label === ''
      ? formatPhone(number.number)
      : `${number.label}, ${formatPhone(number.number)}`;
  const outcome = outcomes[ended.outcome] ?? 'Call';
  const local = DateTime.fromISO(ended.startedAt, { zone: company.timezone });
  const written = (what: 'date' | 'time') =>
    writeDate(what, ended.startedAt, company.timezone, dateStyleOf(company.settings));
  const at = `${local.setLocale('en-US').toFormat('ccc')}, ${written('date')} at ${written('time')} ${local.toFormat('ZZZZ')}`;
  const lines = [
    `From: ${caller}`,
    `To: ${called}${ended.extensionLabel ? `, ${ended.extensionLabel}` : ''}`,
    `When: ${at}`,
    ...(ended.outcome === 1
      ? [
          `Talk time: ${formatDuration(ended.talkSeconds)}${ended.answeredBy ? ` with ${ended.answeredBy.label}` : ''}`,
        ]
      : [`Result: ${ended.because}`]),
  ];
  const event = ended.outcome === 3 ? 'voicemail' : ended.outcome === 2 ? 'missed' : 'call';
  for (const to of await unmutedAddresses(ctx, ended.numberId, event, ended.alertEmails))
    await ctx.enqueue(
      sendCallAlertJob,
      {
        companyId: ctx.companyId,
        callId: ended.callId,
        to,
        subject: `${outcome} from ${caller}`,
        lines,
      },
      { key: `mail-about-call:${ended.callId}:${to}` },
    );
}

/** Job: mails the alert. Safe to run twice, because the mail has a key. */
export async function sendCallAlert(
  ctx: Ctx,
  { callId, to, subject, lines }: CallAlert,
): Promise<void> {
  const link = new URL(`/calls/${callId}`, ctx.settings.publicUrl).href;
  await queueMail(ctx, {
    to,
    subject,
    text: `${lines.join('\n')}\n\n${link}\n`,
    html: `<p>${lines.map(escapeHtml).join('<br>')}</p><p><a href="${link}">Open the call</a></p>`,
    key: `call:${callId}:${to}`,
  });
}
