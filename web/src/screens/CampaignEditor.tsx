import { useParams } from '@tanstack/react-router';
import { campaigns } from '#contract';
import { ErrorState, Page, PageSkeleton, t, useAsk } from '#ui';
import { CampaignForm } from '../features/campaigns/CampaignForm.tsx';
import { useIdParam } from '../app/params.ts';

/** A campaign before it goes out: written, addressed, looked at, sent. */
export default function CampaignEditor() {
  const id = useIdParam('id');
  const isNew =
    (useParams({ strict: false }) as Record<string, string | undefined>)['id'] === undefined;
  const { answer, refusal, again } = useAsk(
    campaigns.getCampaign,
    { params: { id: id ?? 0 }, query: { include: 'groups' } as never },
    { when: !isNew, quiet: true, fresh: true },
  );
  if (!isNew && refusal)
    return (
      <Page title={t('Campaign')} back={{ href: '/campaigns', label: t('Campaigns') }}>
        <ErrorState refusal={refusal} again={again} />
      </Page>
    );
  if (!isNew && !answer) return <PageSkeleton />;
  return <CampaignForm key={id ?? 'new'} campaign={answer?.data ?? null} />;
}
