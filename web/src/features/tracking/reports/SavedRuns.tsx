import { sourceReports } from '#contract';
import { formatDay, Section, t, Time, useApiQuery, useCompanyId } from '#ui';
import { groupName } from './options.ts';
import css from './source-reports.module.css';

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
        {runs.map(({ id, name, params, created_at, file_url }) => (
          <li key={id}>
            <span>
              {file_url === null ? name : <a href={`${file_url}&download=1`}>{name}</a>}{' '}
              <span className={css.quiet}>
                {t('{group}, {start} to {end}', {
                  group: groupName(params.groupBy),
                  start: formatDay(`${params.startDate}T12:00:00Z`, 'UTC'),
                  end: formatDay(`${params.endDate}T12:00:00Z`, 'UTC'),
                })}
              </span>
            </span>
            <span className={css.quiet}>
              <Time at={created_at} as="moment" />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
