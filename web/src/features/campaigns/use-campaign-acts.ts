import { campaigns } from '#contract';
import { mayMove, mayPause } from '#contract/campaign-rules';
import { confirm, formatNumber, go, t, useMay, useTell } from '#ui';

export type Campaign = campaigns.Campaign;
const touches = [campaigns.listCampaigns, campaigns.getCampaign, campaigns.listCampaignEvents];

/** What may be done to a campaign by whoever looks at it, each asking first where something cannot be taken back. */
export function useCampaignActs() {
  const maySend = useMay('campaigns.send'),
    mayDraft = useMay('campaigns.draft'),
    mayApprove = useMay('campaigns.approve');
  const { tell: tellPause, telling: pausing } = useTell(campaigns.pauseCampaign, {
    touches,
    success: t('Paused. What the carrier has already is finished.'),
  });
  const { tell: tellCancel } = useTell(campaigns.cancelCampaign, {
    touches,
    success: t('The campaign is canceled'),
  });
  const { tell: tellCopy } = useTell(campaigns.duplicateCampaign, { touches });
  const { tell: tellDelete } = useTell(campaigns.deleteCampaign, {
    touches,
    success: t('The campaign is deleted'),
  });
  const { tell: tellApprove, telling: approving } = useTell(campaigns.approveCampaign, {
    touches,
    success: t('Approved. It goes out at its time.'),
  });

  const is = (
    c: Campaign,
  ): {
    edit: boolean;
    pause: boolean;
    resume: boolean;
    cancel: boolean;
    copy: boolean;
    drop: boolean;
    approve: boolean;
  } => ({
    edit: mayDraft && mayMove('edit', c.state),
    pause: maySend && mayPause(c),
    resume: maySend && mayMove('resume', c.state),
    cancel: maySend && mayMove('cancel', c.state),
    copy: mayDraft,
    drop: mayDraft && mayMove('delete', c.state),
    approve: mayApprove && c.approval.state === 'asked' && mayMove('approve', c.state),
  });
  const params = (c: Campaign) => ({ params: { id: c.id } });
  return {
    is,
    pausing,
    approving,
    pause: (c: Campaign) => tellPause(params(c)),
    approve: (c: Campaign) => tellApprove(params(c)),
    cancel: async (c: Campaign): Promise<void> => {
      const waiting = c.started ? c.pending_count : c.preview_count;
      if (
        await confirm({
          title: t('Cancel {title}?', { title: c.title }),
          body: t('{n} people still waiting get nothing. It cannot be started again; a copy can.', {
            n: formatNumber(waiting),
          }),
          verb: t('Cancel the campaign'),
          cancel: t('Keep it'),
          danger: true,
        })
      )
        await tellCancel(params(c));
    },
    copy: async (c: Campaign): Promise<void> => {
      const made = await tellCopy(params(c));
      if (made) go(`/campaigns/${made.data.id}/edit`);
    },
    drop: async (c: Campaign, done?: () => void): Promise<void> => {
      if (
        !(await confirm({
          title: t('Delete {title}?', { title: c.title }),
          body: c.started
            ? t('Its results leave the list. Texts in the inbox stay.')
            : t('The draft leaves the list.'),
          verb: t('Delete'),
          danger: true,
        }))
      )
        return;
      if (await tellDelete(params(c))) done?.();
    },
  };
}
