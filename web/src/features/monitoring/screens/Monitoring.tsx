import { Anchor } from '@mantine/core';
import { Page, t, useCompanyId, usePermission, useTitle } from '#ui';
import { AlertFilters, AlertList, AlertSummary, useAlerts } from '../AlertList.tsx';

/** What the company should look at: open alerts first, the gravest first. */
export default function Monitoring() {
  useTitle(t('Alerts'));
  const scope = { company_id: useCompanyId() };
  const alerts = useAlerts(scope);
  const maySet = usePermission('settings.edit');
  return (
    <Page
      title={t('Alerts')}
      layout="fill"
      description={<AlertSummary scope={scope} />}
      action={maySet && <Anchor href="/settings/alerts">{t('Alert settings')}</Anchor>}
      filters={<AlertFilters {...alerts} />}
    >
      <AlertList scope={scope} alerts={alerts} />
    </Page>
  );
}
