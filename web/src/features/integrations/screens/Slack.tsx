import { IconBrandSlack } from '@tabler/icons-react';
import { t } from '#ui';
import { AccountsPage } from '../AccountsPage.tsx';
import { ChannelCard } from '../slack/ChannelCard.tsx';
import { WorkspaceCard } from '../slack/WorkspaceCard.tsx';

/** Channels of Slack that calls, texts and forms are posted to. */
export default function Slack() {
  return (
    <AccountsPage
      provider="slackbot"
      title={t('Slack')}
      description={t('Posts missed calls, voicemails, texts and leads where your team talks.')}
      empty={{
        icon: IconBrandSlack,
        title: t('Slack isn’t connected'),
        text: t('Connect your workspace, then choose channels.'),
      }}
      connect={{ first: t('Connect Slack'), another: t('Connect another workspace') }}
      guide={{
        steps: [
          t('Connect with a person who can install apps in your workspace.'),
          t('Add a channel, and choose what is posted there.'),
          t('A test message appears in the channel.'),
        ],
        checked: t(
          'Checked against Slack’s public reference, with a simulated workspace. No live account has been used.',
        ),
      }}
      card={(workspace) => (
        <>
          <WorkspaceCard workspace={workspace} />
          {workspace.destinations.map((place) => (
            <ChannelCard key={place.id} workspace={workspace} place={place} />
          ))}
        </>
      )}
    />
  );
}
