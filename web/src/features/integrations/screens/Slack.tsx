import { Stack } from '@mantine/core';
import { IconBrandSlack } from '@tabler/icons-react';
import { oauthIntegrations as contract } from '#contract';
import { t, useApiQuery, useCompanyId, usePermission } from '#ui';
import { openConsent } from '../../../shared/open-consent.ts';
import { ReceiversPage } from '../../../shared/ReceiversPage.tsx';
import { ChannelCard } from '../slack/ChannelCard.tsx';
import { WorkspaceCard } from '../slack/WorkspaceCard.tsx';

/** Channels of Slack that calls, texts and forms are posted to. */
export default function Slack() {
  const companyId = useCompanyId() ?? 0;
  const mayEdit = usePermission('integrations.edit');
  const { response, error, refetch } = useApiQuery(contract.listOAuthIntegrations, {
    params: { companyId },
  });
  const isReady = response?.providers.some(({ name, ready }) => name === 'slackbot' && ready);
  return (
    <ReceiversPage
      title={t('Slack')}
      description={t('Posts missed calls, voicemails, texts and leads where your team talks.')}
      query={{
        response: response && {
          data: response.data.filter(({ provider }) => provider === 'slackbot'),
          meta: response.meta,
        },
        error,
        refetch,
      }}
      empty={{
        icon: IconBrandSlack,
        title: t('Slack isn’t connected'),
        text: isReady
          ? t('Connect your workspace, then choose channels.')
          : t('The operator of this server decides which tools can be connected.'),
      }}
      adding={
        mayEdit && isReady
          ? {
              label: response?.data.some(({ provider }) => provider === 'slackbot')
                ? t('Connect another workspace')
                : t('Connect Slack'),
              run: () => openConsent(companyId, 'slackbot'),
            }
          : null
      }
      card={(workspace) => (
        <Stack gap="md">
          <WorkspaceCard workspace={workspace} />
          {workspace.destinations.map((place) => (
            <ChannelCard key={place.id} workspace={workspace} place={place} />
          ))}
        </Stack>
      )}
    />
  );
}
