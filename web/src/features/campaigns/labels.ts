import {
  campaignStatuses,
  eventFlags,
  pausedReasons,
  skipReasons,
  type CampaignStatus,
  type EventFlag,
  type PausedReason,
  type RecipientState,
  type SkipReason,
} from '#contract/campaigns/rules';
import { t, type Tone } from '#ui';
import { formatWhen } from '../conversations/index.ts';
import type { Campaign } from './use-campaign-actions.ts';

const tones: Record<CampaignStatus, Tone> = {
  draft: 'neutral',
  scheduled: 'info',
  in_progress: 'accent',
  paused: 'warn',
  sent: 'success',
  canceled: 'neutral',
  failed: 'danger',
};
/** The name of a campaign's status; unknown ones stay as they are. */
export const statusName = (status: string): string =>
  t(campaignStatuses[status as CampaignStatus] ?? status);
/** The color of a campaign's status. */
export const statusTone = (status: string): Tone => tones[status as CampaignStatus] ?? 'neutral';

const recipientNames: Record<RecipientState, string> = {
  pending: 'Waiting',
  claimed: 'Sending',
  handed: 'At the carrier',
  sent: 'Sent',
  delivered: 'Delivered',
  undelivered: 'Undelivered',
  failed: 'Rejected by carrier',
  skipped: 'Skipped',
  unknown: 'Unconfirmed',
};
const recipientTones: Record<RecipientState, Tone> = {
  pending: 'neutral',
  claimed: 'info',
  handed: 'info',
  sent: 'info',
  delivered: 'success',
  undelivered: 'danger',
  failed: 'danger',
  skipped: 'neutral',
  unknown: 'warn',
};
/** The name of a recipient's delivery state. */
export const recipientName = (state: RecipientState): string => t(recipientNames[state]);
/** The color of a recipient's delivery state. */
export const recipientTone = (state: RecipientState): Tone => recipientTones[state];

const flagNames: Record<EventFlag, string> = {
  all: 'Everyone',
  pending: 'Waiting',
  sent: 'Sent',
  delivered: 'Delivered',
  undelivered: 'Undelivered',
  failed: 'Rejected by carrier',
  responded: 'Replied',
  unsubscribed: 'Opted out',
  skipped: 'Skipped',
  unknown: 'Unconfirmed',
};
/** The name of a filter of recipients. */
export const flagName = (flag: EventFlag): string => t(flagNames[flag]);
/** Whether the text is a status filter of the recipients. */
export const isFlag = (text: string): text is EventFlag =>
  (eventFlags as readonly string[]).includes(text);

/** Why a recipient was skipped; '' for null. */
export const skipReasonLabel = (reason: SkipReason | null): string =>
  reason === null ? '' : t(skipReasons[reason]);
/** Why a campaign is paused; '' for null. */
export const pauseReasonLabel = (reason: PausedReason | null): string =>
  reason === null ? '' : t(pausedReasons[reason]);
/** When a paused campaign continues: at a set time, or when a user resumes it. */
export const resumeLabel = (c: Pick<Campaign, 'auto_resume_at'>): string =>
  c.auto_resume_at
    ? t('Resumes automatically {when}.', { when: formatWhen(c.auto_resume_at) })
    : t('Resume to send the rest.');
/** The label of Pause. A campaign waiting for quiet hours to end is paused already. */
export const pauseLabel = (c: Pick<Campaign, 'state'>): string =>
  c.state === 'paused' ? t('Keep paused') : t('Pause');
