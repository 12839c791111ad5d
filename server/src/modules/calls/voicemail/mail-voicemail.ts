import type { EventData, calls } from '#contract';
import { formatPhone } from '#contract/phone';
import { companySettingsOf } from '#contract/setting-rules';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { queueMail } from '../../../platform/mail.ts';
import { companyRow, unmutedAddresses } from '../../companies/index.ts';
import { readNumber } from '../../numbers/index.ts';
import { fileOf } from '../recordings/store.ts';
import { voicemailForMail } from './store.ts';

/** How long a mail waits for the words. */
const TRANSCRIPT_TIMEOUT_MS = 90_000;
/** What mail servers still take. */
const LARGEST_BYTES = 10 * 1024 * 1024;

/**
 * A voicemail came: its number's addresses are mailed, once its words are there or nobody writes them down (B §3 voicemail).
 * The words may be heard of first: then the mail goes as they want it, at once.
 */
export const scheduleVoicemailMail = (
  ctx: TxCtx,
  v: Pick<EventData<typeof calls.voicemailReceived>, 'voicemailId' | 'receivedAt'>,
): Promise<void> =>
  ctx.enqueue(
    'calls.mailVoicemail',
    { voicemailId: v.voicemailId },
    {
      runAt: new Date(Date.parse(v.receivedAt) + TRANSCRIPT_TIMEOUT_MS),
      key: `mail-voicemail:${v.voicemailId}`,
      keyMode: 'preserve_run_at',
      attempts: 8,
    },
  );
export async function mailOnTranscription(
  ctx: TxCtx,
  w: Pick<EventData<typeof calls.transcriptionReady>, 'voicemailId'>,
): Promise<void> {
  if (w.voicemailId !== null)
    await ctx.enqueue(
      'calls.mailVoicemail',
      { voicemailId: w.voicemailId },
      { key: `mail-voicemail:${w.voicemailId}`, attempts: 8 },
    );
}

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!);

/** Each address once, whatever runs twice. The recording goes along unless `voicemail_email_attach` is off. */
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
      zone: company?.timezone ?? 'UTC',
      file: attach && v.file_id ? await fileOf(t.tx, t.companyId, v.file_id) : undefined,
      to: await unmutedAddresses(t, v.number_id, 'voicemail', number.voicemail.email),
    };
  });
  if (!sentTo?.to.length) return;
  const { v, number, zone, file, to } = sentTo;
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
  const from =
    v.contact_name || (v.party.startsWith('+') ? formatPhone(v.party) : 'a withheld number');
  const lines = [
    `From: ${from}${v.contact_name && v.party.startsWith('+') ? `, ${formatPhone(v.party)}` : ''}`,
    `To: ${number.label ? `${number.label}, ` : ''}${formatPhone(number.number)}`,
    `When: ${new Intl.DateTimeFormat('en-US', { timeZone: zone, dateStyle: 'medium', timeStyle: 'short' }).format(v.received_at)}`,
    `Length: ${v.duration_seconds} s`,
    ...(v.state === 'ready' && v.text ? ['', v.text] : []),
  ];
  const link = new URL(`/calls/${v.call_id}`, ctx.settings.publicUrl).href;
  for (const address of to)
    await queueMail(ctx, {
      to: address,
      subject: `Voicemail from ${from}`,
      text: `${lines.join('\n')}\n\n${link}\n`,
      html: `<p>${lines.map(escaped).join('<br>')}</p><p><a href="${link}">Open the call</a></p>`,
      key: `voicemail:${voicemailId}:${address}`,
      ...(attached.length ? { attachments: attached } : {}),
    });
}
