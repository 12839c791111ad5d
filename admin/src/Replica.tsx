import { Group } from '@mantine/core';
import type { Answer, support } from '#contract';
import { StatusBadge, t } from '#ui';

type Database = Answer<typeof support.getSystemStatus>['data']['database'];

/** Seconds; short of that the replica keeps up. */
const MOST_BEHIND = 10;

/** The read replica, where there is one. */
export const replicaFacts = (replica: Database['replica']): [string, React.ReactNode][] =>
  replica ? [[t('Read replica'), <Replica key="replica" behind={replica.behind_seconds} />]] : [];

function Replica({ behind }: { behind: number | null }) {
  if (behind === null)
    return (
      <Group gap="xs">
        <StatusBadge tone="danger">{t('Failing')}</StatusBadge>
        {t('It doesn’t answer, or it copies another database. Reports read the main database.')}
      </Group>
    );
  return (
    <Group gap="xs">
      {behind < MOST_BEHIND ? (
        <StatusBadge tone="success">{t('Working')}</StatusBadge>
      ) : (
        <StatusBadge tone="danger">{t('Failing')}</StatusBadge>
      )}
      {t('{n, plural, one {# second behind} other {# seconds behind}}', { n: Math.round(behind) })}
    </Group>
  );
}
