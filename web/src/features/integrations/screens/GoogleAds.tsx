import { IconBrandGoogle } from '@tabler/icons-react';
import { t } from '#ui';
import { AccountsPage } from '../AccountsPage.tsx';
import { GoogleCard } from '../googleads/GoogleCard.tsx';

/** Accounts of Google Ads that count calls as conversions. */
export default function GoogleAds() {
  return (
    <AccountsPage
      provider="googleads"
      title={t('Google Ads')}
      description={t('Counts calls as conversions of the ads that led to them.')}
      empty={{
        icon: IconBrandGoogle,
        title: t('Google Ads isn’t connected'),
        text: t('Connect your account, then choose which calls count.'),
      }}
      connect={{ first: t('Connect Google Ads'), another: t('Connect another account') }}
      card={(account) => <GoogleCard account={account} />}
      guide={{
        steps: [
          t('Install the tracking script on your website and put numbers in a pool.'),
          t('In Google Ads, turn on auto-tagging in the account settings.'),
          t('In Google Ads, create a conversion action that imports from other data sources.'),
          t('Connect with a person who can edit that Google Ads account.'),
          t('Choose the customer, and which action counts which calls.'),
          t('Open Dry run: Google says whether it would take the newest call.'),
        ],
        checked: t(
          'Requests are checked against Google’s own definitions of the Data Manager API, lists against its public reference, both with a simulated account. No live account has been used.',
        ),
      }}
    />
  );
}
