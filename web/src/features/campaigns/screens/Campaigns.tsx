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

/** A page of campaigns, with filters that are kept in the URL. */
function useCampaignList() {
  const { filters, set, clear, isFiltered } = useFilters(defaultFilters);
  // Page size 13: A §9.
  const { perPage, onPerPage } = usePageSize('campaigns', 13, () => set({ page: 1 }));
  const status = pickable(filters.status) ? filters.status : null;
  const list = useApiQuery(campaigns.listCampaigns, {
    query: {
      include: 'groups',
      page: filters.page,
      size: perPage,
      sort: filters.sort,
      dir: filters.dir,
      search: filters.search || null,
      status,
    },
  });
  return { filters, status, set, clear, isFiltered, perPage, onPerPage, list };
}
type CampaignList = ReturnType<typeof useCampaignList>;

/** Campaigns: drafts, scheduled, in progress and sent. */
export default function Campaigns() {
  const campaignList = useCampaignList();
  const mayDraft = usePermission('campaigns.draft');
  const [resuming, setResuming] = useState<Campaign | null>(null);
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
  return (
    <Page
      title={t('Campaigns')}
      layout="fill"
      action={add}
      filters={<CampaignFilters campaignList={campaignList} />}
    >
      <CampaignRows
        campaignList={campaignList}
        onResume={setResuming}
        empty={
          <NoCampaigns
            isFiltered={campaignList.isFiltered}
            onClear={campaignList.clear}
            add={add}
          />
        }
      />
      {resuming && <ResumeDialog campaign={resuming} close={() => setResuming(null)} />}
    </Page>
  );
}

function CampaignFilters({ campaignList }: { campaignList: CampaignList }) {
  const { filters, status, set, clear, isFiltered } = campaignList;
  return (
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
        value={status}
        onChange={(picked) => set({ status: picked ?? '', page: 1 })}
      />
    </FilterBar>
  );
}

function CampaignRows({
  campaignList,
  onResume,
  empty,
}: {
  campaignList: CampaignList;
  onResume: (campaign: Campaign) => void;
  empty: React.ReactNode;
}) {
  const { filters, set, perPage, onPerPage, list } = campaignList;
  const actions = useCampaignActions();
  return (
    <DataList
      label={t('Campaigns')}
      rows={list.response?.data as Campaign[] | undefined}
      loading={list.loading}
      error={list.error}
      refetch={list.refetch}
      rowKey={(c) => c.id}
      rowLabel={(c) => `${c.title}, ${statusName(c.status)}`}
      href={(c) =>
        c.started || !actions.is(c).edit || actions.is(c).approve
          ? `/campaigns/${c.id}/events`
          : `/campaigns/${c.id}/edit`
      }
      columns={campaignColumns(actions, onResume)}
      comfortable
      sort={{ field: filters.sort, dir: filters.dir }}
      onSort={(sort) => set({ sort: sort.field, dir: sort.dir })}
      paging={{
        page: filters.page,
        perPage,
        onPerPage,
        meta: list.response?.meta,
        onPage: (page) => set({ page }),
      }}
      empty={empty}
    />
  );
}

function NoCampaigns({
  isFiltered,
  onClear,
  add,
}: {
  isFiltered: boolean;
  onClear: () => void;
  add: React.ReactNode;
}) {
  const icon = <IconSpeakerphone size={28} stroke={1.5} />;
  if (isFiltered)
    return (
      <EmptyState
        icon={icon}
        title={t('No campaigns match')}
        action={
          <Button variant="default" onClick={onClear}>
            {t('Clear filters')}
          </Button>
        }
      >
        {t('Try another search or clear the filters.')}
      </EmptyState>
    );
  return (
    <EmptyState icon={icon} title={t('No campaigns yet')} action={add}>
      {t(
        'Write one text and choose a group. Everyone in it receives their own copy. Opted-out contacts are skipped, and no one receives it twice.',
      )}
    </EmptyState>
  );
}
