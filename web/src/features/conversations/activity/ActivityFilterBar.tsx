import { Switch } from '@mantine/core';
import type { ActivityKind } from '#contract/conversations/rules';
import { entityOf } from '#contract/fields/rules';
import { listDataGroups } from '#contract/companies/data-groups/endpoints';
import { FilterBar, SearchField, t, useApiQuery, useCompanyId, usePermission, useUser } from '#ui';
import { FilterSelect } from '#ui/list/FilterSelect.tsx';
import { FieldFilters } from '../../fields/index.ts';
import { PhraseFilter } from '../../calls/index.ts';
import { SourceFilter } from '../../tracking/index.ts';
import { useOurNumbers } from '../use-our-numbers.ts';
import type { ActivityFilters } from './activity-filters.ts';

/** Two beside each other on a telephone. */
const width = { base: 'calc(50% - 4px)', sm: 136 };

interface FilterProps {
  kind: ActivityKind;
  filters: ActivityFilters;
  set: (change: Partial<ActivityFilters>) => void;
}

/** The filters of one activity list. The screen keeps them in the URL. */
export function ActivityFilterBar({
  kind,
  searchLabel,
  filters,
  set,
  clear,
  isFiltered,
}: FilterProps & { searchLabel: string; clear: () => void; isFiltered: boolean }) {
  const isAboutCalls = kind === 'call' || kind === 'voicemail';
  return (
    <FilterBar isFiltered={isFiltered} onClear={clear}>
      <SearchField
        label={searchLabel}
        placeholder={kind === 'message' ? t('Number, name or words') : t('Number or name')}
        value={filters.search}
        onChange={(search) => set({ search })}
      />
      <FilterSelect
        w={width}
        label={t('Direction')}
        value={filters.direction}
        onChange={(direction) => set({ direction })}
        options={[
          ['inbound', t('Incoming')],
          ['outbound', t('Outgoing')],
        ]}
      />
      <StatusFilter kind={kind} filters={filters} set={set} />
      <NumberFilter value={filters.number} onChange={(number) => set({ number })} />
      <DataGroupFilter value={filters.group} onChange={(group) => set({ group })} />
      <FilterSelect
        w={width}
        label={t('Period')}
        value={filters.period}
        onChange={(period) => set({ period })}
        options={[
          ['today', t('Today')],
          ['week', t('Last 7 days')],
          ['month', t('Last 30 days')],
          ['quarter', t('Last 90 days')],
        ]}
      />
      {kind !== 'fax' && <OriginFilter filters={filters} set={set} />}
      {isAboutCalls && (
        <PhraseFilter value={filters.phrases} onChange={(phrases) => set({ phrases })} />
      )}
      {isAboutCalls && (
        <FieldFilters entity={entityOf.call} value={filters.eav} onChange={(eav) => set({ eav })} />
      )}
      <Switch
        size="sm"
        label={t('Unread')}
        checked={filters.unread}
        onChange={(e) => set({ unread: e.currentTarget.checked })}
      />
    </FilterBar>
  );
}

/** Where calls, texts and voicemails came from; only for those who can see tracking. */
function OriginFilter({ filters, set }: Pick<FilterProps, 'filters' | 'set'>) {
  if (!usePermission('dni.view')) return null;
  return (
    <>
      <SourceFilter value={filters.source} onChange={(source) => set({ source })} />
      <SearchField
        label={t('Campaign, keyword or page')}
        placeholder={t('Campaign, keyword or page')}
        value={filters.from}
        onChange={(from) => set({ from })}
      />
    </>
  );
}

function NumberFilter({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const numbers = useOurNumbers();
  if (numbers.length < 2) return null;
  return (
    <FilterSelect
      w={width}
      label={t('Your number')}
      value={value}
      onChange={onChange}
      options={numbers.map((n) => [String(n.id), n.label])}
    />
  );
}

/** Only for those who administer the company's organization. */
function DataGroupFilter({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const may = usePermission('organization.edit');
  const companyId = useCompanyId();
  const company = useUser()?.companies.find(({ id }) => id === companyId);
  const isInOne = typeof company?.organization_id === 'number';
  const { response } = useApiQuery(
    listDataGroups,
    { query: { company_id: companyId, perPage: 100 } },
    { enabled: may && isInOne, staleTime: 60_000, silent: true },
  );
  if (!response?.data.length) return null;
  return (
    <FilterSelect
      w={width}
      label={t('Data group')}
      value={value}
      onChange={onChange}
      options={response.data.map((group) => [String(group.id), group.name])}
    />
  );
}

/** How a call ended, or how far a message or fax got. Voicemails have neither. */
function StatusFilter({ kind, filters, set }: FilterProps) {
  if (kind === 'voicemail') return null;
  if (kind === 'call')
    return (
      <FilterSelect
        w={width}
        label={t('Outcome')}
        value={filters.outcome}
        onChange={(outcome) => set({ outcome })}
        options={[
          ['1', t('Answered')],
          ['2', t('Missed')],
          ['due', t('Missed, not called back')],
          ['3', t('Voicemail')],
          ['4', t('Blocked')],
        ]}
      />
    );
  const options: [string, string][] =
    kind === 'message'
      ? [
          ['delivered', t('Delivered')],
          ['trouble', t('Undelivered')],
          ['received', t('Received')],
        ]
      : [
          ['delivered', t('Delivered')],
          ['trouble', t('Failed')],
          ['waiting', t('Sending')],
          ['received', t('Received')],
        ];
  return (
    <FilterSelect
      w={width}
      label={t('Status')}
      value={filters.state}
      onChange={(state) => set({ state })}
      options={options}
    />
  );
}
