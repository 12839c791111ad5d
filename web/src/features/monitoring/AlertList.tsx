import { useEffect, useState } from 'react';
import { Select } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconBellCheck } from '@tabler/icons-react';
import { monitoring } from '#contract';
import {
  alertKindNames,
  alertKinds,
  alertSeverities,
  alertStates,
} from '#contract/monitoring/rules';
import {
  DataList,
  FilterBar,
  lazyComponent,
  StatusBadge,
  t,
  Time,
  useApiQuery,
  usePermission,
  type Column,
} from '#ui';
import { useListScreen } from '#ui/list/list-screen.ts';
import { ListEmpty } from '#ui/list/ListParts.tsx';
import { severityLabel, severityTone, stateLabel, type Alert } from './labels.ts';

/** Whose alerts a screen shows: one company's, or those of all companies of an organization. */
type AlertScope = { company_id: number | null } | { organization: number };
/** Events are of one company; alerts of others are asked for again. */
const pollMs = 30_000;
const pollingIn = (scope: AlertScope) =>
  'organization' in scope ? { refetchInterval: pollMs } : {};

const AlertBulkBar = lazyComponent(async () => (await import('./AlertBulkBar.tsx')).AlertBulkBar);
const AlertDrawer = lazyComponent(async () => (await import('./AlertDrawer.tsx')).AlertDrawer);

const columns = (scope: AlertScope): Column<Alert>[] => [
  {
    key: 'severity',
    title: t('Severity'),
    width: '110px',
    cell: ({ severity }) => (
      <StatusBadge tone={severityTone[severity]}>{severityLabel(severity)}</StatusBadge>
    ),
  },
  {
    key: 'title',
    title: t('Alert'),
    width: 'minmax(140px, 1.4fr)',
    cell: ({ title }) => title,
  },
  ...('organization' in scope
    ? ([
        {
          key: 'company',
          title: t('Company'),
          width: 'minmax(96px, 1fr)',
          cell: ({ company }) => company.name,
        },
      ] satisfies Column<Alert>[])
    : ([
        {
          key: 'subject',
          title: t('About'),
          width: 'minmax(120px, 1fr)',
          wideOnly: true,
          cell: ({ subject }) => subject.label,
        },
      ] satisfies Column<Alert>[])),
  {
    key: 'message',
    title: t('What happened'),
    width: 'minmax(180px, 1.8fr)',
    wideOnly: true,
    cell: ({ message }) => message,
  },
  {
    key: 'state',
    title: t('State'),
    width: 'minmax(84px, 120px)',
    wideOnly: 'organization' in scope,
    cell: ({ state }) => stateLabel(state),
  },
  {
    key: 'last_seen_at',
    title: t('Last seen'),
    width: '100px',
    wideOnly: true,
    cell: ({ last_seen_at }) => <Time at={last_seen_at} as="ago" />,
  },
];

/** The list of alerts, and the one that is open. */
export function AlertList({
  scope,
  alerts: { list, ...filtering },
}: {
  scope: AlertScope;
  alerts: ReturnType<typeof useAlerts>;
}) {
  const { filters, set } = filtering;
  const [company, open] = filters.open.split('-').map(Number);
  const mayEdit = usePermission('monitoring.edit');
  // On a phone the state of each alert takes the room of its box.
  const isNarrow = useMediaQuery('(max-width: 48em)') ?? false;
  const [selected, setSelected] = useState<Set<string | number>>(new Set());
  const clear = (): void => setSelected(new Set());
  // What isn't shown any more can't be changed unseen.
  const { state, severity, kind, page } = filters;
  useEffect(clear, [state, severity, kind, page]);
  return (
    <>
      {selected.size > 0 && (
        <AlertBulkBar
          alerts={(list.rows ?? []).filter(({ id }) => selected.has(id))}
          clear={clear}
        />
      )}
      <DataList
        {...list}
        {...(mayEdit && !isNarrow && { selected, onSelect: setSelected })}
        label={t('Alerts')}
        rowKey={({ id }) => id}
        rowLabel={({ title, subject }) => `${title}: ${subject.label}`}
        columns={columns(scope)}
        onOpen={({ id, company: of }) => set({ open: `${of.id}-${id}` })}
        empty={
          <ListEmpty
            list={filtering}
            icon={IconBellCheck}
            noMatch={t('No alerts match')}
            title={t('All is well')}
          >
            {t('When calls, texts or accounts need a look, you see it here and get an email.')}
          </ListEmpty>
        }
      />
      {company && open ? (
        <AlertDrawer
          key={filters.open}
          id={open}
          companyId={company}
          close={() => set({ open: '' })}
        />
      ) : null}
    </>
  );
}

/** The alerts that match the filters in the URL. */
export function useAlerts(scope: AlertScope) {
  return useListScreen(monitoring.listAlerts, {
    key: 'alerts',
    perPage: 10,
    filters: { state: '', severity: '', kind: '', open: '', page: 1 },
    opens: ['open'],
    ...pollingIn(scope),
    input: ({ page, state, severity, kind }, perPage) => ({
      query: {
        ...scope,
        page,
        perPage,
        state: alertStates.find((one) => one === state) ?? null,
        severity: alertSeverities.find((one) => one === severity) ?? null,
        kind: alertKindNames.find((one) => one === kind) ?? null,
      },
    }),
  });
}

/** “2 open alerts, 1 critical. 1 acknowledged.” */
export function AlertSummary({ scope }: { scope: AlertScope }) {
  const { response } = useApiQuery(
    monitoring.countAlerts,
    { query: scope },
    { silent: true, ...pollingIn(scope) },
  );
  // Its line is there from the start, so that rows don't move under the pointer when it comes.
  if (!response) return <>&nbsp;</>;
  const { open, critical, acknowledged } = response.data;
  if (open + acknowledged === 0) return <>{t('Nothing needs a look right now.')}</>;
  const parts = [
    open === 0
      ? t('No open alerts.')
      : critical === 0
        ? t('{n, plural, one {# open alert.} other {# open alerts.}}', { n: open })
        : t('{n, plural, one {# open alert} other {# open alerts}}, {critical} critical.', {
            n: open,
            critical,
          }),
    acknowledged > 0 && t('{n} acknowledged.', { n: acknowledged }),
  ];
  return <>{parts.filter(Boolean).join(' ')}</>;
}

/** Filters by state, severity and kind. */
export function AlertFilters({
  filters,
  set,
  clear,
  isFiltered,
}: Omit<ReturnType<typeof useAlerts>, 'list' | 'response'>) {
  const choice = (
    label: string,
    key: 'state' | 'severity' | 'kind',
    data: { value: string; label: string }[],
  ) => (
    <Select
      size="sm"
      w={key === 'kind' ? 240 : 150}
      clearable
      clearButtonProps={{ 'aria-label': t('Clear {what}', { what: label }) }}
      aria-label={label}
      placeholder={label}
      searchable={data.length > 10}
      value={filters[key] || null}
      data={data}
      onChange={(value) => set({ [key]: value ?? '' })}
    />
  );
  return (
    <FilterBar isFiltered={isFiltered} onClear={clear}>
      {choice(
        t('Any state'),
        'state',
        alertStates.map((value) => ({ value, label: stateLabel(value) })),
      )}
      {choice(
        t('Any severity'),
        'severity',
        alertSeverities.map((value) => ({ value, label: severityLabel(value) })),
      )}
      {choice(
        t('Any kind'),
        'kind',
        alertKindNames.map((value) => ({ value, label: t(alertKinds[value].title) })),
      )}
    </FilterBar>
  );
}
