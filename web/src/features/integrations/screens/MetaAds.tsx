import { IconBrandMeta } from '@tabler/icons-react';
import { t } from '#ui';
import { AccountsPage } from '../AccountsPage.tsx';
import { MetaCard } from '../metaads/MetaCard.tsx';

/** Accounts of Meta that count calls as conversions. */
export default function MetaAds() {
  return (
    <AccountsPage
      provider="metaads"
      title={t('Meta Ads')}
      description={t('Counts calls as conversions of your ads on Facebook and Instagram.')}
      empty={{
        icon: IconBrandMeta,
        title: t('Meta isn’t connected'),
        text: t('Connect your account, then choose which calls count.'),
      }}
      connect={{ first: t('Connect Meta'), another: t('Connect another account') }}
      card={(account) => <MetaCard account={account} />}
      guide={{
        steps: [
          t('Install the tracking script on your website and put numbers in a pool.'),
          t('In the pool, capture the cookies _fbc and _fbp.'),
          t('Connect with a person who manages your ad account in Meta.'),
          t('Choose the dataset, and when a call counts.'),
          t('Enter a test code from Events Manager, make a call, and look at it there.'),
          t('Remove the code.'),
        ],
        checked: t(
          'Checked against the public reference of Meta’s Conversions API, with a simulated account. No live account has been used.',
        ),
      }}
    />
  );
}
