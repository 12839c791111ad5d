import { useMemo, useState } from 'react';
import { Button, Progress, Select, Switch } from '@mantine/core';
import {
  IconBroadcast,
  IconDownload,
  IconFileSearch,
  IconFileText,
  IconMessage,
  IconPhone,
  IconRecordMail,
} from '@tabler/icons-react';
import { conversations } from '#contract';
import type { ActivityKind } from '#contract/conversations/rules';
import type { InboxItem } from '#contract/conversations/schemas';
import { entityOf } from '#contract/fields/rules';
import {
  DataList,
  EmptyState,
  FilterBar,
  lazyComponent,
  Page,
  SearchField,
  t,
  useApiQuery,
  useFilters,
  usePermission,
  userZone,
  useSession,
} from '#ui';
import { useParam } from '../../../shared/params.ts';
import { parseFieldFilters, FieldFilters, useFieldColumns } from '../../fields/index.ts';
import { activityColumns } from '../activity/activity-columns.tsx';
import {
  activityDefaults,
  toFilterGroups,
  type ActivityFilters,
} from '../activity/activity-filters.ts';
import { useOurNumbers } from '../use-our-numbers.ts';
import { conversationName } from '../labels.ts';
import NotFound from '../../../shared/NotFound.tsx';
import css from './Activity.module.css';

const SendFax = lazyComponent(async () => (await import('../fax/SendFax.tsx')).SendFax);
const ExportDialog = lazyComponent(
  async () => (await import('../exporting/ExportDialog.tsx')).ExportDialog,
);

const kinds = {
  calls: {
    kind: 'call',
    label: 'Calls',
    icon: IconPhone,
    may: 'calls.view',
    none: 'No calls yet',
    why: 'Everyone who calls one of your numbers, and every call you make, appears here.',
  },
  messages: {
    kind: 'message',
    label: 'Messages',
    icon: IconMessage,
    may: 'inbox.view',
    none: 'No messages yet',
    why: 'Texts and pictures, received and sent, appear here.',
  },
  voicemails: {
    kind: 'voicemail',
    label: 'Voicemails',
    icon: IconRecordMail,
    may: 'calls.view',
    none: 'No voicemails yet',
    why: 'Messages callers leave appear here, with audio and transcript.',
  },
  fax: {
    kind: 'fax',
    label: 'Fax',
    icon: IconFileText,
    may: 'inbox.view',
    none: 'No faxes yet',
    why: 'Faxes to and from your fax numbers appear here.',
  },
} as const satisfies Record<
  string,
  { kind: ActivityKind; label: string; icon: unknown; may: string; none: string; why: string }
>;
const perPage = 10;

/** Calls, messages, voicemails and faxes, newest first. */
export default function Activity() {
  const part = useParam('kind');
  return part in kinds ? <List key={part} part={part as keyof typeof kinds} /> : <NotFound />;
}

