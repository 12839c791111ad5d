import { containsLink } from './links.ts';

/** Stored campaign states (A §4). */
export const campaignStates = [
  'pending',
  'draft',
  'queued',
  'sending',
  'canceled',
  'paused',
  'sent',
  'failed',
] as const;

export type CampaignState = (typeof campaignStates)[number];

/** Displayed campaign statuses (A §4), and their keys as filters. */
export const campaignStatuses = {
  draft: 'Draft',
  scheduled: 'Scheduled',
  in_progress: 'In Progress',
  paused: 'Paused',
  sent: 'Sent',
  canceled: 'Canceled',
  failed: 'Failed',
} as const;

export type CampaignStatus = keyof typeof campaignStatuses;

export const campaignStatusKeys = Object.keys(campaignStatuses) as CampaignStatus[];

/**
 * The displayed status. `pending` shows as draft; `queued` as in progress once its time has come;
 * `sending` as in progress.
 */
export function statusOf(state: CampaignState, sendAt: string | null, now: Date): CampaignStatus {
  if (state === 'pending' || state === 'draft') return 'draft';
  if (state === 'queued')
    return sendAt === null || Date.parse(sendAt) <= now.getTime() ? 'in_progress' : 'scheduled';
  return state === 'sending' ? 'in_progress' : state;
}

/** The send time to show; null for a draft whose time has passed. */
export const displayedSendAt = (
  state: CampaignState,
  sendAt: string | null,
  now: Date,
): string | null =>
  sendAt !== null && statusOf(state, sendAt, now) === 'draft' && Date.parse(sendAt) <= now.getTime()
    ? null
    : sendAt;

/**
 * The actions that each state allows (A12.1). Editing the text of a paused campaign asks for
 * confirmation.
 */
export const campaignTransitions = {
  edit: ['pending', 'draft', 'queued', 'paused'],
  pause: ['queued', 'sending'],
  resume: ['paused'],
  cancel: ['queued', 'paused', 'sending'],
  approve: ['pending'],
  delete: ['draft', 'pending', 'sent', 'canceled', 'failed', 'paused'],
} as const satisfies Record<string, readonly CampaignState[]>;

type CampaignAction = keyof typeof campaignTransitions;

/** Whether a campaign in this state may be started, paused, resumed, canceled … (A §4). */
export const canTransition = (move: CampaignAction, state: CampaignState): boolean =>
  (campaignTransitions[move] as readonly CampaignState[]).includes(state);

/**
 * A campaign that waits for its sending hours can be paused, too; it then stays paused until a
 * person resumes it.
 */
export const canPause = (c: { state: CampaignState; auto_resume_at: unknown }): boolean =>
  canTransition('pause', c.state) || (c.state === 'paused' && c.auto_resume_at !== null);

/**
 * Why a campaign in this state can't be edited, and what to do instead. States without an entry
 * allow editing.
 */
export const editProblems: Partial<Record<CampaignState, string>> = {
  sending: 'This campaign is being sent. Pause it to change it, or duplicate it.',
  sent: 'This campaign was already sent and can’t be changed. Duplicate it to send another.',
  canceled: 'This campaign was canceled and can’t be changed. Duplicate it to send another.',
  failed: 'This campaign failed and can’t be changed. Duplicate it to try again.',
};

/** Why a campaign was paused, and what to do about it. */
export const pausedReasons = {
  by_hand: 'Paused by a teammate.',
  stale_schedule:
    'This campaign couldn’t start within an hour of its scheduled time. Check it, then resume.',
  window_closed: 'Paused outside the hours when recipients can be texted.',
  error_rate: 'More than 30% of the last 200 texts failed. Check the reasons before you resume.',
  carrier: 'The carrier isn’t accepting texts from this number right now.',
  company_inactive:
    'The company was parked or deactivated. After it is active again, check this and resume.',
  company_suspended:
    'The account has an outstanding balance. After it is paid, check this and resume.',
  feature_off:
    'Campaigns or texting were turned off. After they’re on again, check this and resume.',
} as const;

export type PausedReason = keyof typeof pausedReasons;

/** States of one recipient of a campaign. */
export const recipientStates = [
  'pending',
  'claimed',
  'handed',
  'sent',
  'delivered',
  'undelivered',
  'failed',
  'skipped',
  'unknown',
] as const;

export type RecipientState = (typeof recipientStates)[number];

/** Filters of the recipient list (A12.4). */
export const eventFlags = [
  'all',
  'pending',
  'sent',
  'delivered',
  'undelivered',
  'failed',
  'responded',
  'unsubscribed',
  'skipped',
  'unknown',
] as const;

export type EventFlag = (typeof eventFlags)[number];

/** Why a member of the group is not texted. */
export const skipReasons = {
  unsubscribed: 'Opted out of texts.',
  possible_opt_out: 'May have opted out. Decide in the conversation.',
  invalid: 'This number can’t receive texts.',
  blocked: 'Blocked.',
  duplicate: 'Another contact in the group has the same number.',
  recently_texted: 'Received another campaign recently.',
  deleted: 'The contact was deleted.',
  canceled: 'The campaign was canceled first.',
  own_number: 'This is the number the campaign is sent from.',
} as const;

