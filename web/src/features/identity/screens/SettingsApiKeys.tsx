import { useState } from 'react';
import { Button, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { accessTokens } from '#contract';
import {
  confirm,
  DataList,
  EmptyState,
  t,
  Time,
  useApiMutation,
  useApiQuery,
  type Column,
} from '#ui';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import { CreateApiKey } from '../CreateApiKey.tsx';
import { scopeLabel } from '../scope-labels.ts';

type Key = accessTokens.PersonalAccessToken;

/** API keys of the selected company: one's own, or everyone's for administrators. */
export default function SettingsApiKeys() {
  const [creating, setCreating] = useState(false);
  const { response, error, loading, refetch } = useApiQuery(
    accessTokens.listPersonalAccessTokens,
    {},
    { silent: true },
  );
  const revoke = useApiMutation(accessTokens.deletePersonalAccessToken, {
    invalidates: [accessTokens.listPersonalAccessTokens],
    success: t('API key revoked'),
  });
  const onRevoke = async (key: Key): Promise<void> => {
    const sure = await confirm({
      title: t('Revoke “{name}”?', { name: key.name }),
      body: t('Programs that use this key stop working at once. This can’t be undone.'),
      confirmLabel: t('Revoke'),
      danger: true,
    });
    if (sure) await revoke.mutate({ params: { id: key.id }, query: {} });
  };
  const add = <Button onClick={() => setCreating(true)}>{t('New API key')}</Button>;
  return (
    <SettingsFrame
      title={t('API keys')}
      layout="fill"
      description={t('Keys let your programs use this company’s data, never beyond your own role.')}
      action={add}
    >
      <DataList
        label={t('API keys')}
        rows={response?.data}
        loading={loading}
        error={error}
        refetch={refetch}
        rowKey={(key) => key.id}
        rowLabel={(key) => key.name}
        columns={columnsWith((key) => void onRevoke(key))}
        empty={
          <EmptyState
            icon={<IconKey size={28} stroke={1.5} />}
            title={t('No API keys yet')}
            action={add}
          >
            {t('Create one to use the API from your own programs.')}
          </EmptyState>
        }
      />
      {creating && <CreateApiKey onClose={() => setCreating(false)} />}
    </SettingsFrame>
  );
}

const columnsWith = (onRevoke: (key: Key) => void): Column<Key>[] => [
  {
    key: 'name',
    title: t('Name'),
    width: 'minmax(140px, 1.4fr)',
    cell: (key) => (
      <span>
        {key.name} <code>{key.prefix}…</code>
      </span>
    ),
  },
  { key: 'user', title: t('Owner'), width: '140px', wideOnly: true, cell: (key) => key.user.name },
  {
    key: 'scopes',
    title: t('May'),
    width: 'minmax(160px, 2fr)',
    wideOnly: true,
    cell: (key) => (
      <span title={key.scopes.map(scopeLabel).join('\n')}>{key.scopes.join(', ')}</span>
    ),
  },
  {
    key: 'last_used_at',
    title: t('Last used'),
    width: '140px',
    cell: (key) =>
      key.last_used_at ? (
        <span title={key.last_used_ip ?? ''}>
          <Time at={key.last_used_at} as="ago" />
        </span>
      ) : (
        <Text c="dimmed">{t('Never')}</Text>
      ),
  },
  {
    key: 'expires_at',
    title: t('Expires'),
    width: '120px',
    cell: (key) =>
      key.expires_at ? (
        <Time at={key.expires_at} as="date" />
      ) : (
        <Text c="dimmed">{t('Never')}</Text>
      ),
  },
  {
    key: 'do',
    title: '',
    width: '90px',
    align: 'end',
    cell: (key) => (
      <Button
        size="compact-sm"
        variant="subtle"
        color="red"
        aria-label={t('Revoke {name}', { name: key.name })}
        onClick={() => onRevoke(key)}
      >
        {t('Revoke')}
      </Button>
    ),
  },
];
