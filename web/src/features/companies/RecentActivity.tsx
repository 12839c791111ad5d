import { Skeleton } from '@mantine/core';
import {
  IconFileText,
  IconMessage,
  IconPhoneIncoming,
  IconPhoneOutgoing,
  IconRecordMail,
  IconSpeakerphone,
} from '@tabler/icons-react';
import { campaigns, conversations } from '#contract';
import {
  EmptyState,
  ErrorState,
  formatDuration,
  formatPhoneNumber,
  Section,
  t,
  Time,
  useApiQuery,
  usePermission,
  useUser,
  userZone,
} from '#ui';
import css from './RecentActivity.module.css';

interface Row {
  id: number;
  conversationId: number;
  kind: string;
  isInbound: boolean;
  createdAt: string;
  details: {
    automatic?: string | null;
    callId?: number;
    content?: string;
    duration?: number;
    outcome?: number;
    transcription?: string | null;
    pages?: number;
  };
  number: { number: string; label: string };
  actor: { userId: number; name: string } | null;
  recipient: string;
  contact: { name: string } | null;
}

const outcomes: Record<number, string> = {
  0: 'In progress',
  1: 'Answered',
  2: 'Missed',
  3: 'Voicemail',
  4: 'Blocked',
};
const icons = { message: IconMessage, voicemail: IconRecordMail, fax: IconFileText } as const;

/**
 * The latest activity of all kinds; a row links to its conversation, or to the call for users who
 * can see only calls. A campaign is one row, however many texts it sent.
 */
export function RecentActivity() {
  const { response, error, refetch, loading } = useApiQuery(
    conversations.listActivity,
    {
      body: {
        page: 1,
        perPage: 8,
        tz: userZone(),
        types: ['call', 'message', 'voicemail', 'fax'],
        groups: [[{ field: 'campaign', op: 'eq', value: false }]],
      },
    },
    { staleTime: 5000, silent: true },
  );
  const rows = (response?.data ?? []) as unknown as Row[];
  const sent = useSentCampaigns();
  return (
    <Section title={t('Latest')}>
      {loading && (
        <div aria-busy="true">
          {[0, 1, 2, 3, 4].map((i) => (
            <Skeleton key={i} height={14} my={14} width={`${92 - i * 8}%`} />
          ))}
        </div>
      )}
      {error && !response && <ErrorState error={error} retry={refetch} />}
      {response && rows.length + sent.length === 0 && (
        <EmptyState title={t('No activity yet')}>
          {t(
            'Calls and messages appear here as soon as someone calls or texts one of your numbers.',
          )}
        </EmptyState>
      )}
      {response && <ActivityList rows={rows} sent={sent} />}
    </Section>
  );
}

/** Activity and the campaigns sent since the oldest of it, newest first. */
function ActivityList({ rows, sent }: { rows: Row[]; sent: SentCampaign[] }) {
  const addressOf = useActivityAddress();
  const oldest = rows.at(-1)?.createdAt ?? '';
  const entries = [
    ...rows.map((row) => ({
      key: `${row.kind}${row.id}`,
      at: row.createdAt,
      content: <ActivityRow row={row} href={addressOf(row)} />,
    })),
    ...sent
      .filter((campaign) => campaign.at >= oldest)
      .map((campaign) => ({
        key: `campaign${campaign.id}`,
        at: campaign.at,
        content: <CampaignRow {...campaign} />,
      })),
  ];
  return (
    <ul className={css.list}>
      {entries
        .toSorted((a, b) => b.at.localeCompare(a.at))
        .map(({ key, content }) => (
          <li key={key}>{content}</li>
        ))}
    </ul>
  );
}

/** The address of an activity's conversation or call; null when the user can see neither. */
function useActivityAddress(): (row: Row) => string | null {
  const seesInbox = usePermission('inbox.view');
  const seesCalls = usePermission('calls.view');
  return ({ conversationId, details }) => {
    if (seesInbox) return `/inbox/${conversationId}`;
    return seesCalls && details.callId ? `/calls/${details.callId}` : null;
  };
}

interface SentCampaign {
  id: number;
  title: string;
  sent: number;
  at: string;
}
/** Recent campaigns that have sent something; none for users without access to campaigns. */
function useSentCampaigns(): SentCampaign[] {
  const seesCampaigns = usePermission('campaigns.view');
  const { response } = useApiQuery(
    campaigns.listCampaigns,
    { query: { perPage: 13 } },
    { enabled: seesCampaigns, staleTime: 30_000, silent: true },
  );
  return (response?.data ?? []).flatMap(({ id, title, sent_count, started_at, finished_at }) =>
    started_at && sent_count > 0
      ? [{ id, title, sent: sent_count, at: finished_at ?? started_at }]
      : [],
  );
}
function CampaignRow({ id, title, sent, at }: SentCampaign) {
  return (
    <a className={css.line} href={`/campaigns/${id}/events`}>
      <span className={css.icon}>
        <IconSpeakerphone size={16} stroke={1.75} aria-hidden />
      </span>
      <span className={css.who}>{title}</span>
      <span className={css.what}>
        {t('Campaign, {n, plural, one {# text sent} other {# texts sent}}', { n: sent })}
      </span>
      <span className={css.when}>
        <Time at={at} />
      </span>
    </a>
  );
}

function ActivityRow({ row, href }: { row: Row; href: string | null }) {
  const me = useUser()?.id;
  const Icon =
    row.kind === 'call'
      ? row.isInbound
        ? IconPhoneIncoming
        : IconPhoneOutgoing
      : (icons[row.kind as keyof typeof icons] ?? IconMessage);
  const missed = row.kind === 'call' && row.isInbound && row.details.outcome === 2;
  const who =
    row.contact?.name ||
    (row.recipient === 'anonymous' ? t('Withheld number') : formatPhoneNumber(row.recipient));
  const content = (
    <>
      <span className={css.icon} data-missed={missed || undefined}>
        <Icon size={16} stroke={1.75} aria-hidden />
      </span>
      <span className={css.who}>{who}</span>
      <span className={css.what}>{activityText(row, me)}</span>
      <span className={css.when}>
        <Time at={row.createdAt} />
      </span>
    </>
  );
  return href ? (
    <a className={css.line} href={href}>
      {content}
    </a>
  ) : (
    <div className={css.line}>{content}</div>
  );
}

/** @param me the signed-in user: their texts are shown as "You", automatic ones as the company's */
function activityText(row: Row, me: number | undefined): string {
  const { details, actor } = row;
  const said = details.content || t('Picture');
  if (row.kind === 'message')
    return row.isInbound
      ? said
      : `${row.details.automatic ? t('Auto-reply') : actor === null ? t('Sent') : actor.userId === me ? t('You') : actor.name}: ${said}`;
  if (row.kind === 'voicemail')
    return details.transcription
      ? t('Voicemail: {text}', { text: details.transcription })
      : t('Voicemail, {duration}', { duration: formatDuration(details.duration ?? 0) });
  if (row.kind === 'fax')
    return t('Fax, {pages, plural, one {# page} other {# pages}}', { pages: details.pages ?? 0 });
  const direction = row.isInbound ? t('Incoming call') : t('Outgoing call');
  if (details.outcome === 2 && !row.isInbound) return t('Outgoing call, not answered');
  return `${direction}, ${t(outcomes[details.outcome ?? 0] ?? 'In progress').toLowerCase()}${details.duration && details.outcome === 1 ? `, ${formatDuration(details.duration)}` : ''}`;
}
