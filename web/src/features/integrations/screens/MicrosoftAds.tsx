import { IconBrandBing } from '@tabler/icons-react';
import { t } from '#ui';
import { AccountsPage } from '../AccountsPage.tsx';
import { MicrosoftCard } from '../microsoftads/MicrosoftCard.tsx';

/** Accounts of Microsoft Ads that count calls as conversions. */
export default function MicrosoftAds() {
  return (
    <AccountsPage
      provider="microsoftads"
      title={t('Microsoft Ads')}
      description={t('Counts calls as conversions of your ads on Bing and its partners.')}
      empty={{
        icon: IconBrandBing,
        title: t('Microsoft Ads isn’t connected'),
        text: t('Connect your account, then choose which calls count.'),
      }}
      connect={{ first: t('Connect Microsoft Ads'), another: t('Connect another account') }}
      card={(account) => <MicrosoftCard account={account} />}
      guide={{
        steps: [
          t('Install the tracking script on your website and put numbers in a pool.'),
          t('In Microsoft Ads, turn on auto-tagging of the Microsoft click ID.'),
          t('In Microsoft Ads, create a conversion goal of the type Offline. Wait two hours.'),
          t('Connect with a person who can edit that ad account.'),
          t('Choose the ad account, the goal, and which calls count.'),
          t('If you have several ad accounts, limit each to the numbers of one website.'),
          t('Open Dry run to see which calls would have been sent.'),
        ],
        checked: t(
          'Checked against Microsoft’s public reference of offline conversions, with a simulated account. No live account has been used.',
        ),
      }}
    />
  );
}
