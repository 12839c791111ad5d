import { Button } from '@mantine/core';
import { sourceReports, type Answer } from '#contract';
import {
  confirm,
  formatDay,
  Section,
  t,
  Time,
  useApiMutation,
  useApiQuery,
  useCompanyId,
  usePermission,
  useSession,
} from '#ui';
import { groupName } from './options.ts';
import css from './source-reports.module.css';

type Run = Answer<typeof sourceReports.listSourceReports>['data'][number];

/** Runs of reports that were kept, each with its file. Nothing until there is one. */
export function SavedRuns() {
  const { response } = useApiQuery(
    sourceReports.listSourceReports,
    { query: { company_id: useCompanyId() ?? 0, perPage: 20 } },
    { silent: true },
  );
  const runs = response?.data ?? [];
  if (runs.length === 0) return null;
  return (
    <Section title={t('Saved reports')}>
      <ul className={css.runs}>
        {runs.map((run) => (
          <SavedRun key={run.id} run={run} />
        ))}
      </ul>
    </Section>
  );
}

function SavedRun({ run: { id, name, params, created_at, created_by, file_url } }: { run: Run }) {
  const isOwn = useSession((s) => s.user?.id === created_by);
  const mayAll = usePermission('dni.edit');
  return (
    <li>
      <span>
        {file_url === null ? name : <a href={`${file_url}&download=1`}>{name}</a>}{' '}
        <span className={css.quiet}>
          {t('{group}, {start} to {end}', {
            group: groupName(params.groupBy),
            start: formatDay(`${params.startDate}T12:00:00Z`, 'UTC'),
            end: formatDay(`${params.endDate}T12:00:00Z`, 'UTC'),
          })}
          {params.businessUnitId && ` · ${t('All companies')}`}
        </span>
      </span>
      <span className={css.quiet}>
        <Time at={created_at} as="moment" />
        {(isOwn || mayAll) && <DeleteRun id={id} name={name} />}
      </span>
    </li>
  );
}

function DeleteRun({ id, name }: { id: number; name: string }) {
  const { mutate, isPending } = useApiMutation(sourceReports.deleteSourceReport, {
    invalidates: [sourceReports.listSourceReports],
    success: t('Report deleted'),
  });
  const ask = async (): Promise<void> => {
    const yes = await confirm({
      title: t('Delete {name}?', { name }),
      body: t('Its file is deleted, too. You can run the report again.'),
      confirmLabel: t('Delete'),
      danger: true,
    });
    if (yes) await mutate({ params: { reportId: id } });
  };
  return (
    <Button
      ml="sm"
      size="compact-sm"
      variant="subtle"
      color="red"
      loading={isPending}
      aria-label={t('Delete {name}', { name })}
      onClick={() => void ask()}
    >
      {t('Delete')}
    </Button>
  );
}
