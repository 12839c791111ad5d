import { counted, shaped, turned } from './setting-rule.ts';

/** A text that is sent automatically. */
interface AutomaticText {
  enabled: boolean;
  text: string;
}
export interface QuietHours {
  start: string;
  end: string;
  mode: 'recipient' | 'company';
}

const silent: AutomaticText = { enabled: false, text: '' };

/** Settings of texts and campaigns (A20). */
export const textSettings = {
  texting_requires_verification: shaped<boolean | null>(
    'texts',
    'boolean',
    null,
    'Only numbers with an approved SMS verification can text',
    'Not set: as the carrier requires.',
  ),
  links_enabled: turned(
    'texts',
    false,
    'Links in texts',
    'Texts and campaigns may contain links. Carriers filter links more strictly.',
  ),
  missed_call_text_back: shaped(
    'texts',
    'auto_text',
    silent,
    'Text back after a missed call',
    'From numbers without a text of their own, at most once an hour per caller. Never to landlines, blocked callers or people who opted out.',
    { max: 480 },
  ),
  auto_reply_after_hours: shaped(
    'texts',
    'auto_text',
    silent,
    'Automatic reply outside of business hours',
    'From numbers without a reply of their own, to the first text in a conversation, once each time you’re closed.',
    { max: 480 },
  ),
  campaign_approval_required: turned(
    'campaigns',
    false,
    'Require approval for users’ campaigns',
    'A user’s campaign waits until an administrator approves it.',
  ),
  quiet_hours: shaped<QuietHours>(
    'campaigns',
    'quiet_hours',
    { start: '21:00', end: '08:00', mode: 'recipient' },
    'Quiet hours',
    'Campaigns aren’t sent during these hours. They continue afterward.',
  ),
  recently_texted_guard_hours: counted(
    'campaigns',
    24,
    [0, 168],
    'hours',
    'Time between campaigns to the same person',
    'Anyone who received a campaign in this time is skipped. 0 turns this off.',
  ),
  max_campaign_size: counted('campaigns', 10_000, [1, 100_000], 'people', 'Largest campaign'),
  default_unsubscribe_text: shaped(
    'campaigns',
    'text',
    'Reply STOP to stop.',
    'Default opt-out text',
    'New campaigns start with it.',
    { min: 1, max: 160 },
  ),
};
