import { campaigns } from '#contract';
import { canTransition, canPause } from '#contract/campaigns/rules';
import { confirm, navigate, t, usePermission, useApiMutation } from '#ui';

export type Campaign = campaigns.Campaign;
const invalidates = [campaigns.listCampaigns, campaigns.getCampaign, campaigns.listCampaignEvents];

/**
 * The actions that the signed-in user can take on a campaign. Irreversible ones ask for
 * confirmation.
 */
export function useCampaignActions() {
  const is = usePermittedActions();
  const pausing = useApiMutation(campaigns.pauseCampaign, {
    invalidates,
    success: t('Paused. Messages already at the carrier will still be sent.'),
  });
  const canceling = useApiMutation(campaigns.cancelCampaign, {
    invalidates,
    success: t('Campaign canceled'),
  });
  const copying = useApiMutation(campaigns.duplicateCampaign, { invalidates });
  const deleting = useApiMutation(campaigns.deleteCampaign, {
    invalidates,
    success: t('Campaign deleted'),
  });
  const approving = useApiMutation(campaigns.approveCampaign, {
    invalidates,
    success: t('Campaign approved'),
  });
  const params = (c: Campaign) => ({ params: { id: c.id } });
  return {
    is,
    pausing: pausing.isPending,
    approving: approving.isPending,
    pause: (c: Campaign) => pausing.mutate(params(c)),
    approve: (c: Campaign) => approving.mutate(params(c)),
    cancel: async (c: Campaign): Promise<void> => {
      if (await confirmCanceling(c)) await canceling.mutate(params(c));
    },
    copy: async (c: Campaign): Promise<void> => {
      const made = await copying.mutate(params(c));
      if (made) navigate(`/campaigns/${made.data.id}/edit`);
    },
    drop: async (c: Campaign, done?: () => void): Promise<void> => {
      if (!(await confirmDeleting(c))) return;
      if (await deleting.mutate(params(c))) done?.();
    },
  };
}

/** Which actions a campaign offers, by the user's role and by its state. */
function usePermittedActions() {
  const maySend = usePermission('campaigns.send'),
    mayDraft = usePermission('campaigns.draft'),
    mayApprove = usePermission('campaigns.approve');
  return (c: Campaign) => ({
    edit: mayDraft && canTransition('edit', c.state),
    pause: maySend && canPause(c),
    resume: maySend && canTransition('resume', c.state),
    cancel: maySend && canTransition('cancel', c.state),
    copy: mayDraft,
    remove: mayDraft && canTransition('delete', c.state),
    approve: mayApprove && c.approval.state === 'asked' && canTransition('approve', c.state),
  });
}

const confirmCanceling = (c: Campaign): Promise<boolean> =>
  confirm({
    title: t('Cancel {title}?', { title: c.title }),
    body: t(
      '{n, plural, one {# person} other {# people}} still waiting won’t receive it. You can’t restart a canceled campaign, but you can duplicate it.',
      { n: c.started ? c.pending_count : c.preview_count },
    ),
    confirmLabel: t('Cancel campaign'),
    cancelLabel: t('Keep it'),
    danger: true,
  });

const confirmDeleting = (c: Campaign): Promise<boolean> =>
  confirm({
    title: t('Delete {title}?', { title: c.title }),
    body: c.started
      ? t('Its results are removed from the list. Texts in the inbox stay.')
      : t('The draft is removed from the list.'),
    confirmLabel: t('Delete'),
    danger: true,
  });
