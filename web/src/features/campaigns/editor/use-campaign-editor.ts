import { useEffect, useState } from 'react';
import { useForm } from '@mantine/form';
import { campaigns, companies } from '#contract';
import { sendProblems } from '#contract/campaigns/rules';
import {
  bindFieldErrors,
  focusFirstError,
  navigate,
  t,
  useApiMutation,
  useApiQuery,
  useCompanyId,
  usePermission,
  userZone,
  useUnsavedGuard,
} from '#ui';
import type { Campaign } from '../use-campaign-actions.ts';
import { toRuleInput, toSaveBody, valuesOf, type CampaignValues } from './campaign-values.ts';
import { confirmSend } from './confirm-send.tsx';
import { useCampaignPreview } from './use-campaign-preview.ts';

export type CampaignEditorState = ReturnType<typeof useCampaignEditor>;

/** The campaign form, the server's preview of it, and its actions. Null is a new campaign. */
export function useCampaignEditor(campaign: Campaign | null) {
  const zone = userZone();
  const account = useAccount();
  const form = useForm<CampaignValues>({ initialValues: valuesOf(campaign) });
  useDefaultOptOutText(form, campaign, account?.settings.default_unsubscribe_text);
  const leaveTo = useLeaveAfterSave(form.isDirty());
  const { save, busy } = useSaveCampaign(form, campaign, zone);
  const { preview, refreshing } = useCampaignPreview(form.values, campaign, zone);
  const [testing, setTesting] = useState<number | null>(null);
  const started = campaign?.started ?? false;
  const needsApproval = useNeedsApproval(account?.settings.campaign_approval_required === true);
  const isSendable = (skipped?: SkippedChecks): boolean =>
    showSendProblems(form, account?.links_enabled ?? true, skipped);

  const saveDraft = async (): Promise<void> => {
    if (!form.values.title.trim()) {
      form.setErrors({ title: t('Enter a title.') });
      focusFirstError(form, { title: true });
      return;
    }
    const saved = await save('draft');
    if (saved && !campaign) leaveTo(`/campaigns/${saved.id}/edit`);
  };
  const startTest = async (): Promise<void> => {
    if (!isSendable({ groups: true, time: true })) return;
    const saved = form.isDirty() || !campaign ? await save('draft') : campaign;
    if (saved) setTesting(saved.id);
  };
  const endTest = (): void => {
    setTesting(null);
    if (!campaign && testing !== null) leaveTo(`/campaigns/${testing}/edit`);
  };
  const send = async (): Promise<void> => {
    if (!isSendable()) return;
    const { values } = form;
    const textChanged = started && isTextChanged(values, campaign);
    const asks = needsApproval && !started;
    const sending = { values, campaign, preview, zone, needsApproval: asks, textChanged };
    if (!(await confirmSend(sending))) return;
    const sent = await save('queued', textChanged);
    if (!sent) return;
    leaveTo(isUnderWay(sent) ? `/campaigns/${sent.id}/events` : '/campaigns');
  };
  return {
    form,
    zone,
    started,
    busy,
    preview,
    refreshing,
    testing,
    // A campaign that has started just continues.
    needsApproval: needsApproval && !started,
    quietHours: campaign?.quiet_hours ?? account?.settings.quiet_hours,
    saveDraft,
    startTest,
    endTest,
    send,
  };
}

const isUnderWay = ({ started, state }: Campaign): boolean =>
  started || state === 'sending' || state === 'queued';

const isTextChanged = (values: CampaignValues, campaign: Campaign | null): boolean =>
  values.text !== campaign?.text || values.unsubscribe_text !== campaign.unsubscribe_text;

type CampaignFormState = ReturnType<typeof useForm<CampaignValues>>;

/** What a test doesn't need yet. */
interface SkippedChecks {
  groups?: true;
  time?: true;
}

/** Shows at the fields what prevents sending. False when something does. */
function showSendProblems(
  form: CampaignFormState,
  linksEnabled: boolean,
  skipped: SkippedChecks = {},
): boolean {
  const input = toRuleInput(form.values);
  const problems = sendProblems(
    skipped.time ? { ...input, should_be_sent_at: null } : input,
    { linksEnabled },
    new Date(),
  );
  if (skipped.groups) delete problems['groups'];
  if (Object.keys(problems).length === 0) return true;
  form.setErrors(
    Object.fromEntries(Object.entries(problems).map(([field, text]) => [field, t(text)])),
  );
  focusFirstError(form, problems);
  return false;
}

function useAccount() {
  const companyId = useCompanyId();
  return useApiQuery(
    companies.getCompany,
    { params: { id: companyId ?? 0 } },
    { enabled: companyId !== null, staleTime: 60_000, silent: true },
  ).response?.data;
}

/**
 * Whether an approval comes first: because of the user's role, or because the company reviews what
 * users send.
 */
function useNeedsApproval(companyReviews: boolean): boolean {
  const canSend = usePermission('campaigns.send');
  const canApprove = usePermission('campaigns.approve');
  return !canSend || (!canApprove && companyReviews);
}

/**
 * A new campaign starts with the company's opt-out text, unless the user typed another before it
 * was loaded.
 */
function useDefaultOptOutText(
  form: CampaignFormState,
  campaign: Campaign | null,
  text: string | undefined,
): void {
  useEffect(() => {
    if (campaign !== null || text === undefined || form.isDirty('unsubscribe_text')) return;
    form.setInitialValues({ ...form.getInitialValues(), unsubscribe_text: text });
    form.setFieldValue('unsubscribe_text', text);
    // oxlint-disable-next-line exhaustive-deps -- once, when the text is known
  }, [text]);
}

/**
 * Navigates only after the saved state has rendered; otherwise the unsaved-changes guard would ask.
 */
function useLeaveAfterSave(dirty: boolean): (path: string) => void {
  const [path, setPath] = useState<string | null>(null);
  useUnsavedGuard(path === null && dirty);
  useEffect(() => {
    if (path === null) return;
    setPath(null);
    navigate(path);
  }, [path]);
  return setPath;
}

/** Saves the form. Returns the saved campaign, or null after an error, which was shown. */
function useSaveCampaign(form: CampaignFormState, campaign: Campaign | null, zone: string) {
  const companyId = useCompanyId();
  const options = {
    onFieldErrors: bindFieldErrors(form),
    invalidates: [campaigns.listCampaigns, campaigns.getCampaign],
  };
  const create = useApiMutation(campaigns.createCampaign, options);
  const update = useApiMutation(campaigns.updateCampaign, options);
  const save = async (state: 'draft' | 'queued', confirmed = false): Promise<Campaign | null> => {
    const isNew = campaign === null;
    const body = toSaveBody(form.values, { isNew, companyId, zone, state, confirmed });
    const response = isNew
      ? await create.mutate({ body })
      : await update.mutate({ params: { id: campaign.id }, body });
    if (!response) return null;
    form.setValues(valuesOf(response.data));
    form.resetDirty(valuesOf(response.data));
    return response.data;
  };
  return { save, busy: create.isPending || update.isPending };
}
