import { useParams } from '@tanstack/react-router';
import { campaigns } from '#contract';
import { ErrorState, Page, PageSkeleton, t, useApiQuery } from '#ui';
import { CampaignForm } from '../editor/CampaignForm.tsx';
import { useIdParam } from '../../../shared/params.ts';

/** Creates or edits a campaign. */
export default function CampaignEditor() {
  const id = useIdParam('id');
  const isNew =
    (useParams({ strict: false }) as Record<string, string | undefined>)['id'] === undefined;
  const { response, error, refetch } = useApiQuery(
    campaigns.getCampaign,
    { params: { id: id ?? 0 }, query: { include: 'groups' } },
    { enabled: !isNew, silent: true, refetchOnMount: true },
  );
  if (!isNew && error)
    return (
      <Page title={t('Campaign')} back={{ href: '/campaigns', label: t('Campaigns') }}>
        <ErrorState error={error} retry={refetch} notFound={t('Campaign not found')} />
      </Page>
    );
  if (!isNew && !response) return <PageSkeleton />;
  return <CampaignForm key={id ?? 'new'} campaign={response?.data ?? null} />;
}