function List({ part }: { part: keyof typeof kinds }) {
  const { kind, label, none, why, may } = kinds[part];
  const allowed = usePermission(may),
    seesInbox = usePermission('inbox.view'),
    watches = usePermission('calls.monitor'),
    exports = usePermission('exports.make');
  const permissions = useSession((s) => s.user?.permissions);
  const { filters, set, clear, isFiltered } = useFilters(activityDefaults);
  const numbers = useOurNumbers();
  const mayFax = usePermission('inbox.send') && kind === 'fax' && numbers.some((n) => n.canFax);
  const [faxing, setFaxing] = useState(false);
  const [exporting, setExporting] = useState(false);
  const zone = userZone();
  const ofCalls = kind === 'call' || kind === 'voicemail';
  const body = useMemo(
    () => ({
      page: filters.page,
      perPage,
      tz: zone,
      types: [kind],
      groups: toFilterGroups(filters as ActivityFilters, kind, new Date(), zone),
      ...(filters.eav && ofCalls ? { eav: parseFieldFilters(filters.eav) } : {}),
    }),
    [filters, kind, zone],
  );
  const {
    response,
    error,
    refetch,
    loading,
    fetching: refreshing,
  } = useApiQuery(
    conversations.listActivity,
    { body: body as never },
    { enabled: allowed, staleTime: 5000, silent: true },
  );
  const own = useMemo(() => activityColumns(kind, refetch), [kind]); // eslint-disable-line -- `again` asks the query of the moment
  const custom = useFieldColumns<InboxItem>(entityOf.call, (row) => row.eavAttributeValues);
  const columns = ofCalls ? [...own.slice(0, -1), ...custom, ...own.slice(-1)] : own;
  const rows = response?.data as InboxItem[] | undefined;
  const href = (row: InboxItem): string =>
    row.kind === 'call' || row.kind === 'voicemail'
      ? `/calls/${row.details.callId}`
      : `/inbox/${row.conversationId}#${row.itemId ?? row.id}`;
  const opens = kind === 'call' || kind === 'voicemail' || seesInbox;
  return (
    <Page
      title={t('Activity')}
      layout="fill"
      action={
        <>
          {kind === 'call' && (
            <Button
              component="a"
              href="/analytics/transcripts"
              variant="default"
              leftSection={<IconFileSearch size={16} aria-hidden />}
            >
              {t('Search transcripts')}
            </Button>
          )}
          {kind === 'call' && watches && (
            <Button
              component="a"
              href="/calls/live"
              variant="default"
              leftSection={<IconBroadcast size={16} aria-hidden />}
            >
              {t('Live calls')}
            </Button>
          )}
          {exports && allowed && (
            <Button
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden />}
              onClick={() => setExporting(true)}
            >
              {t('Export')}
            </Button>
          )}
          {mayFax && <Button onClick={() => setFaxing(true)}>{t('New fax')}</Button>}
        </>
      }
      filters={
        <>
          <nav className={css.tabs} aria-label={t('Activity types')}>
            {Object.entries(kinds)
              .filter(([, k]) => k.may in (permissions ?? {}))
              .map(([key, k]) => (
                <a
                  key={key}
                  className={css.tab}
                  href={`/activity/${key}`}
                  aria-current={key === part ? 'page' : undefined}
                >
                  <k.icon size={16} stroke={1.75} aria-hidden />
                  {t(k.label)}
                </a>
              ))}
          </nav>
          <FilterBar isFiltered={isFiltered} onClear={clear}>
            <SearchField
              label={t('Search {what}', { what: t(label).toLowerCase() })}
              placeholder={kind === 'message' ? t('Number, name or words') : t('Number or name')}
              value={filters.search}
              onChange={(search) => set({ search })}
            />
            <FilterSelect
              label={t('Direction')}
              value={filters.direction}
              onChange={(direction) => set({ direction })}
              data={[
                ['inbound', t('Incoming')],
                ['outbound', t('Outgoing')],
              ]}
            />
            {kind === 'call' && (
              <FilterSelect
                label={t('Outcome')}
                value={filters.outcome}
                onChange={(outcome) => set({ outcome })}
                data={[
                  ['1', t('Answered')],
                  ['2', t('Missed')],
                  ['due', t('Missed, not called back')],
                  ['3', t('Voicemail')],
                  ['4', t('Blocked')],
                ]}
              />
            )}
            {kind === 'message' && (
              <FilterSelect
                label={t('Status')}
                value={filters.state}
                onChange={(state) => set({ state })}
                data={[
                  ['delivered', t('Delivered')],
                  ['trouble', t('Undelivered')],
                  ['received', t('Received')],
                ]}
              />
            )}
            {kind === 'fax' && (
              <FilterSelect
                label={t('Status')}
                value={filters.state}
                onChange={(state) => set({ state })}
                data={[
                  ['delivered', t('Delivered')],
                  ['trouble', t('Failed')],
                  ['waiting', t('Sending')],
                  ['received', t('Received')],
                ]}
              />
            )}
            {numbers.length > 1 && (
              <FilterSelect
                label={t('Your number')}
                value={filters.number}
                onChange={(number) => set({ number })}
                data={numbers.map((n) => [String(n.id), n.label])}
              />
            )}
            <FilterSelect
              label={t('Period')}
              value={filters.period}
              onChange={(period) => set({ period })}
              data={[
                ['today', t('Today')],
                ['week', t('Last 7 days')],
                ['month', t('Last 30 days')],
                ['quarter', t('Last 90 days')],
              ]}
            />
            {ofCalls && (
              <FieldFilters
                entity={entityOf.call}
                value={filters.eav}
                onChange={(eav) => set({ eav })}
              />
            )}
            <Switch
              size="sm"
              label={t('Unread')}
              checked={filters.unread}
              onChange={(e) => set({ unread: e.currentTarget.checked })}
            />
          </FilterBar>
        </>
      }
    >
      {/* Hidden for page 1 (A §9): there the rows' own skeletons say enough. */}
      <div className={css.bar}>
        {refreshing && filters.page > 1 && (
          <Progress
            value={100}
            animated
            size={2}
            aria-label={t('Loading page {n}', { n: filters.page })}
          />
        )}
      </div>
      <DataList
        label={t(label)}
        rows={rows}
        loading={loading}
        error={error}
        refetch={refetch}
        columns={columns}
        columnPresets={{
          list: part,
          filters,
          onFilters: (kept) => set({ ...activityDefaults, ...kept, page: 1 }),
        }}
        rowKey={(r) => r.id}
        rowLabel={(r) => conversationName(r)}
        emphasized={(r) => r.isInbound && r.readAt === null}
        {...(opens && { href })}
        paging={{
          page: filters.page,
          perPage,
          meta: response?.meta,
          onPage: (page) => set({ page }),
        }}
        empty={
          isFiltered ? (
            <EmptyState
              title={t('No results')}
              action={
                <Button variant="default" onClick={clear}>
                  {t('Clear filters')}
                </Button>
              }
            >
              {t('No results match these filters.')}
            </EmptyState>
          ) : (
            <EmptyState title={t(none)}>{t(why)}</EmptyState>
          )
        }
      />
      {exporting && (
        <ExportDialog
          entity={part}
          groups={body.groups}
          of={response?.meta}
          onClose={() => setExporting(false)}
        />
      )}
      {faxing && <SendFax onClose={() => setFaxing(false)} />}
    </Page>
  );
}

const FilterSelect = ({
  label,
  value,
  data,
  onChange,
}: {
  label: string;
  value: string;
  data: [string, string][];
  onChange: (value: string) => void;
}) => (
  <Select
    size="sm"
    w={{ base: 'calc(50% - 4px)', sm: 136 }}
    clearable
    aria-label={label}
    placeholder={label}
    value={value || null}
    data={data.map(([v, l]) => ({ value: v, label: l }))}
    onChange={(v) => onChange(v ?? '')}
    searchable={data.length > 10}
    clearButtonProps={{ 'aria-label': t('Clear {what}', { what: label }) }}
  />
);
