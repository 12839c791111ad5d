import { Skeleton } from '@mantine/core';
import { features as contract } from '#contract';
import { ErrorState, t, useApiMutation, useApiQuery } from '#ui';
import { OrganizationPage } from '../organization/OrganizationPage.tsx';
import { FeatureList, type FeatureState } from '../features/FeatureList.tsx';

/** What the companies of the organization use. */
export default function OrganizationFeatures() {
  return (
    <OrganizationPage
      title={t('Features')}
      description={t('What you turn off stops. Nothing is deleted.')}
      layout="read"
    >
      {({ id }) => <Features organizationId={id} />}
    </OrganizationPage>
  );
}

function Features({ organizationId }: { organizationId: number }) {
  const params = { organizationId };
  const { response, error, refetch } = useApiQuery(contract.listOrganizationFeatures, { params });
  const { mutate } = useApiMutation(contract.setOrganizationFeature, {
    success: ({ data }) =>
      t('Saved in {n, plural, one {# company} other {# companies}}', { n: data.companies.length }),
    invalidates: [contract.listOrganizationFeatures, contract.listCompanyFeatures],
  });
  if (error && !response) return <ErrorState error={error} retry={refetch} />;
  if (!response) return <Skeleton height={300} />;
  const states = response.data.map(({ feature, enabled, companies }): FeatureState => {
    const others = companies.filter((company) => company.enabled !== enabled);
    const names = others.map(({ name }) => name).join(', ');
    const note = enabled
      ? t('Turned off in: {companies}', { companies: names })
      : t('Still on in: {companies}', { companies: names });
    return { feature, enabled, note: others.length ? note : '', locked: null };
  });
  return (
    <FeatureList
      states={states}
      mayEdit
      toggle={(featureName, body) => mutate({ params: { organizationId, featureName }, body })}
    />
  );
}
