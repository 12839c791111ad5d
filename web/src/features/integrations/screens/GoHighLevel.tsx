import { IconTrendingUp } from '@tabler/icons-react';
import { t } from '#ui';
import { AccountsPage } from '../AccountsPage.tsx';
import { HighLevelCard } from '../gohighlevel/HighLevelCard.tsx';

/** Locations of GoHighLevel that calls and texts add contacts to. */
export default function GoHighLevel() {
  return (
    <AccountsPage
      provider="gohighlevel"
      title={t('GoHighLevel')}
      description={t('Adds who calls or texts as contacts, with tags, notes and opportunities.')}
      empty={{
        icon: IconTrendingUp,
        title: t('GoHighLevel isn’t connected'),
        text: t('Connect your sub-account, then choose what it gets.'),
      }}
      connect={{ first: t('Connect GoHighLevel'), another: t('Connect another sub-account') }}
      card={(account) => <HighLevelCard account={account} />}
      guide={{
        steps: [
          t('Connect with a person who can install apps in your GoHighLevel sub-account.'),
          t('On the consent page, choose the sub-account, not the agency.'),
          t('Choose which calls and texts add contacts, and their tags.'),
          t('Choose a pipeline stage if new people become opportunities.'),
          t('Open Dry run to see what would have been sent.'),
          t('Make a call, and look at the contact in GoHighLevel.'),
        ],
        checked: t(
          'Contacts, notes and tokens are checked against GoHighLevel’s own API documents, the rest against its public reference. No live account has been used.',
        ),
      }}
    />
  );
}
