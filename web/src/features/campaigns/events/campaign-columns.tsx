import { type Column, formatNumber, formatPhoneNumber, StatusBadge, t, Time } from '#ui';
import { formatWhen } from '../../conversations/index.ts';
import { CampaignMenu } from '../CampaignMenu.tsx';
import { showTagNames } from '../merge-tags.ts';
import { ProgressBar } from '../ProgressBar.tsx';
import { useCampaignActions, type Campaign } from '../use-campaign-actions.ts';
import { statusName, statusTone } from '../labels.ts';
import css from '../screens/Campaigns.module.css';

/** The columns of the campaigns list. */
export const campaignColumns = (
  actions: ReturnType<typeof useCampaignActions>,
  onResume: (campaign: Campaign) => void,
): Column<Campaign>[] => [
  ...messageColumns(),
  ...resultColumns(),
  {
    key: 'menu',
    title: '',
    width: '40px',
    align: 'end',
    cell: (c) => <CampaignMenu campaign={c} acts={actions} onResume={() => onResume(c)} />,
  },
];

/** What is sent: its text and status, to whom, from which number and when. */
const messageColumns = (): Column<Campaign>[] => [
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
    width: '124px',
    sortable: true,
    cell: (c) => <Status campaign={c} />,
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
    width: '126px',
    sortable: true,
    wideOnly: true,
    cell: (c) => {
      const at = c.started_at ?? c.should_be_sent_at;
      return at ? <Time at={at} as="moment" /> : c.status === 'in_progress' ? t('Now') : '–';
    },
  },
];

/** How it went: sent so far, replies and opt-outs. */
const resultColumns = (): Column<Campaign>[] => [
  {
    key: 'progress',
    title: t('Sent'),
    width: 'minmax(110px, 1fr)',
    wideOnly: true,
    cell: (c) => <Progress campaign={c} />,
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
];

function Status({ campaign: c }: { campaign: Campaign }) {
  return (
    <span className={css.state}>
      <StatusBadge tone={statusTone(c.status)}>
        {c.approval.state === 'asked' ? t('Waiting for approval') : statusName(c.status)}
      </StatusBadge>
      {c.auto_resume_at && (
        <small>{t('until {when}', { when: formatWhen(c.auto_resume_at) })}</small>
      )}
    </span>
  );
}

/** Sent of all; before the start, how many people it would reach. */
function Progress({ campaign: c }: { campaign: Campaign }) {
  if (c.started)
    return (
      <span className={css.progress}>
        <ProgressBar campaign={c} />
        <span data-numeric>
          {formatNumber(c.sent_count)}/{formatNumber(c.total_count)}
        </span>
      </span>
    );
  if (c.preview_count === 0) return '–';
  return (
    <span className={css.quiet}>
      {t('{n, plural, one {to # person} other {to # people}}', { n: c.preview_count })}
    </span>
  );
}
