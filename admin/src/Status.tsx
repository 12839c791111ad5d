import { Button, Group, Skeleton, Stack, Table } from '@mantine/core';
import { support, type Answer } from '#contract';
import {
  ErrorState,
  Facts,
  formatBytes,
  Page,
  Section,
  StatusBadge,
  t,
  Time,
  useApiMutation,
  useApiQuery,
  type Tone,
} from '#ui';
import { fillFacts } from './Fills.tsx';
import { replicaFacts } from './Replica.tsx';
import css from './Status.module.css';

type SystemStatus = Answer<typeof support.getSystemStatus>['data'];
type Health = SystemStatus['mail']['status'];

const REFRESH_MS = 5000;

/** How this installation is doing: jobs, third parties, storage, database. */
export function Status() {
  const { response, error, refetch } = useApiQuery(
    support.getSystemStatus,
    {},
    { silent: true, refetchInterval: REFRESH_MS },
  );
  const status = response?.data;
  return (
    <Page title={t('Status')} description={t('Refreshes every few seconds.')}>
      {error && !status && <ErrorState error={error} retry={refetch} />}
      {!status && !error && <Skeleton height={240} />}
      {status && (
        <>
          <Section title={t('Installation')}>
            <Facts rows={factsOf(status)} />
          </Section>
          <Section title={t('Third parties')}>
            <Facts
              rows={status.third_parties.map(({ kind, name, status: health }) => [
                t('{kind}: {name}', { kind: kinds[kind]?.() ?? kind, name }),
                <HealthBadge key={name} health={health} />,
              ])}
            />
          </Section>
          <Section title={t('Jobs')}>
            <Jobs jobs={status.jobs} />
          </Section>
        </>
      )}
    </Page>
  );
}

const kinds: Record<string, () => string> = {
  carrier: () => t('Carrier'),
  fax: () => t('Fax'),
  push: () => t('Push'),
  mail: () => t('Email'),
};

const factsOf = (status: SystemStatus): [string, React.ReactNode][] => [
  [
    t('Email'),
    <Group key="mail" gap="xs">
      <HealthBadge health={status.mail.status} />
      {t('{waiting, number} waiting, {failed, number} failed', status.mail)}
    </Group>,
  ],
  [
    t('Events'),
    t('{n, plural, one {# event waiting} other {# events waiting}}', {
      n: status.events.unpublished,
    }),
  ],
  [t('Files'), storageText(status.storage)],
  [
    t('Database'),
    t('PostgreSQL {version}, {size}', {
      version: status.database.version,
      size: formatBytes(status.database.bytes),
    }),
  ],
  ...replicaFacts(status.database.replica),
  [
    t('Migrations'),
    t('{n, number} applied, last {last}', {
      n: status.migrations.applied,
      last: status.migrations.last,
    }),
  ],
  [t('Backups'), <Backups key="backups" backups={status.backups} />],
  [t('Report totals'), <CallSums key="call sums" sums={status.call_sums} />],
  ...fillFacts(status.fills),
  [t('Processes'), status.processes.map((p) => `${p.process} (${p.connections})`).join(', ')],
  [t('Node.js'), status.node],
];

function Backups({
  backups: { scheduled, last_good: good, failed },
}: {
  backups: SystemStatus['backups'];
}) {
  return (
    <Stack gap={4} align="flex-start">
      {good ? (
        <span>
          <Time at={good.at} as="ago" />, {formatBytes(good.bytes)}, {good.place}/{good.name}.{' '}
          {good.checked ? t('A copy was started from it and compared.') : t('It wasn’t tried out.')}
        </span>
      ) : (
        <span>{t('There is no backup yet.')}</span>
      )}
      {failed && (
        <Group gap="xs">
          <StatusBadge tone="danger">{t('Failed')}</StatusBadge>
          <span>
            <Time at={failed.at} as="ago" />: {failed.reason}
          </span>
        </Group>
      )}
      {!scheduled && (
        <Group gap="xs">
          <StatusBadge tone="warn">{t('Not set up')}</StatusBadge>
          {t('Set BACKUP_TO to make one every day.')}
        </Group>
      )}
    </Stack>
  );
}

