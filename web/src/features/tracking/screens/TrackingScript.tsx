import { Alert, Button } from '@mantine/core';
import { tracking } from '#contract';
import {
  confirm,
  ErrorState,
  Page,
  t,
  useApiMutation,
  useApiQuery,
  useCompanyId,
  usePermission,
} from '#ui';
import { FormLeads } from '../script/FormLeads.tsx';
import { InstallSnippets } from '../script/InstallSnippets.tsx';
import { OwnSubdomain } from '../script/OwnSubdomain.tsx';
import { SeenSites } from '../script/SeenSites.tsx';
import { TestPage } from '../script/TestPage.tsx';
import { TrackingTabs } from '../TrackingTabs.tsx';

/** The script for the company's websites: to copy, to test, and where it runs. */
export default function TrackingScript() {
  const params = { companyId: useCompanyId() ?? 0 };
  const { response, error, refetch } = useApiQuery(
    tracking.getScript,
    { params },
    { silent: true },
  );
  const mayEdit = usePermission('dni.edit');
  const { mutate, isPending } = useApiMutation(tracking.updateScript, {
    invalidates: [tracking.getScript],
  });
  const script = response?.data;
  const turn = async (isEnabled: boolean): Promise<void> => {
    const sure =
      isEnabled ||
      (await confirm({
        title: t('Switch the script off?'),
        body: t('Every page shows its own numbers, and new visits aren’t recorded.'),
        confirmLabel: t('Switch off'),
        danger: true,
      }));
    if (sure) await mutate({ params, body: { isEnabled } });
  };
  const action = mayEdit && script && (
    <Button variant="default" loading={isPending} onClick={() => void turn(!script.isEnabled)}>
      {script.isEnabled ? t('Switch off') : t('Switch on')}
    </Button>
  );
  return (
    <Page
      title={t('Script')}
      description={t(
        'Shows each visitor of your website the number that tells where they came from.',
      )}
      action={action}
      filters={<TrackingTabs />}
    >
      {error && !script && <ErrorState error={error} retry={refetch} />}
      {script && (
        <>
          {!script.isEnabled && (
            <Alert color="yellow">
              {t('The script is off: every page shows its own numbers.')}
            </Alert>
          )}
          <InstallSnippets script={script} />
          <OwnSubdomain key={script.firstParty.host} script={script} mayEdit={mayEdit} />
          {mayEdit && <TestPage />}
          <FormLeads script={script} mayEdit={mayEdit} />
          <SeenSites script={script} />
        </>
      )}
    </Page>
  );
}
