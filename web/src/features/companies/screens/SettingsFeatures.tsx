import { Skeleton } from '@mantine/core';
import { features as contract } from '#contract';
import { ErrorState, t, useApiMutation, useApiQuery, useCompanyId, useSession } from '#ui';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import { FeatureList, type FeatureState } from '../features/FeatureList.tsx';

/** What the company uses, and what it has turned off. */
export default function SettingsFeatures() {
  const companyId = useCompanyId() ?? 0;
  const isAbove = useSession((s) => 'organization.edit' in (s.user?.permissions ?? {}));
  const { response, error, refetch } = useApiQuery(
    contract.listCompanyFeatures,
    { params: { companyId } },
    { enabled: companyId !== 0 },
  );
  const { mutate } = useApiMutation(contract.setCompanyFeature, {
    success: ({ data }) =>
      data.applied_numbers
        ? t('Saved. {n, plural, one {# number} other {# numbers}} changed', {
            n: data.applied_numbers,
          })
        : t('Saved'),
    invalidates: [contract.listCompanyFeatures],
  });
  const states = response?.data.map(({ feature, enabled, source }): FeatureState => ({
    feature,
    enabled,
    note: '',
    locked:
      source === 'plan'
        ? t('Not part of your plan.')
        : !enabled && source !== 'company' && !isAbove
          ? t('Turned off by your organization.')
          : null,
  }));
  return (
    <SettingsFrame
      title={t('Features')}
      description={t('What you turn off stops. Nothing is deleted.')}
      layout="read"
    >
      {error && !response && <ErrorState error={error} retry={refetch} />}
      {!response && !error && <Skeleton height={300} />}
      {states && (
        <FeatureList
          states={states}
          mayEdit
          toggle={(featureName, body) => mutate({ params: { companyId, featureName }, body })}
        />
      )}
    </SettingsFrame>
  );
}
