import { IconCar } from '@tabler/icons-react';
import { adf as contract } from '#contract';
import { t, useApiQuery, useCompanyId, usePermission } from '#ui';
import { ReceiversPage } from '../../../shared/ReceiversPage.tsx';
import { SetUpGuide } from '../../../shared/SetUpGuide.tsx';
import { AdfCard } from '../adf/AdfCard.tsx';
import { AdfDialog } from '../adf/AdfDialog.tsx';

/** Where leads are sent as ADF XML. */
export default function Adf() {
  const companyId = useCompanyId() ?? 0;
  const mayEdit = usePermission('integrations.edit');
  const query = useApiQuery(contract.listAdfIntegrations, { params: { companyId } });
  return (
    <ReceiversPage
      title={t('ADF XML')}
      description={t(
        'Sends new leads to the CRM of a car dealer, in the format that they all read.',
      )}
      query={query}
      empty={{
        icon: IconCar,
        title: t('No CRM yet'),
        text: t('CRMs that get your leads appear here.'),
      }}
      adding={
        mayEdit ? { label: t('Add CRM'), dialog: (close) => <AdfDialog close={close} /> } : null
      }
      card={(one) => <AdfCard integration={one} />}
      below={
        <SetUpGuide
          steps={[
            t('Ask your CRM for its lead address: an email address, or a URL that takes ADF.'),
            t('Add the CRM with the dealer’s name and ID as it knows them.'),
            t('Open Dry run to see the leads that would have been sent.'),
            t('Call a number, and look for the lead in the CRM.'),
          ]}
          checked={t(
            'The documents are checked against the ADF 1.0 format. No live CRM has been used.',
          )}
        />
      }
    />
  );
}
