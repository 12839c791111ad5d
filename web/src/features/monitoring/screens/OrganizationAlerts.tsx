import { Skeleton } from '@mantine/core';
import { organizations } from '#contract';
import { ErrorState, t, useApiQuery } from '#ui';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import { AlertFilters, AlertList, AlertSummary, useAlerts } from '../AlertList.tsx';

/** What all companies of the organization should look at, the gravest first. */
export default function OrganizationAlerts() {
  const { response, error, refetch } = useApiQuery(
    organizations.listOrganizations,
    { query: {} },
    { staleTime: 60_000 },
  );
  const organization = response?.data.find((one) => one.is_admin);
  if (organization) return <OfOrganization id={organization.id} />;
  return (
    <SettingsFrame row="organization" title={t('Alerts')}>
      {error ? <ErrorState error={error} retry={refetch} /> : <Skeleton height={240} />}
    </SettingsFrame>
  );
}

function OfOrganization({ id }: { id: number }) {
  const scope = { organization: id };
  const alerts = useAlerts(scope);
  return (
    <SettingsFrame
      row="organization"
      title={t('Alerts')}
      layout="fill"
      description={<AlertSummary scope={scope} />}
      filters={<AlertFilters {...alerts} />}
    >
      <AlertList scope={scope} alerts={alerts} />
    </SettingsFrame>
  );
}
