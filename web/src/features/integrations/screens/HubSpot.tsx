import { IconAffiliate } from '@tabler/icons-react';
import { t } from '#ui';
import { AccountsPage } from '../AccountsPage.tsx';
import { HubspotCard } from '../hubspot/HubspotCard.tsx';

/** Accounts of HubSpot that calls and texts are logged in. */
export default function HubSpot() {
  return (
    <AccountsPage
      provider="hubspot"
      title={t('HubSpot')}
      description={t(
        'Logs calls and texts on the timelines of your contacts, adds who is new, and fills in the names of your callers.',
      )}
      empty={{
        icon: IconAffiliate,
        title: t('HubSpot isn’t connected'),
        text: t('Connect your account, then choose what is logged.'),
      }}
      connect={{ first: t('Connect HubSpot'), another: t('Connect another account') }}
      card={(account) => <HubspotCard account={account} />}
      guide={{
        steps: [
          t('Connect with a person who can install apps in HubSpot.'),
          t('Choose which calls and texts are logged, and which fields are filled.'),
          t('Open Dry run to see what would have been logged.'),
          t('Make a call, and look at the contact in HubSpot.'),
        ],
        checked: t(
          'Contacts, calls and tokens are checked against HubSpot’s own API documents, the rest against its public reference. No live account has been used.',
        ),
      }}
    />
  );
}
