import { useState } from 'react';
import { Button, Group } from '@mantine/core';
import { campaigns } from '#contract';
import {
  ErrorState,
  navigate,
  lazyComponent,
  Page,
  PageSkeleton,
  StatusBadge,
  t,
  useApiQuery,
} from '#ui';
import { useIdParam } from '../../../shared/params.ts';
import { CampaignMenu } from '../CampaignMenu.tsx';
import { DeliveryResult } from '../DeliveryResult.tsx';
import { ProgressBar } from '../ProgressBar.tsx';
import { useCampaignActions, type Campaign } from '../use-campaign-actions.ts';
import { pauseLabel, statusName, statusTone } from '../labels.ts';
import css from './CampaignEvents.module.css';
import { CampaignAlerts } from '../events/CampaignAlerts.tsx';
import { CampaignRecipients, useRecipients } from '../events/CampaignRecipients.tsx';
import { CampaignSide } from '../events/CampaignSide.tsx';

const ResumeDialog = lazyComponent(async () => (await import('../ResumeDialog.tsx')).ResumeDialog);

/** A campaign's progress, recipients and replies. */
export default function CampaignEvents() {
  const id = useIdParam('id') ?? 0;
  const recipients = useRecipients(id);
  const { response, error, refetch } = useApiQuery(
    campaigns.getCampaign,
    { params: { id }, query: { include: 'groups' } },
    { silent: true },
  );
  const actions = useCampaignActions();
  const [resuming, setResuming] = useState(false);
  const back = { href: '/campaigns', label: t('Campaigns') };
  if (error)
    return (
      <Page title={t('Campaign')} back={back}>
        <ErrorState error={error} retry={refetch} notFound={t('Campaign not found')} />
      </Page>
    );
  if (!response) return <PageSkeleton />;
  const c = response.data as Campaign;
  const may = actions.is(c);

  return (
    <Page
      title={c.title}
      back={back}
      aside={
        <StatusBadge tone={statusTone(c.status)}>
          {c.approval.state === 'asked' ? t('Waiting for approval') : statusName(c.status)}
        </StatusBadge>
      }
      action={<CampaignButtons campaign={c} actions={actions} onResume={() => setResuming(true)} />}
    >
      <CampaignAlerts campaign={c} onCopy={may.copy ? () => void actions.copy(c) : undefined} />
      <div className={css.columns}>
        <div className={css.main}>
          <DeliveryResult
            campaign={c}
            current={recipients.flag}
            onPick={(status) => recipients.set({ status, page: 1 })}
          />
          <ProgressBar campaign={c} size="large" />
          <CampaignRecipients recipients={recipients} />
        </div>
        <CampaignSide campaign={c} />
      </div>
      {resuming && <ResumeDialog campaign={c} close={() => setResuming(false)} />}
    </Page>
  );
}

function CampaignButtons({
  campaign: c,
  actions,
  onResume,
}: {
  campaign: Campaign;
  actions: ReturnType<typeof useCampaignActions>;
  onResume: () => void;
}) {
  const may = actions.is(c);
  return (
    <Group gap="xs">
      {may.approve && (
        <Button loading={actions.approving} onClick={() => void actions.approve(c)}>
          {t('Approve')}
        </Button>
      )}
      {may.pause && (
        <Button variant="default" loading={actions.pausing} onClick={() => void actions.pause(c)}>
          {pauseLabel(c)}
        </Button>
      )}
      {may.resume && <Button onClick={onResume}>{t('Resume')}</Button>}
      <CampaignMenu
        campaign={c}
        acts={actions}
        onResume={onResume}
        done={() => navigate('/campaigns')}
      />
    </Group>
  );
}