/** Totals of calls and texts that reports read: whether they are complete, and what the nightly check found. */
function CallSums({
  sums: { counting, checked_at: checked, repaired },
}: {
  sums: SystemStatus['call_sums'];
}) {
  return (
    <Stack gap={4} align="flex-start">
      {counting > 0 && (
        <Group gap="xs">
          <StatusBadge tone="neutral">{t('In progress')}</StatusBadge>
          {t('{n, plural, one {# company left to count} other {# companies left to count}}', {
            n: counting,
          })}
        </Group>
      )}
      {checked ? (
        <span>
          {t('Last checked:')} <Time at={checked} as="ago" />
        </span>
      ) : (
        <span>{t('Not checked yet. They’re checked every night.')}</span>
      )}
      {repaired && (
        <Group gap="xs">
          <StatusBadge tone="danger">{t('Corrected')}</StatusBadge>
          <span>
            <Time at={repaired.at} as="ago" />:{' '}
            {t('{n, plural, one {# total was wrong} other {# totals were wrong}}', {
              n: repaired.sums,
            })}
          </span>
        </Group>
      )}
    </Stack>
  );
}

const storageText = (storage: SystemStatus['storage']): string => {
  const used = { n: storage.files, used: formatBytes(storage.used_bytes) };
  return storage.free_bytes === null
    ? t('{n, plural, one {# file} other {# files}}, {used} in S3', used)
    : t('{n, plural, one {# file} other {# files}}, {used}. {free} free.', {
        ...used,
        free: formatBytes(storage.free_bytes),
      });
};

const healthLabels: Record<Health, [tone: Tone, label: () => string]> = {
  ok: ['success', () => t('Working')],
  failing: ['danger', () => t('Failing')],
  set_up: ['neutral', () => t('Set up')],
  not_set_up: ['warn', () => t('Not set up')],
};
const HealthBadge = ({ health }: { health: Health }) => (
  <StatusBadge tone={healthLabels[health][0]}>{healthLabels[health][1]()}</StatusBadge>
);

function Jobs({ jobs }: { jobs: SystemStatus['jobs'] }) {
  const { mutate, isPending } = useApiMutation(support.retryFailedJobs, {
    success: ({ data }) =>
      t('{n, plural, one {# job runs again} other {# jobs run again}}', { n: data.retried }),
    invalidates: [support.getSystemStatus],
  });
  if (!jobs.length) return <p>{t('No jobs are waiting or failed.')}</p>;
  return (
    <div className={css.scroll} tabIndex={0} role="region" aria-label={t('Jobs')}>
      <Table verticalSpacing="xs" miw={560}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Job')}</Table.Th>
            <Table.Th>{t('Waiting')}</Table.Th>
            <Table.Th>{t('Running')}</Table.Th>
            <Table.Th>{t('Failed')}</Table.Th>
            <Table.Th>{t('Oldest due')}</Table.Th>
            <Table.Th aria-label={t('Actions')} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {jobs.map((job) => (
            <Table.Tr key={job.job}>
              <Table.Td>{job.job}</Table.Td>
              <Table.Td>{job.waiting}</Table.Td>
              <Table.Td>{job.running}</Table.Td>
              <Table.Td title={job.last_error ?? undefined}>
                {job.failed ? <StatusBadge tone="danger">{String(job.failed)}</StatusBadge> : 0}
              </Table.Td>
              <Table.Td>
                {job.oldest_due_at ? <Time at={job.oldest_due_at} as="ago" /> : '–'}
              </Table.Td>
              <Table.Td>
                {job.failed > 0 && (
                  <Button
                    size="compact-sm"
                    variant="default"
                    loading={isPending}
                    onClick={() => void mutate({ body: { job: job.job } })}
                  >
                    {t('Retry')}
                  </Button>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