export type SkipReason = keyof typeof skipReasons;

export const defaultUnsubscribeText = 'Reply STOP to stop.';

/** Price in cents of a text credit beyond those a plan includes (A19). */
export const creditPriceCents = 4;

/** Message and unsubscribe text together, merge tags counted as ten characters each (A §5, §9). */
export const campaignLimit = 1000;

const mergeTagLength = 10;

export const mergeTags = {
  first_name: 'First name',
  last_name: 'Last name',
  phone: 'Phone',
  email: 'Email',
} as const;

export type MergeTag = keyof typeof mergeTags;

const anyTag = /\{\{\s*([a-z_]+)\s*(?:\|([^{}]*))?\}\}/gi;

const isTag = (word: string): word is MergeTag => Object.hasOwn(mergeTags, word);

/** The merge tags of a text, each once, and the unknown ones. */
export function tagsIn(text: string): { used: MergeTag[]; unknown: string[] } {
  // The first group is not optional.
  const words = [...new Set([...text.matchAll(anyTag)].map((m) => m[1]!.toLowerCase()))];
  return { used: words.filter(isTag), unknown: words.filter((w) => !isTag(w)) };
}

/** Length in characters as `campaignLimit` counts it. */
export const countedLength = (text: string): number =>
  text.replace(anyTag, (whole, word: string) =>
    isTag(word.toLowerCase()) ? 'x'.repeat(mergeTagLength) : whole,
  ).length;

/** The specification's sentence when message and unsubscribe text are too long; otherwise null. */
export function lengthProblem(
  message: string,
  unsubscribe: string,
  withMedia: boolean,
): string | null {
  if (countedLength(message) + countedLength(unsubscribe) <= campaignLimit) return null;
  return withMedia ? 'Max 1000 characters per MMS' : 'Max 1000 characters per SMS';
}

/**
 * The text for one recipient: a missing value becomes its fallback (`{{first_name|there}}`) or an
 * empty string.
 */
export const render = (text: string, values: Readonly<Record<MergeTag, string>>): string =>
  text.replace(anyTag, (whole, word: string, fallback: string | undefined) => {
    const key = word.toLowerCase();
    return isTag(key) ? values[key].trim() || (fallback ?? '').trim() : whole;
  });

/** The full text as sent: the unsubscribe text is on a separate line. */
export const fullText = (message: string, unsubscribe: string): string =>
  unsubscribe.trim() ? `${message.trim()}\n${unsubscribe.trim()}` : message.trim();

/** Whether the text contains a link (A12.4): a URL or bare domain, but not an email address. */
export const hasLink = (text: string): boolean => containsLink(text.replace(anyTag, ' '));

/** Whether the text mentions today: such a campaign must not continue automatically tomorrow. */
export const mentionsToday = (text: string): boolean =>
  /\b(?:today|tonight|tomorrow)\b/i.test(text);

export interface CampaignForm {
  title: string;
  text: string;
  unsubscribe_text: string;
  groups: readonly number[];
  number_id: number | null;
  should_be_sent_at: string | null;
  withMedia: boolean;
}

/** Problems that prevent sending, by field (A §5); empty: none. A draft needs only `title`. */
export function sendProblems(
  form: CampaignForm,
  account: { linksEnabled: boolean; picturesEnabled?: boolean },
  now: Date,
): Record<string, string> {
  const problems: Record<string, string> = {};
  if (!form.title.trim()) problems['title'] = 'Enter a title for the campaign.';
  const unknown = tagsIn(`${form.text} ${form.unsubscribe_text}`).unknown[0];
  const tooLong = lengthProblem(form.text, form.unsubscribe_text, form.withMedia);
  if (!form.text.trim()) problems['text'] = 'Enter a message.';
  else if (tooLong) problems['text'] = tooLong;
  else if (!account.linksEnabled && (hasLink(form.text) || hasLink(form.unsubscribe_text)))
    problems['text'] = 'Links aren’t enabled for this account. Remove the link from the message.';
  else if (unknown) problems['text'] = `{{${unknown}}} isn’t a merge tag.`;
  if (form.withMedia && account.picturesEnabled === false)
    problems['media'] = 'Pictures are turned off for this account. Remove them.';
  if (!form.unsubscribe_text.trim()) problems['unsubscribe_text'] = 'Enter the opt-out text.';
  if (!form.groups.length) problems['groups'] = 'Choose a group to send to.';
  if (!form.number_id) problems['number_id'] = 'Choose a number to send from.';
  if (form.should_be_sent_at !== null && !(Date.parse(form.should_be_sent_at) > now.getTime()))
    problems['should_be_sent_at'] = 'Choose a time in the future, or leave it empty to send now.';
  return problems;
}

/** Days of pause after which resuming asks for confirmation, and after which the campaign ends. */
export const resumeLimits = { confirmAfterDays: 7, overAfterDays: 30 } as const;

/** Texts per second of a number without a registration. */
export const unregisteredRates = { local: 1, tollFree: 3 } as const;

/** The keys of a record in the form `z.enum` takes: at least one, with their literal types. */
export const keysOf = <K extends string>(of: Record<K, unknown>) => Object.keys(of) as [K, ...K[]];
