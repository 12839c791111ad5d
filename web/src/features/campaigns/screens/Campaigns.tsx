import { useState } from 'react';
import { Button, Select } from '@mantine/core';
import { IconSpeakerphone } from '@tabler/icons-react';
import { campaigns } from '#contract';
import { campaignStatusKeys } from '#contract/campaigns/rules';
import {
  type Column,
  DataList,
  EmptyState,
  FilterBar,
  formatNumber,
  formatPhoneNumber,
  lazyComponent,
  Page,
  SearchField,
  StatusBadge,
  t,
  Time,
  useApiQuery,
  useCommands,
  useFilters,
  usePageSize,
  usePermission,
} from '#ui';
import { formatWhen } from '../../conversations/index.ts';
import { CampaignMenu } from '../CampaignMenu.tsx';
import { showTagNames } from '../merge-tags.ts';
import { ProgressBar } from '../ProgressBar.tsx';
import { useCampaignActions, type Campaign } from '../use-campaign-actions.ts';
import { statusName, statusTone } from '../labels.ts';
import css from './Campaigns.module.css';

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
      dir: filters.dir as 'asc',
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
  const columns: Column<Campaign>[] = [
    {
      key: 'title',
      title: t('Title'),
      width: 'minmax(170px, 2fr)',
      sortable: true,
      cell: (c) => (
        <span className={css.title}>
          <span className={css.name}>{c.title}</span>
          <span className={css.text}>{showTagNames(c.text)}</span>
        </span>
      ),
    },
    {
      key: 'state',
      title: t('Status'),
      width: '156px',
      sortable: true,
      cell: (c) => (
        <span className={css.state}>
          <StatusBadge tone={statusTone(c.status)}>
            {c.approval.state === 'asked' ? t('Waiting for approval') : statusName(c.status)}
          </StatusBadge>
          {c.auto_resume_at && (
            <small>{t('until {when}', { when: formatWhen(c.auto_resume_at) })}</small>
          )}
        </span>
      ),
    },
    {
      key: 'group',
      title: t('To'),
      width: 'minmax(90px, 1fr)',
      wideOnly: true,
      cell: (c) => c.groups[0]?.name ?? '–',
    },
    {
      key: 'number',
      title: t('From'),
      width: 'minmax(90px, 1fr)',
      wideOnly: true,
      cell: (c) => (c.number ? c.number.label || formatPhoneNumber(c.number.number) : '–'),
    },
    {
      key: 'should_be_sent_at',
      title: t('When'),
      width: '132px',
      sortable: true,
      wideOnly: true,
      cell: (c) => {
        const at = c.started_at ?? c.should_be_sent_at;
        return at ? <Time at={at} as="moment" /> : c.status === 'in_progress' ? t('Now') : '–';
      },
    },
    {
      key: 'progress',
      title: t('Sent'),
      width: 'minmax(110px, 1fr)',
      wideOnly: true,
      cell: (c) =>
        c.started ? (
          <span className={css.progress}>
            <ProgressBar campaign={c} />
            <span data-numeric>
              {formatNumber(c.sent_count)}/{formatNumber(c.total_count)}
            </span>
          </span>
        ) : c.preview_count > 0 ? (
          <span className={css.quiet}>
            {t('{n, plural, one {to # person} other {to # people}}', { n: c.preview_count })}
          </span>
        ) : (
          '–'
        ),
    },
    {
      key: 'responded_count',
      title: t('Replies'),
      width: '84px',
      align: 'end',
      sortable: true,
      wideOnly: true,
      cell: (c) => (c.started ? formatNumber(c.responded_count) : '–'),
    },
    {
      key: 'unsubscriber_count',
      title: t('Opt-outs'),
      width: '92px',
      align: 'end',
      sortable: true,
      wideOnly: true,
      cell: (c) => (c.started ? formatNumber(c.unsubscriber_count) : '–'),
    },
    {
      key: 'menu',
      title: '',
      width: '40px',
      align: 'end',
      cell: (c) => <CampaignMenu campaign={c} acts={actions} onResume={() => setResuming(c)} />,
    },
  ];
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
        columns={columns}
        comfortable
        sort={{ field: filters.sort, dir: filters.dir as 'asc' }}
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
