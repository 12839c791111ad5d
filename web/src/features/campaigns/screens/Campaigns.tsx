import { useState } from 'react';
import { Button, Select } from '@mantine/core';
import { IconSpeakerphone } from '@tabler/icons-react';
import { campaigns } from '#contract';
import { campaignStatusKeys } from '#contract/campaigns/rules';
import {
  DataList,
  EmptyState,
  FilterBar,
  lazyComponent,
  Page,
  SearchField,
  t,
  useApiQuery,
  useCommands,
  useFilters,
  usePageSize,
  usePermission,
} from '#ui';
import { useCampaignActions, type Campaign } from '../use-campaign-actions.ts';
import { statusName } from '../labels.ts';
import { campaignColumns } from '../events/campaign-columns.tsx';

const ResumeDialog = lazyComponent(async () => (await import('../ResumeDialog.tsx')).ResumeDialog);

const defaultFilters = { search: '', status: '', page: 1, sort: 'created_at', dir: 'desc' };
const pickable = (status: string): boolean =>
  (campaignStatusKeys as readonly string[]).includes(status);

/** Campaigns: drafts, scheduled, in progress and sent. */
export default function Campaigns() {
  const { filters, set, clear, isFiltered } = useFilters(defaultFilters);
  // Page size 13: A §9.
  const { perPage, onPerPage } = usePageSize('campaigns', 13, () => set({ page: 1 }));
  const mayDraft = usePermission('campaigns.draft');
  const actions = useCampaignActions();
  const [resuming, setResuming] = useState<Campaign | null>(null);
  const { response, error, loading, refetch } = useApiQuery(campaigns.listCampaigns, {
    query: {
      include: 'groups',
      page: filters.page,
      size: perPage,
      sort: filters.sort,
      dir: filters.dir,
      search: filters.search || null,
      status: pickable(filters.status) ? filters.status : null,
    },
  });
  useCommands(
    mayDraft
      ? [
          {
            id: 'campaigns.new',
            title: t('New campaign'),
            group: t('Campaigns'),
            href: '/campaigns/new',
          },
        ]
      : [],
  );
  const add = mayDraft && (
    <Button component="a" href="/campaigns/new">
      {t('New campaign')}
    </Button>
  );
  const icon = <IconSpeakerphone size={28} stroke={1.5} />;
  return (
    <Page
      title={t('Campaigns')}
      layout="fill"
      action={add}
      filters={
        <FilterBar isFiltered={isFiltered} onClear={clear}>
          <SearchField
            maxLength={200}
            label={t('Search campaigns')}
            placeholder={t('Title or message')}
            value={filters.search}
            onChange={(search) => set({ search, page: 1 })}
          />
          <Select
            aria-label={t('Status')}
            placeholder={t('Any status')}
            w={160}
            clearable
            clearButtonProps={{ 'aria-label': t('Any status') }}
            data={campaignStatusKeys.map((s) => ({ value: s, label: statusName(s) }))}
            value={pickable(filters.status) ? filters.status : null}
            onChange={(status) => set({ status: status ?? '', page: 1 })}
          />
        </FilterBar>
      }
    >
      <DataList
        label={t('Campaigns')}
        rows={response?.data as Campaign[] | undefined}
        loading={loading}
        error={error}
        refetch={refetch}
        rowKey={(c) => c.id}
        rowLabel={(c) => `${c.title}, ${statusName(c.status)}`}
        href={(c) =>
          c.started || !actions.is(c).edit || actions.is(c).approve
            ? `/campaigns/${c.id}/events`
            : `/campaigns/${c.id}/edit`
        }
        columns={campaignColumns(actions, setResuming)}
        comfortable
        sort={{ field: filters.sort, dir: filters.dir }}
        onSort={(sort) => set({ sort: sort.field, dir: sort.dir })}
        paging={{
          page: filters.page,
          perPage,
          onPerPage,
          meta: response?.meta,
          onPage: (page) => set({ page }),
        }}
        empty={
          isFiltered ? (
            <EmptyState
              icon={icon}
              title={t('No campaigns match')}
              action={
                <Button variant="default" onClick={clear}>
                  {t('Clear filters')}
                </Button>
              }
            >
              {t('Try another search or clear the filters.')}
            </EmptyState>
          ) : (
            <EmptyState icon={icon} title={t('No campaigns yet')} action={add}>
              {t(
                'Write one text and choose a group. Everyone in it receives their own copy. Opted-out contacts are skipped, and no one receives it twice.',
              )}
            </EmptyState>
          )
        }
      />
      {resuming && <ResumeDialog campaign={resuming} close={() => setResuming(null)} />}
    </Page>
  );
}
