import { useState } from 'react';
import { Alert, Button, Group, Select } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { campaigns } from '#contract';
import { creditPriceCents, eventFlags, fullText, type EventFlag } from '#contract/campaigns/rules';
import {
  type Column,
  DataList,
  EmptyState,
  ErrorState,
  Facts,
  FilterBar,
  formatMoney,
  formatNumber,
  formatPhoneNumber,
  navigate,
  lazyComponent,
  Page,
  PageSkeleton,
  PhoneNumber,
  SearchField,
  Section,
  StatusBadge,
  t,
  Time,
  useApiQuery,
  useFilters,
  usePageSize,
} from '#ui';
import { useIdParam } from '../../../shared/params.ts';
import { CampaignMenu } from '../CampaignMenu.tsx';
import { DeliveryResult } from '../DeliveryResult.tsx';
import { showTagNames } from '../merge-tags.ts';
import { PhonePreview } from '../PhonePreview.tsx';
import { ProgressBar } from '../ProgressBar.tsx';
import { useCampaignActions, type Campaign } from '../use-campaign-actions.ts';
import {
  flagName,
  isFlag,
  pauseReasonLabel,
  pauseLabel,
  recipientName,
  recipientTone,
  resumeLabel,
  skipReasonLabel,
  statusName,
  statusTone,
} from '../labels.ts';
import css from './CampaignEvents.module.css';

const ResumeDialog = lazyComponent(async () => (await import('../ResumeDialog.tsx')).ResumeDialog);

type Recipient = campaigns.CampaignEvent;
const defaultFilters = { status: 'all', search: '', page: 1 };

