import { campaigns } from '#contract';
import { canTransition, canPause } from '#contract/campaign-rules';
import { confirm, formatNumber, navigate, t, usePermission, useApiMutation } from '#ui';

export type Campaign = campaigns.Campaign;
const invalidates = [campaigns.listCampaigns, campaigns.getCampaign, campaigns.listCampaignEvents];

/** What may be done to a campaign by whoever looks at it, each asking first where something cannot be taken back. */
export function useCampaignActions() {
  const maySend = usePermission('campaigns.send'),
    mayDraft = usePermission('campaigns.draft'),
    mayApprove = usePermission('campaigns.approve');
  const { mutate: mutatePause, isPending: pausing } = useApiMutation(campaigns.pauseCampaign, {
    invalidates,
    success: t('Paused. What the carrier has already is finished.'),
  });
  const { mutate: mutateCancel } = useApiMutation(campaigns.cancelCampaign, {
    invalidates,
    success: t('The campaign is canceled'),
  });
  const { mutate: mutateCopy } = useApiMutation(campaigns.duplicateCampaign, {
    invalidates,
  });
  const { mutate: mutateDelete } = useApiMutation(campaigns.deleteCampaign, {
    invalidates,
    success: t('The campaign is deleted'),
  });
  const { mutate: mutateApprove, isPending: approving } = useApiMutation(
    campaigns.approveCampaign,
    {
      invalidates,
      success: t('Approved. It goes out at its time.'),
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
          body: t('{n} people still waiting get nothing. It cannot be started again; a copy can.', {
            n: formatNumber(waiting),
          }),
          confirmLabel: t('Cancel the campaign'),
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
            ? t('Its results leave the list. Texts in the inbox stay.')
            : t('The draft leaves the list.'),
          confirmLabel: t('Delete'),
          danger: true,
        }))
      )
        return;
      if (await mutateDelete(params(c))) done?.();
    },
  };
}
