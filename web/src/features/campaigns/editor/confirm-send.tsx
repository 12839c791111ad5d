import { creditPriceCents } from '#contract/campaigns/rules';
import type { campaigns } from '#contract';
import { calendarDay, confirm, formatMoney, t } from '#ui';
import { formatWhen } from '../../conversations/index.ts';
import type { Campaign } from '../use-campaign-actions.ts';
import type { CampaignValues } from './campaign-values.ts';

interface Sending {
  values: CampaignValues;
  campaign: Campaign | null;
  preview: campaigns.CampaignPreview | undefined;
  zone: string;
  /** An administrator must approve it first. */
  needsApproval: boolean;
  /** Some recipients already got an earlier version of the text. */
  textChanged: boolean;
}

/** Confirms before a campaign is sent, scheduled or submitted. False means keep editing. */
export function confirmSend(sending: Sending): Promise<boolean> {
  const { values, needsApproval } = sending;
  const { title } = values;
  const scheduled = values.should_be_sent_at !== null;
  const sentences = [
    needsApproval && t('An administrator reviews it first.'),
    recipientsSentence(sending),
    quietHoursSentence(sending),
    costSentence(sending),
    sending.textChanged &&
      t('People already texted got the earlier version. Everyone else gets the new one.'),
  ];
  const question = {
    approval: [t('Submit {title} for approval?', { title }), t('Submit for approval')],
    schedule: [t('Schedule {title}?', { title }), t('Schedule')],
    send: [t('Send {title}?', { title }), t('Send now')],
  }[needsApproval ? 'approval' : scheduled ? 'schedule' : 'send'] as [string, string];
  return confirm({
    title: question[0],
    body: sentences.filter(Boolean).join(' '),
    confirmLabel: question[1],
  });
}

function recipientsSentence(sending: Sending): string {
  const { campaign, preview } = sending;
  const when = whenText(sending);
  const people = campaign?.started ? campaign.pending_count : preview?.recipients;
  if (people === undefined) return t('It will be sent {when}.', { when });
  if (people === 0) return t('No one in this group can receive texts, so no one will get it.');
  return t('{n, plural, one {# person will receive it} other {# people will receive it}} {when}.', {
    n: people,
    when,
  });
}

/**
 * The end of the quiet hours when they delay the campaign on the same day, or the next day is
 * allowed. Null when nothing is delayed.
 */
function delayedUntil({ values, preview, zone }: Sending): string | null {
  const held = preview?.held_until ?? null;
  if (held === null) return null;
  const isSameDay =
    calendarDay(held, zone) === calendarDay(values.should_be_sent_at ?? new Date(), zone);
  return values.resume_next_day || isSameDay ? held : null;
}

function whenText(sending: Sending): string {
  const at = delayedUntil(sending) ?? sending.values.should_be_sent_at;
  if (at !== null) return formatWhen(at);
  return sending.needsApproval ? t('once approved') : t('now');
}

function quietHoursSentence(sending: Sending): string | null {
  if ((sending.preview?.held_until ?? null) === null) return null;
  return delayedUntil(sending) !== null
    ? t('No texts are sent during quiet hours, so it starts afterward.')
    : t('It pauses during quiet hours. Resume it afterward to send the rest.');
}

function costSentence({ preview }: Sending): string | null {
  const credits = preview?.credits ?? 0;
  if (credits === 0) return null;
  return t('{n, plural, one {It costs # credit} other {It costs # credits}}, up to {money}.', {
    n: credits,
    money: formatMoney(credits * creditPriceCents),
  });
}
