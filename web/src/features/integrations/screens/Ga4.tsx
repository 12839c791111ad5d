import { IconChartBar } from '@tabler/icons-react';
import { ga4 as contract } from '#contract';
import { t, useApiQuery, useCompanyId, usePermission } from '#ui';
import { ReceiversPage } from '../../../shared/ReceiversPage.tsx';
import { SetUpGuide } from '../../../shared/SetUpGuide.tsx';
import { Ga4Card } from '../ga4/Ga4Card.tsx';
import { Ga4Dialog } from '../ga4/Ga4Dialog.tsx';

/** Where calls and texts are sent to Google Analytics. */
export default function Ga4() {
  const companyId = useCompanyId() ?? 0;
  const mayEdit = usePermission('integrations.edit');
  const query = useApiQuery(contract.listGa4Integrations, { params: { companyId } });
  return (
    <ReceiversPage
      title={t('Google Analytics')}
      description={t('Sends calls and texts to Google Analytics 4 as events, without who called.')}
      query={query}
      empty={{
        icon: IconChartBar,
        title: t('No property yet'),
        text: t('Properties that get your events appear here.'),
      }}
      adding={
        mayEdit
          ? { label: t('Add property'), dialog: (close) => <Ga4Dialog close={close} /> }
          : null
      }
      card={(one) => <Ga4Card integration={one} />}
      below={
        <SetUpGuide
          steps={[
            t('In Google Analytics, open Admin, Data streams, and choose the website.'),
            t('Copy its measurement ID, and create an API secret under Measurement Protocol.'),
            t('Add the property here. Google checks the events before it is saved.'),
            t('Call a number, and look at Realtime in Google Analytics.'),
          ]}
          checked={t(
            'Checked against the public reference of the Measurement Protocol. No live property has been used.',
          )}
        />
      }
    />
  );
}
