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
  const maySend = usePermission('campaigns.send'),
    mayDraft = usePermission('campaigns.draft'),
    mayApprove = usePermission('campaigns.approve');
  const { mutate: mutatePause, isPending: pausing } = useApiMutation(campaigns.pauseCampaign, {
    invalidates,
    success: t('Paused. Messages already at the carrier will still be sent.'),
  });
  const { mutate: mutateCancel } = useApiMutation(campaigns.cancelCampaign, {
    invalidates,
    success: t('Campaign canceled'),
  });
  const { mutate: mutateCopy } = useApiMutation(campaigns.duplicateCampaign, {
    invalidates,
  });
  const { mutate: mutateDelete } = useApiMutation(campaigns.deleteCampaign, {
    invalidates,
    success: t('Campaign deleted'),
  });
  const { mutate: mutateApprove, isPending: approving } = useApiMutation(
    campaigns.approveCampaign,
    {
      invalidates,
      success: t('Campaign approved'),
    },
  );

  const permittedActions = (
    c: Campaign,
  ): {
    edit: boolean;
    pause: boolean;
    resume: boolean;
    cancel: boolean;
    copy: boolean;
    remove: boolean;
    approve: boolean;
  } => ({
    edit: mayDraft && canTransition('edit', c.state),
    pause: maySend && canPause(c),
    resume: maySend && canTransition('resume', c.state),
    cancel: maySend && canTransition('cancel', c.state),
    copy: mayDraft,
    remove: mayDraft && canTransition('delete', c.state),
    approve: mayApprove && c.approval.state === 'asked' && canTransition('approve', c.state),
  });
  const params = (c: Campaign) => ({ params: { id: c.id } });
  return {
    is: permittedActions,
    pausing,
    approving,
    pause: (c: Campaign) => mutatePause(params(c)),
    approve: (c: Campaign) => mutateApprove(params(c)),
    cancel: async (c: Campaign): Promise<void> => {
      const waiting = c.started ? c.pending_count : c.preview_count;
      if (
        await confirm({
          title: t('Cancel {title}?', { title: c.title }),
          body: t(
            '{n, plural, one {# person} other {# people}} still waiting won’t receive it. You can’t restart a canceled campaign, but you can duplicate it.',
            {
              n: waiting,
            },
          ),
          confirmLabel: t('Cancel campaign'),
          cancelLabel: t('Keep it'),
          danger: true,
        })
      )
        await mutateCancel(params(c));
    },
    copy: async (c: Campaign): Promise<void> => {
      const made = await mutateCopy(params(c));
      if (made) navigate(`/campaigns/${made.data.id}/edit`);
    },
    drop: async (c: Campaign, done?: () => void): Promise<void> => {
      if (
        !(await confirm({
          title: t('Delete {title}?', { title: c.title }),
          body: c.started
            ? t('Its results are removed from the list. Texts in the inbox stay.')
            : t('The draft is removed from the list.'),
          confirmLabel: t('Delete'),
          danger: true,
        }))
      )
        return;
      if (await mutateDelete(params(c))) done?.();
    },
  };
}