/** A campaign's progress, recipients and replies. */
export default function CampaignEvents() {
  const id = useIdParam('id') ?? 0;
  const { filters, set, clear, isFiltered } = useFilters(defaultFilters);
  // Page size 10: A §9.
  const { perPage, onPerPage } = usePageSize('recipients', 10, () => set({ page: 1 }));
  const flag: EventFlag = isFlag(filters.status) ? filters.status : 'all';
  const { response, error, refetch } = useApiQuery(
    campaigns.getCampaign,
    { params: { id }, query: { include: 'groups' } },
    { silent: true },
  );
  const list = useApiQuery(
    campaigns.listCampaignEvents,
    {
      params: { id },
      query: {
        status: flag,
        page: filters.page,
        size: perPage,
        search: filters.search || null,
      },
    },
    { enabled: id > 0 },
  );
  const actions = useCampaignActions();
  const [resuming, setResuming] = useState(false);
  const back = { href: '/campaigns', label: t('Campaigns') };
  if (error)
    return (
      <Page title={t('Campaign')} back={back}>
        <ErrorState error={error} retry={refetch} />
      </Page>
    );
  if (!response) return <PageSkeleton />;
  const c = response.data as Campaign;
  const may = actions.is(c);

  const columns: Column<Recipient>[] = [
    {
      key: 'contact',
      title: t('Person'),
      width: 'minmax(130px, 1.3fr)',
      cell: (r) => (
        <span className={css.person}>
          <span>{r.contact.name || formatPhoneNumber(r.contact.number)}</span>
          {r.contact.name && (
            <small>
              <PhoneNumber value={r.contact.number} />
            </small>
          )}
        </span>
      ),
    },
    {
      key: 'state',
      title: t('State'),
      width: 'minmax(150px, 1.2fr)',
      cell: (r) => (
        <span className={css.state}>
          <StatusBadge tone={recipientTone(r.state)}>{recipientName(r.state)}</StatusBadge>
          {(r.skip_reason || r.error_text) && (
            <small title={r.error_text ?? undefined}>
              {r.skip_reason ? skipReasonLabel(r.skip_reason) : r.error_text}
            </small>
          )}
        </span>
      ),
    },
    {
      key: 'reply',
      title: t('Reply'),
      width: 'minmax(90px, 1.4fr)',
      wideOnly: true,
      cell: (r) =>
        r.unsubscribed_at ? (
          <StatusBadge tone="warn">{t('Opted out')}</StatusBadge>
        ) : r.reply ? (
          <span className={css.reply} title={r.reply}>
            {r.reply}
          </span>
        ) : (
          <span className={css.quiet}>–</span>
        ),
    },
    {
      key: 'segments',
      title: t('Segments'),
      width: '74px',
      align: 'end',
      wideOnly: true,
      cell: (r) => (r.segments === null ? '–' : formatNumber(r.segments)),
    },
    {
      key: 'sent_at',
      title: t('Sent'),
      width: '114px',
      wideOnly: true,
      cell: (r) => (r.sent_at ? <Time at={r.sent_at} as="moment" /> : '–'),
    },
    {
      key: 'delivered_at',
      title: t('Delivered'),
      width: '114px',
      wideOnly: true,
      cell: (r) => (r.delivered_at ? <Time at={r.delivered_at} as="moment" /> : '–'),
    },
  ];
  const open = (r: Recipient): void => {
    if (r.conversation_id) navigate(`/inbox/${r.conversation_id}`);
    else if (r.contact.id) navigate(`/contacts/${r.contact.id}`);
  };
  return (
    <Page
      title={c.title}
      back={back}
      aside={
        <StatusBadge tone={statusTone(c.status)}>
          {c.approval.state === 'asked' ? t('Waiting for approval') : statusName(c.status)}
        </StatusBadge>
      }
      action={
        <Group gap="xs">
          {may.approve && (
            <Button loading={actions.approving} onClick={() => void actions.approve(c)}>
              {t('Approve')}
            </Button>
          )}
          {may.pause && (
            <Button
              variant="default"
              loading={actions.pausing}
              onClick={() => void actions.pause(c)}
            >
              {pauseLabel(c)}
            </Button>
          )}
          {may.resume && <Button onClick={() => setResuming(true)}>{t('Resume')}</Button>}
          <CampaignMenu
            campaign={c}
            acts={actions}
            onResume={() => setResuming(true)}
            done={() => navigate('/campaigns')}
          />
        </Group>
      }
    >
      {c.state === 'paused' && (
        <Alert
          color="orange"
          mb="md"
          title={c.paused_by ? t('Paused by {name}', { name: c.paused_by.name }) : t('Paused')}
        >
          {c.paused_reason !== 'by_hand' && <>{pauseReasonLabel(c.paused_reason)} </>}
          {resumeLabel(c)}
        </Alert>
      )}
      {c.state === 'failed' && c.failed_reason && (
        <Alert color="red" mb="md" title={t('Couldn’t be sent')}>
          {c.failed_reason}
        </Alert>
      )}
      {c.joined_since !== null && c.joined_since > 0 && (
        <Alert
          color="accent"
          mb="md"
          title={t(
            '{n, plural, one {# person} other {# people}} joined the group after it started',
            { n: c.joined_since },
          )}
        >
          {t('They won’t receive this campaign.')}{' '}
          {may.copy && (
            <Button size="compact-sm" variant="default" onClick={() => void actions.copy(c)}>
              {t('Create a follow-up')}
            </Button>
          )}
        </Alert>
      )}
      <div className={css.columns}>
        <div className={css.main}>
          <DeliveryResult
            campaign={c}
            current={flag}
            onPick={(status) => set({ status, page: 1 })}
          />
          <ProgressBar campaign={c} size="large" />
          <div className={css.filters}>
            <FilterBar isFiltered={isFiltered} onClear={clear}>
              <SearchField
                label={t('Search people')}
                placeholder={t('Name or number')}
                value={filters.search}
                onChange={(search) => set({ search, page: 1 })}
              />
              <Select
                aria-label={t('Filter recipients')}
                allowDeselect={false}
                w={160}
                data={eventFlags.map((one) => ({ value: one, label: flagName(one) }))}
                value={flag}
                onChange={(status) => set({ status: status ?? 'all', page: 1 })}
              />
            </FilterBar>
          </div>
          <DataList
            label={t('Campaign recipients')}
            rows={list.response?.data as Recipient[] | undefined}
            loading={list.loading}
            error={list.error}
            refetch={list.refetch}
            rowKey={(r) => r.id}
            rowLabel={(r) =>
              `${r.contact.name || formatPhoneNumber(r.contact.number)}, ${recipientName(r.state)}`
            }
            onOpen={open}
            columns={columns}
            comfortable
            emphasized={(r) => r.reply !== null}
            paging={{
              page: filters.page,
              perPage,
              onPerPage,
              meta: list.response?.meta,
              onPage: (page) => set({ page }),
            }}
            empty={
              <EmptyState
                icon={<IconUsers size={28} stroke={1.5} />}
                title={isFiltered ? t('No one matches') : t('No one yet')}
                action={
                  isFiltered ? (
                    <Button variant="default" onClick={clear}>
                      {t('Show everyone')}
                    </Button>
                  ) : undefined
                }
              >
                {isFiltered
                  ? t('Try another search or status.')
                  : t('People appear here when the campaign starts.')}
              </EmptyState>
            }
          />
        </div>
        <aside className={css.side} aria-label={t('About this campaign')}>
          <PhonePreview
            from={c.number?.number ?? null}
            samples={[
              { name: '', number: '', text: showTagNames(fullText(c.text, c.unsubscribe_text)) },
            ]}
            files={c.media_files.map((f) => ({
              key: String(f.id),
              name: f.name,
              url: f.type.startsWith('image/') ? f.url : null,
            }))}
          />
          <Section title={t('About')}>
            <Facts
              rows={[
                [t('To'), c.groups[0]?.name ?? '–'],
                [t('From'), c.number ? c.number.label || formatPhoneNumber(c.number.number) : '–'],
                c.should_be_sent_at !== null && [
                  t('Scheduled for'),
                  <Time key="p" at={c.should_be_sent_at} as="instant" />,
                ],
                c.started_at !== null && [
                  t('Started'),
                  <Time key="b" at={c.started_at} as="instant" />,
                ],
                c.finished_at !== null && [
                  t('Finished'),
                  <Time key="e" at={c.finished_at} as="instant" />,
                ],
                [
                  t('Cost'),
                  t('{n, plural, one {# credit} other {# credits}}, up to {money}', {
                    n: c.credits_used,
                    money: formatMoney(c.credits_used * creditPriceCents),
                  }),
                ],
                [t('By'), c.user?.name ?? '–'],
                c.approval.approved_by !== null && [t('Approved by'), c.approval.approved_by.name],
                [t('Inbox'), c.skip_inbox ? t('Only replies') : t('Every text')],
              ]}
            />
          </Section>
        </aside>
      </div>
      {resuming && <ResumeDialog campaign={c} close={() => setResuming(false)} />}
    </Page>
  );
}
