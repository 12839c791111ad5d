import { useMemo, useState } from 'react';
import { Button, Progress, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { conversations } from '#contract';
import type { InboxItem } from '#contract/conversations/schemas';
import { entityOf } from '#contract/fields/rules';
import {
  DataList,
  EmptyState,
  formatDate,
  lazyComponent,
  Page,
  t,
  useApiQuery,
  useFilters,
  usePageSize,
  usePermission,
  userZone,
} from '#ui';
import { useParam } from '../../../shared/params.ts';
import NotFound from '../../../shared/NotFound.tsx';
import { parseFieldFilters, useFieldColumns } from '../../fields/index.ts';
import { ActivityActions } from '../activity/ActivityActions.tsx';
import { activityColumns } from '../activity/activity-columns.tsx';
import { ActivityFilterBar } from '../activity/ActivityFilterBar.tsx';
import { activityDefaults, toFilterGroups } from '../activity/activity-filters.ts';
import {
  activityLists,
  isActivityList,
  type ActivityListName,
} from '../activity/activity-kinds.ts';
import { ActivityTabs } from '../activity/ActivityTabs.tsx';
import { conversationName } from '#ui/messaging/labels.ts';
import css from './Activity.module.css';

const ExportDialog = lazyComponent(
  async () => (await import('../exporting/ExportDialog.tsx')).ExportDialog,
);

/** Calls, messages, voicemails and faxes, newest first. */
export default function Activity() {
  const name = useParam('kind');
  return isActivityList(name) ? <ActivityList key={name} name={name} /> : <NotFound />;
}

function ActivityList({ name }: { name: ActivityListName }) {
  const { kind, label, permission } = activityLists[name];
  const canExport = usePermission('exports.make');
  const canView = usePermission(permission);
  const [exporting, setExporting] = useState(false);
  const list = useActivityList(name, canView);
  const { filters, set, clear, isFiltered } = list;
  return (
    <Page
      title={t('Activity')}
      tabTitle={t('{list} – Activity', { list: t(label) })}
      layout="fill"
      action={
        <ActivityActions
          kind={kind}
          onExport={canExport && canView ? () => setExporting(true) : undefined}
        />
      }
      filters={
        <>
          <ActivityTabs current={name} />
          <ActivityFilterBar
            kind={kind}
            searchLabel={t('Search {what}', { what: t(label).toLowerCase() })}
            filters={filters}
            set={set}
            clear={clear}
            isFiltered={isFiltered}
          />
        </>
      }
    >
      {/* Not for page 1 (A §9): there the skeleton rows show that it loads. */}
      <div className={css.bar}>
        {list.fetching && filters.page > 1 && (
          <Progress
            value={100}
            animated
            size={2}
            aria-label={t('Loading page {n}', { n: filters.page })}
          />
        )}
      </div>
      <SearchedBack meta={list.response?.meta} />
      <ActivityTable name={name} list={list} />
      {exporting && (
        <ExportDialog
          entity={name}
          groups={list.groups}
          of={list.response?.meta}
          onClose={() => setExporting(false)}
        />
      )}
    </Page>
  );
}

/** Says how far back a filter looked that would else read the whole company. */
function SearchedBack({ meta }: { meta: Record<string, unknown> | undefined }) {
  const since = meta?.['searched_since'];
  if (typeof since !== 'string') return null;
  return (
    <Text size="sm" c="dimmed" role="status" mb="xs">
      {t('Searched back to {date}. Choose earlier dates to look further.', {
        date: formatDate(since),
      })}
    </Text>
  );
}

/** Fetches the rows for the URL's filters and the chosen page size. */
function useActivityList(name: ActivityListName, canView: boolean) {
  const { kind } = activityLists[name];
  const address = useFilters(activityDefaults);
  const { filters, set } = address;
  // Page size 10: A §9.
  const pageSize = usePageSize('activity', 10, () => set({ page: 1 }));
  const zone = userZone();
  const hasCallFields = kind === 'call' || kind === 'voicemail';
  const body = useMemo(
    () => ({
      page: filters.page,
      perPage: pageSize.perPage,
      tz: zone,
      types: [kind],
      groups: toFilterGroups(filters, kind, new Date(), zone),
      ...(filters.eav && hasCallFields ? { eav: parseFieldFilters(filters.eav) } : {}),
    }),
    [filters, kind, zone, pageSize.perPage, hasCallFields],
  );
  const query = useApiQuery(
    conversations.listActivity,
    { body },
    { enabled: canView, staleTime: 5000, silent: true },
  );
  return { ...address, ...pageSize, ...query, groups: body.groups, hasCallFields };
}

/** The link of a row: the call record, or the item in its conversation. */
const hrefOf = (row: InboxItem): string =>
  row.kind === 'call' || row.kind === 'voicemail'
    ? `/calls/${row.details.callId}`
    : `/inbox/${row.conversationId}#${row.itemId ?? row.id}`;

function ActivityTable({
  name,
  list,
}: {
  name: ActivityListName;
  list: ReturnType<typeof useActivityList>;
}) {
  const { kind, label, emptyTitle, emptyText } = activityLists[name];
  const { filters, set, response, refetch, hasCallFields } = list;
  const canOpenInbox = usePermission('inbox.view');
  const narrow = useMediaQuery('(max-width: 48em)') ?? false;
  const builtIn = useMemo(() => activityColumns(kind, refetch, narrow), [kind, narrow]); // eslint-disable-line -- refetch is new on each render and always the same in effect
  const custom = useFieldColumns<InboxItem>(entityOf.call, (row) => row.eavAttributeValues);
  // Last: where the list is wider than the screen, what everyone needs stays in sight.
  const columns = hasCallFields ? [...builtIn, ...custom] : builtIn;
  return (
    <DataList
      label={t(label)}
      rows={response?.data}
      loading={list.loading}
      error={list.error}
      refetch={refetch}
      columns={columns}
      columnPresets={{
        list: name,
        filters,
        onFilters: (kept) => set({ ...activityDefaults, ...kept, page: 1 }),
      }}
      rowKey={(r) => r.id}
      rowLabel={(r) => conversationName(r)}
      emphasized={(r) => r.isInbound && r.readAt === null}
      {...((hasCallFields || canOpenInbox) && { href: hrefOf })}
      paging={{
        page: filters.page,
        perPage: list.perPage,
        onPerPage: list.onPerPage,
        meta: response?.meta,
        onPage: (page) => set({ page }),
      }}
      empty={
        list.isFiltered ? (
          <EmptyState
            title={t('No results')}
            action={
              <Button variant="default" onClick={list.clear}>
                {t('Clear filters')}
              </Button>
            }
          >
            {t('No results match these filters.')}
          </EmptyState>
        ) : (
          <EmptyState title={t(emptyTitle)}>{t(emptyText)}</EmptyState>
        )
      }
    />
  );
}
