import { Skeleton, Switch } from '@mantine/core';
import { monitoring, organizations } from '#contract';
import { ErrorState, t, useApiMutation, useApiQuery } from '#ui';
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
      action={<DailySummary id={id} />}
      filters={<AlertFilters {...alerts} />}
    >
      <AlertList scope={scope} alerts={alerts} />
    </SettingsFrame>
  );
}

/** Whether this administrator gets an email each morning. */
function DailySummary({ id }: { id: number }) {
  const { response } = useApiQuery(monitoring.getAlertDigest, { params: { id } }, { silent: true });
  const { mutate, isPending } = useApiMutation(monitoring.updateAlertDigest, {
    success: t('Daily summary saved'),
    invalidates: [monitoring.getAlertDigest],
  });
  const on = response?.data.on ?? null;
  // Its owner and platform staff see the page without being its administrator.
  if (on === null) return null;
  return (
    <Switch
      label={t('Email me a daily summary')}
      checked={on}
      disabled={isPending}
      onChange={({ currentTarget: { checked } }) =>
        void mutate({ params: { id }, body: { on: checked } })
      }
    />
  );
}
