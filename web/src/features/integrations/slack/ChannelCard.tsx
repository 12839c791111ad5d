import { Button } from '@mantine/core';
import { oauthIntegrations, slack as contract } from '#contract';
import { formatNumber, t, useApiMutation, useCompanyId } from '#ui';
import { DestinationCard } from '../DestinationCard.tsx';
import { eventLabel } from '../../../shared/delivery-labels.ts';
import { ChannelDialog } from './ChannelDialog.tsx';
import { channelOf, configOf, eventsOf, withoutChannel, type Workspace } from './config.ts';

type Place = Workspace['destinations'][number];

/** A channel: what is posted there, how it is doing, and what can be done. */
export function ChannelCard({ workspace, place }: { workspace: Workspace; place: Place }) {
  const companyId = useCompanyId() ?? 0;
  const params = { companyId, id: workspace.id };
  const { mutate, isPending } = useApiMutation(contract.configureSlack, {
    invalidates: [oauthIntegrations.listOAuthIntegrations],
    success: t('Channel removed'),
  });
  const isOn = workspace.status === 'active' || workspace.status === 'error';
  return (
    <DestinationCard
      destination={place}
      state={!isOn ? 'off' : place.last_error ? 'failing' : 'active'}
      rows={[
        [t('Workspace'), workspace.account.name],
        [t('Posts when'), postsWhen(workspace, place.key)],
        [
          t('Last 30 days'),
          t('{sent} sent, {failed} failed', {
            sent: formatNumber(place.sent_30d),
            failed: formatNumber(place.failed_30d),
          }),
        ],
      ]}
      lastSentAt={place.last_sent_at}
      messages={place.last_error ? [place.last_error.text] : []}
      edit={{
        label: t('Edit'),
        dialog: (close) => (
          <ChannelDialog workspace={workspace} channelId={place.key} close={close} />
        ),
      }}
      actions={<SendTest workspace={workspace} channelId={place.key} />}
      remove={{
        question: t('Nothing more is posted there, and the log of its messages is deleted.'),
        run: () =>
          mutate({
            params,
            body: { config: withoutChannel(workspace, place.key), test_channels: [] },
          }),
        isPending,
      }}
    />
  );
}

function postsWhen(workspace: Workspace, channelId: string): string {
  const channel = channelOf(workspace, channelId);
  const alerts = channel?.alerts ? [t('New alert')] : [];
  return [...eventsOf(channel).map(eventLabel), ...alerts].join(', ') || t('Never');
}

function SendTest({ workspace, channelId }: { workspace: Workspace; channelId: string }) {
  const companyId = useCompanyId() ?? 0;
  const { mutate, isPending } = useApiMutation(contract.configureSlack, {
    invalidates: [oauthIntegrations.listOAuthIntegrations],
    success: t('Test message sent'),
  });
  return (
    <Button
      variant="default"
      size="compact-sm"
      loading={isPending}
      onClick={() =>
        void mutate({
          params: { companyId, id: workspace.id },
          body: { config: configOf(workspace), test_channels: [channelId] },
        })
      }
    >
      {t('Send test message')}
    </Button>
  );
}
