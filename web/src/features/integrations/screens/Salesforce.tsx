import { IconCloud } from '@tabler/icons-react';
import { t } from '#ui';
import { AccountsPage } from '../AccountsPage.tsx';
import { SalesforceCard } from '../salesforce/SalesforceCard.tsx';

/** Salesforce orgs that calls and texts are logged in. */
export default function Salesforce() {
  return (
    <AccountsPage
      provider="salesforce"
      title={t('Salesforce')}
      description={t(
        'Logs calls and texts with your leads and contacts, adds who is new, and fills in the names of your callers.',
      )}
      empty={{
        icon: IconCloud,
        title: t('Salesforce isn’t connected'),
        text: t('Connect your org, then choose what is logged.'),
      }}
      connect={{ first: t('Connect Salesforce'), another: t('Connect another org') }}
      card={(account) => <SalesforceCard account={account} />}
      guide={{
        steps: [
          t('In Salesforce, allow the External Client App of this server for your users.'),
          t('Connect with a person who can create leads, contacts and tasks.'),
          t('Choose what a new person becomes, and which fields are filled.'),
          t('Open Dry run to see what would have been logged.'),
          t('Make a call, and look at the lead in Salesforce.'),
        ],
        checked: t(
          'Checked against Salesforce’s public reference, with a simulated org. No live org has been used.',
        ),
      }}
    />
  );
}
