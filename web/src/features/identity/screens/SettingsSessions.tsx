import { Badge, Button, Text } from '@mantine/core';
import { identity, type Answer } from '#contract';
import {
  confirm,
  DataList,
  EmptyState,
  t,
  Time,
  useApiMutation,
  useApiQuery,
  useCompanyId,
  usePermission,
  type Column,
} from '#ui';
import { EndEveryonesSessions } from '../security/EndEveryonesSessions.tsx';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';

type Session = Answer<typeof identity.listTokenSessions>['data'][number];

/** Where the person is signed in; each session can be ended. */
export default function SettingsSessions() {
  const { response, error, loading, refetch } = useApiQuery(
    identity.listTokenSessions,
    {},
    { silent: true },
  );
  const mayEndAll = usePermission('users.edit');
  const hasCompany = useCompanyId() !== null;
  const invalidates = [identity.listTokenSessions];
  const end = useApiMutation(identity.endTokenSession, {
    invalidates,
    success: t('Session ended'),
  });
  const endOthers = useApiMutation(identity.clearTokenSessions, {
    invalidates,
    success: t('Signed out everywhere else'),
  });
  const others = (response?.data ?? []).filter((session) => !session.current);
  const onEndOthers = async (): Promise<void> => {
    const sure = await confirm({
      title: t('Sign out everywhere else?'),
      body: t('{n, plural, one {# other session ends} other {# other sessions end}} at once.', {
        n: others.length,
      }),
      confirmLabel: t('Sign out'),
      danger: true,
    });
    if (sure) await endOthers.mutate({});
  };
  return (
    <SettingsFrame
      title={t('Sessions')}
      description={t('The browsers and apps in which you are signed in.')}
      action={
        others.length > 0 && (
          <Button variant="default" onClick={() => void onEndOthers()}>
            {t('Sign out everywhere else')}
          </Button>
        )
      }
    >
      <DataList
        label={t('Sessions')}
        rows={response?.data}
        loading={loading}
        error={error}
        refetch={refetch}
        rowKey={(session) => session.id}
        rowLabel={nameOf}
        columns={columnsWith((id) => void end.mutate({ params: { id } }))}
        empty={
          <EmptyState title={t('No sessions')}>{t('Sessions you open appear here.')}</EmptyState>
        }
      />
      {mayEndAll && hasCompany && <EndEveryonesSessions />}
    </SettingsFrame>
  );
}

const nameOf = ({ device_name, device }: Session): string =>
  device_name ? `${device_name} (${device})` : device;

const columnsWith = (onEnd: (id: number) => void): Column<Session>[] => [
  {
    key: 'device',
    title: t('Device'),
    width: 'minmax(160px, 2fr)',
    cell: (session) => (
      <span>
        {nameOf(session)} {session.current && <Badge variant="light">{t('This session')}</Badge>}
      </span>
    ),
  },
  {
    key: 'ip',
    title: t('Address'),
    width: '160px',
    cell: (session) => session.ip ?? <Text c="dimmed">{t('Unknown')}</Text>,
  },
  {
    key: 'created_at',
    title: t('Signed in'),
    width: '130px',
    wideOnly: true,
    cell: (session) => <Time at={session.created_at} as="ago" />,
  },
  {
    key: 'last_seen_at',
    title: t('Last used'),
    width: '130px',
    cell: (session) => <Time at={session.last_seen_at} as="ago" />,
  },
  {
    key: 'do',
    title: '',
    width: '80px',
    align: 'end',
    cell: (session) =>
      !session.current && (
        <Button
          size="compact-sm"
          variant="subtle"
          aria-label={t('End {name}', { name: nameOf(session) })}
          onClick={() => onEnd(session.id)}
        >
          {t('End')}
        </Button>
      ),
  },
];
