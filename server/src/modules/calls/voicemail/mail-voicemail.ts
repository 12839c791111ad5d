import type { EventData, calls } from '#contract';
import { writeDate } from '#contract/date-style';
import { formatDuration } from '#contract/duration';
import { formatPhone } from '#contract/phone';
import { companySettingsOf } from '#contract/settings/rules';
import { partyName } from '#contract/party';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { queueMail } from '../../../platform/mail.ts';
import { escapeHtml } from '../../../platform/html.ts';
import { companyRow, dateStyleOf, unmutedAddresses } from '../../companies/index.ts';
import { readNumber } from '../../numbers/index.ts';
import { fileOf } from '../recordings/store.ts';
import { voicemailForMail } from './store.ts';
import { mailVoicemailJob } from '../job-kinds.ts';

/** How long the mail waits for the transcription. */
const TRANSCRIPT_TIMEOUT_MS = 90_000;
/** The largest attachment that mail servers accept. */
const LARGEST_BYTES = 10 * 1024 * 1024;

/**
 * Schedules the voicemail mail (B §3) for when its transcription should be ready. The transcription
 * event moves it forward, also when it arrives first: `preserve_run_at` keeps the earlier time.
 */
export const scheduleVoicemailMail = (
  ctx: TxCtx,
  v: Pick<EventData<typeof calls.voicemailReceived>, 'voicemailId' | 'receivedAt'>,
): Promise<void> =>
  ctx.enqueue(
    mailVoicemailJob,
    { voicemailId: v.voicemailId },
    {
      runAt: new Date(Date.parse(v.receivedAt) + TRANSCRIPT_TIMEOUT_MS),
      key: `mail-voicemail:${v.voicemailId}`,
      keyMode: 'preserve_run_at',
    },
  );
/** The transcription finished: mail the voicemail at once. */
export async function mailOnTranscription(
  ctx: TxCtx,
  w: Pick<EventData<typeof calls.transcriptionReady>, 'voicemailId'>,
): Promise<void> {
  if (w.voicemailId !== null)
    await ctx.enqueue(
      mailVoicemailJob,
      { voicemailId: w.voicemailId },
      { key: `mail-voicemail:${w.voicemailId}` },
    );
}

/** A moment in the company's zone and format. */
function writtenIn(
  company: { timezone: string; settings: unknown } | undefined,
  when: Date,
): string {
  const written = (what: 'date' | 'time') =>
    writeDate(what, when, company?.timezone ?? 'UTC', dateStyleOf(company?.settings));
  return `${written('date')}, ${written('time')}`;
}

/**
 * Mails a voicemail to its number's addresses, each once even if the job runs twice. Attaches the
 * recording unless `voicemail_email_attach` is off or it is too large.
 */
export async function mailVoicemail(
  ctx: Ctx,
  { voicemailId }: { voicemailId: number },
): Promise<void> {
  const sentTo = await ctx.transaction(async (t) => {
    const v = await voicemailForMail(t.tx, t.companyId, voicemailId);
    const number = v && (await readNumber(t.tx, t.companyId, v.number_id));
    if (!v || !number?.voicemail.email.length) return null;
    const company = await companyRow(t.tx, t.companyId);
    const attach = companySettingsOf(company?.settings).voicemail_email_attach;
    return {
      v,
      number,
      when: writtenIn(company, v.received_at),
      file: attach && v.file_id ? await fileOf(t.tx, t.companyId, v.file_id) : undefined,
      to: await unmutedAddresses(t, v.number_id, 'voicemail', number.voicemail.email),
    };
  });
  if (!sentTo?.to.length) return;
  const { v, number, when, file, to } = sentTo;
  const attached =
    file && file.bytes <= LARGEST_BYTES
      ? [
          {
            name: `voicemail-${v.call_id}.${file.content_type === 'audio/wav' ? 'wav' : 'audio'}`,
            contentType: file.content_type,
            companyId: ctx.companyId,
            fileId: file.id,
          },
        ]
      : [];
  const from = v.contact_name || partyName(v.party);
  const lines = [
    `From: ${from}${v.contact_name && v.party.startsWith('+') ? `, ${formatPhone(v.party)}` : ''}`,
    `To: ${number.label ? `${number.label}, ` : ''}${formatPhone(number.number)}`,
    `When: ${when}`,
    `Length: ${formatDuration(v.duration_seconds)}`,
    ...(v.state === 'ready' && v.text ? ['', v.text] : []),
  ];
  const link = new URL(`/calls/${v.call_id}`, ctx.settings.publicUrl).href;
  for (const address of to)
    await queueMail(ctx, {
      to: address,
      subject: `Voicemail from ${from}`,
      text: `${lines.join('\n')}\n\n${link}\n`,
      html: `<p>${lines.map(escapeHtml).join('<br>')}</p><p><a href="${link}">Open the call</a></p>`,
      key: `voicemail:${voicemailId}:${address}`,
      ...(attached.length ? { attachments: attached } : {}),
    });
}
