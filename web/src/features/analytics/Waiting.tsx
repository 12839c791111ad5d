import { Skeleton } from '@mantine/core';
import {
  IconClockHour4,
  IconInbox,
  IconMessageQuestion,
  IconPhoneX,
  IconRecordMail,
} from '@tabler/icons-react';
import { analytics } from '#contract';
import type { WaitingCount } from '#contract/analytics/schemas';
import type { InboxItem } from '#contract/conversations/schemas';
import { ErrorState, formatNumber, formatSpan, t, useApiQuery, useNow, usePermission } from '#ui';
import { conversationName } from '../conversations/index.ts';
import css from './Waiting.module.css';

const DAY = 86_400;
/** Formats a waiting time in seconds. */
const formatWait = (seconds: number): string =>
  seconds < 60
    ? t('Less than a minute')
    : seconds < DAY
      ? formatSpan(seconds)
      : t('{n, plural, one {# day} other {# days}}', { n: Math.floor(seconds / DAY) });
const total = (count: WaitingCount): string =>
  `${formatNumber(count.total)}${count.total_is_capped ? '+' : ''}`;
const kindNames: Partial<Record<InboxItem['kind'], string>> = {
  message: 'text',
  call: 'missed call',
  voicemail: 'voicemail',
  fax: 'fax',
};

/**
 * What waits for a reply; each figure links to the list of exactly the counted items (decision 87).
 */
export function Waiting() {
  const { response, error, refetch } = useApiQuery(
    analytics.getWaiting,
    {},
    { staleTime: 15_000, silent: true },
  );
  const seesInbox = usePermission('inbox.view');
  const now = Number(useNow(30_000));
  const waits = response?.data;
  const longest = waits?.longest_wait;
  const isDone =
    waits &&
    !longest &&
    [waits.unread, waits.missed, waits.voicemails, waits.opt_outs].every((count) => !count?.total);
  return (
    <section aria-labelledby="waiting">
      <h2 id="waiting" className={css.title}>
        {t('Waiting for a reply')} {isDone && <small>{t('You’re all caught up.')}</small>}
      </h2>
      {error && !waits ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <ul className={css.tiles} aria-busy={!waits || undefined}>
          {waitingLists().map(
            (list) =>
              // There are seldom any: they have no place until it is known.
              (waits ? waits[list.key] : list.key !== 'opt_outs') && (
                <li key={list.key}>
                  <CountTile list={list} count={waits?.[list.key]} />
                </li>
              ),
          )}
          <li>
            <LongestWait
              item={longest}
              href={longest ? addressOf(longest, seesInbox) : null}
              now={now}
            />
          </li>
        </ul>
      )}
    </section>
  );
}

/** The lists that are counted. */
const waitingLists = () =>
  [
    {
      key: 'unread',
      icon: IconInbox,
      label: t('Unread'),
      note: t('Conversations'),
      href: '/inbox?view=unread',
    },
    {
      key: 'missed',
      icon: IconPhoneX,
      label: t('Calls to return'),
      note: t('Missed, not called back'),
      href: '/activity/calls?outcome=due',
    },
    {
      key: 'voicemails',
      icon: IconRecordMail,
      label: t('Unheard voicemails'),
      note: t('Not played yet'),
      href: '/activity/voicemails?unread=1',
    },
    {
      key: 'opt_outs',
      icon: IconMessageQuestion,
      label: t('Possible opt-outs'),
      note: t('Campaigns wait for you'),
      href: '/inbox?view=opt_outs',
    },
  ] as const;

/** `count` is undefined while loading. */
function CountTile({
  list: { icon: ListIcon, label, note, href },
  count,
}: {
  list: ReturnType<typeof waitingLists>[number];
  count: WaitingCount | null | undefined;
}) {
  return (
    <a className={css.tile} href={href} data-none={count?.total === 0 || undefined}>
      <span className={css.label}>
        <ListIcon size={16} stroke={1.75} aria-hidden /> {label}
      </span>
      <strong data-numeric>
        {count ? total(count) : <Skeleton height={22} width={36} my={6} />}
      </strong>
      <small className={css.note}>{note}</small>
    </a>
  );
}

/** @param item undefined while loading, null when nothing waits */
function LongestWait({
  item,
  href,
  now,
}: {
  item: InboxItem | null | undefined;
  href: string | null;
  now: number;
}) {
  const content = (
    <>
      <span className={css.label}>
        <IconClockHour4 size={16} stroke={1.75} aria-hidden /> {t('Longest wait')}
      </span>
      <strong data-numeric>
        {item ? (
          formatWait((now - Date.parse(item.createdAt)) / 1000)
        ) : item === null ? (
          t('None')
        ) : (
          <Skeleton height={22} width={72} my={6} />
        )}
      </strong>
      {item && (
        <small className={css.note}>
          {t('{name} · {kind}', {
            name: conversationName(item),
            kind: t(kindNames[item.kind] ?? 'message'),
          })}
        </small>
      )}
    </>
  );
  return href ? (
    <a className={css.tile} href={href}>
      {content}
    </a>
  ) : (
    <div className={css.tile} data-none={item === null || undefined}>
      {content}
    </div>
  );
}

/** Where to reply: the conversation, or the call for users without access to the inbox. */
function addressOf(item: InboxItem, seesInbox: boolean): string | null {
  if (seesInbox) return `/inbox/${item.conversationId}`;
  return item.kind === 'call' || item.kind === 'voicemail' ? `/calls/${item.details.callId}` : null;
}
