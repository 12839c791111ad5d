import { useState } from 'react';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { sso as contract, type Answer } from '#contract';
import { confirm, Section, StatusBadge, t, Time, useApiMutation } from '#ui';
import { Copyable } from '../../../shared/Copyable.tsx';

type Scim = Answer<typeof contract.getSso>['data']['scim'];

/** The directory that keeps the organization's people up to date, and its token. */
export function Directory({ organizationId: id, scim }: { organizationId: number; scim: Scim }) {
  const { url, made_at: madeAt } = scim;
  const [token, setToken] = useState<string | null>(null);
  const make = useApiMutation(contract.makeScimToken, {
    idempotencyKey: false,
    onSuccess: ({ data }) => setToken(data.token),
    invalidates: [contract.getSso],
  });
  const askMake = async (): Promise<void> => {
    const isSure =
      !madeAt ||
      (await confirm({
        title: t('Replace the token?'),
        body: t('The one before stops working at once. Enter the new one at your directory.'),
        confirmLabel: t('Replace'),
      }));
    if (isSure) await make.mutate({ params: { id } });
  };
  return (
    <Section
      title={t('Directory')}
      about={t(
        'Okta, Entra ID or another directory adds, changes and deactivates people by SCIM 2.0. Its groups give what your access rules say.',
      )}
      action={
        madeAt ? (
          <StatusBadge tone="success">{t('Connected')}</StatusBadge>
        ) : (
          <StatusBadge tone="neutral">{t('Not set up')}</StatusBadge>
        )
      }
    >
      <Stack>
        <Copyable label={t('Base URL to enter at the directory')} value={url} />
        {token !== null && (
          <Alert color="teal" role="status">
            <Copyable label={t('Token, shown only now')} value={token} />
          </Alert>
        )}
        {madeAt && <Use scim={scim} />}
        <Group>
          <Button variant="default" loading={make.isPending} onClick={() => void askMake()}>
            {madeAt ? t('Replace the token') : t('Make a token')}
          </Button>
          {madeAt && <Revoke organizationId={id} onRevoked={() => setToken(null)} />}
        </Group>
      </Stack>
    </Section>
  );
}

/** What the directory has sent, and when it was last here. */
const Use = ({ scim: { users, groups, last_used_at: usedAt } }: { scim: Scim }) => (
  <Text fz="sm" c="dimmed">
    {t('{n, plural, one {# person} other {# people}}', { n: users })}
    {' · '}
    {t('{n, plural, one {# group} other {# groups}}', { n: groups })}
    {' · '}
    {usedAt ? (
      <>
        {t('Last used')} <Time at={usedAt} as="ago" />
      </>
    ) : (
      t('Not used yet')
    )}
  </Text>
);

function Revoke({
  organizationId: id,
  onRevoked,
}: {
  organizationId: number;
  onRevoked: () => void;
}) {
  const { mutate } = useApiMutation(contract.revokeScimToken, {
    success: t('Token revoked'),
    onSuccess: onRevoked,
    invalidates: [contract.getSso],
  });
  const ask = async (): Promise<void> => {
    const isSure = await confirm({
      title: t('Revoke the token?'),
      body: t('The directory no longer changes anyone. Everyone keeps the access they have.'),
      confirmLabel: t('Revoke'),
      danger: true,
    });
    if (isSure) await mutate({ params: { id } });
  };
  return (
    <Button variant="subtle" color="red" onClick={() => void ask()}>
      {t('Revoke')}
    </Button>
  );
}
