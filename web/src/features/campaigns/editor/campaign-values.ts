import { defaultUnsubscribeText, tagsIn, type CampaignForm } from '#contract/campaigns/rules';
import { formFields } from '#ui';
import type { StoredFile } from '../FilesField.tsx';
import type { Campaign } from '../use-campaign-actions.ts';

/** The form's values; ids are strings, as selects need them. */
export interface CampaignValues {
  title: string;
  text: string;
  unsubscribe_text: string;
  groups: string | null;
  number_id: string | null;
  /** Null means as soon as it is submitted. */
  should_be_sent_at: string | null;
  skip_inbox: boolean;
  resume_next_day: boolean;
  /** Selected here and not uploaded yet. */
  files: File[];
  /** Uploaded by an earlier save. */
  kept: StoredFile[];
}

/** The form's initial values; null is a new campaign. */
export const valuesOf = (campaign: Campaign | null): CampaignValues => ({
  title: campaign?.title ?? '',
  text: campaign?.text ?? '',
  unsubscribe_text: campaign?.unsubscribe_text ?? defaultUnsubscribeText,
  groups: campaign?.groups[0] ? String(campaign.groups[0].id) : null,
  number_id: campaign?.number_id ? String(campaign.number_id) : null,
  should_be_sent_at: campaign?.should_be_sent_at ?? null,
  skip_inbox: campaign?.skip_inbox ?? true,
  resume_next_day: campaign?.resume_next_day ?? true,
  files: [],
  kept: campaign?.media_files ?? [],
});

/** The values in the form that the shared rules check. */
export const toRuleInput = (values: CampaignValues): CampaignForm => ({
  title: values.title,
  text: values.text,
  unsubscribe_text: values.unsubscribe_text,
  groups: values.groups === null ? [] : [Number(values.groups)],
  number_id: values.number_id === null ? null : Number(values.number_id),
  should_be_sent_at: values.should_be_sent_at,
  withMedia: values.files.length + values.kept.length > 0,
});

/**
 * The request body that saves the values. `confirmed`: recipients who were already texted keep the
 * earlier version.
 */
export function toSaveBody(
  values: CampaignValues,
  options: {
    isNew: boolean;
    companyId: number | null;
    zone: string;
    state: 'draft' | 'queued';
    confirmed: boolean;
  },
): ReturnType<typeof formFields> {
  return formFields({
    ...(!options.isNew && { _method: 'PATCH' }),
    ...(options.companyId !== null && { company_id: options.companyId }),
    type: 'sms',
    title: values.title.trim(),
    text: values.text,
    unsubscribe_text: values.unsubscribe_text,
    state: options.state,
    skip_inbox: values.skip_inbox,
    resume_next_day: values.resume_next_day,
    timezone: options.zone,
    groups: values.groups === null ? [''] : [values.groups],
    number_id: values.number_id ?? '',
    should_be_sent_at: values.should_be_sent_at ?? '',
    dynamic_fields: tagsIn(values.text).used,
    keep_media: values.kept.length ? values.kept.map((file) => file.id) : [''],
    ...(values.files.length && { media: values.files }),
    ...(options.confirmed && { confirm: true }),
  });
}
