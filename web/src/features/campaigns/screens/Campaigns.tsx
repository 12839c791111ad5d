import { useState } from 'react';
import { Button, Select } from '@mantine/core';
import { IconSpeakerphone } from '@tabler/icons-react';
import { campaigns } from '#contract';
import { campaignStatusKeys } from '#contract/campaigns/rules';
import { DataList, lazyComponent, Page, t, useCommands, usePermission } from '#ui';
import { useListScreen } from '#ui/list/list-screen.ts';
import { ListEmpty, ListFilters } from '#ui/list/ListParts.tsx';
import { useCampaignActions, type Campaign } from '../use-campaign-actions.ts';
import { statusName } from '../labels.ts';
import { campaignColumns } from '../events/campaign-columns.tsx';

const ResumeDialog = lazyComponent(async () => (await import('../ResumeDialog.tsx')).ResumeDialog);

const defaultFilters = { search: '', status: '', page: 1, sort: 'created_at', dir: 'desc' };
const pickable = (status: string): boolean =>
  (campaignStatusKeys as readonly string[]).includes(status);

/** A page of campaigns, with filters that are kept in the URL. */
const useCampaignList = () =>
  useListScreen(campaigns.listCampaigns, {
    key: 'campaigns',
    // Page size 13: A §9.
    perPage: 13,
    filters: defaultFilters,
    input: ({ page, sort, dir, search, status }, size) => ({
      query: {
        include: 'groups',
        page,
        size,
        sort,
        dir,
        search: search || null,
        status: pickable(status) ? status : null,
      },
    }),
  });
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
          <ListEmpty
            list={campaignList}
            icon={IconSpeakerphone}
            noMatch={t('No campaigns match')}
            title={t('No campaigns yet')}
            action={add}
          >
            {t(
              'Write one text and choose a group. Everyone in it receives their own copy. Opted-out contacts are skipped, and no one receives it twice.',
            )}
          </ListEmpty>
        }
      />
      {resuming && <ResumeDialog campaign={resuming} close={() => setResuming(null)} />}
    </Page>
  );
}

function CampaignFilters({ campaignList }: { campaignList: CampaignList }) {
  const { filters, set } = campaignList;
  return (
    <ListFilters
      list={campaignList}
      maxLength={200}
      label={t('Search campaigns')}
      placeholder={t('Title or message')}
    >
      <Select
        aria-label={t('Status')}
        placeholder={t('Any status')}
        w={160}
        clearable
        clearButtonProps={{ 'aria-label': t('Any status') }}
        data={campaignStatusKeys.map((s) => ({ value: s, label: statusName(s) }))}
        value={pickable(filters.status) ? filters.status : null}
        onChange={(picked) => set({ status: picked ?? '', page: 1 })}
      />
    </ListFilters>
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
  const actions = useCampaignActions();
  return (
    <DataList
      label={t('Campaigns')}
      {...campaignList.list}
      rows={campaignList.response?.data as Campaign[] | undefined}
      rowKey={(c) => c.id}
      rowLabel={(c) => `${c.title}, ${statusName(c.status)}`}
      href={(c) =>
        c.started || !actions.is(c).edit || actions.is(c).approve
          ? `/campaigns/${c.id}/events`
          : `/campaigns/${c.id}/edit`
      }
      columns={campaignColumns(actions, onResume)}
      comfortable
      empty={empty}
    />
  );
}
