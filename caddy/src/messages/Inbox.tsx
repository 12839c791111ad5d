import { Button } from '@mantine/core';
import { IconMessageCircle, IconPlus } from '@tabler/icons-react';
import { conversations } from '#contract';
import {
  CountBadge,
  EmptyState,
  ErrorState,
  Page,
  PageSkeleton,
  PersonAvatar,
  t,
  Time,
  useApiInfiniteQuery,
} from '#ui';
import { conversationName, numberLabel, snippetOf } from '#ui/messaging/labels.ts';
import type { Conversation } from '#ui/messaging/types.ts';
import { FirstNumber } from '../numbers/FirstNumber.tsx';
import { useNumbers } from '../use-numbers.ts';
import css from './Inbox.module.css';

/** Conversations by latest activity; before the first number, the way to one. */
export function Inbox() {
  const { numbers, active, error: unknown } = useNumbers();
  const list = useApiInfiniteQuery(
    conversations.listConversations,
    { query: { perPage: 25, isArchived: 0 } },
    { silent: true },
  );
  const hasNumber = Boolean(active?.length);
  if (numbers?.length === 0)
    return (
      <Page title={t('Messages')}>
        <FirstNumber />
      </Page>
    );
  if (list.loading || (!numbers && !unknown)) return <PageSkeleton />;
  return (
    <Page
      title={t('Messages')}
      action={
        hasNumber && (
          <Button component="a" href="/caddy/threads/new" leftSection={<IconPlus size={16} />}>
            {t('New text')}
          </Button>
        )
      }
    >
      {list.error && list.rows.length === 0 ? (
        <ErrorState error={list.error} retry={list.refetch} />
      ) : list.rows.length === 0 ? (
        <EmptyState
          icon={<IconMessageCircle size={28} stroke={1.5} />}
          title={t('No messages yet')}
        >
          {t('Texts to and from your number appear here.')}
        </EmptyState>
      ) : (
        <>
          <ul className={css.list} aria-label={t('Conversations')}>
            {list.rows.map((row) => (
              <Row key={row.id} conversation={row} showsNumber={(active?.length ?? 0) > 1} />
            ))}
          </ul>
          {list.hasMore && (
            <Button variant="default" fullWidth onClick={list.more} loading={list.loadingMore}>
              {t('Show more')}
            </Button>
          )}
        </>
      )}
    </Page>
  );
}

function Row({
  conversation: c,
  showsNumber,
}: {
  conversation: Conversation;
  showsNumber: boolean;
}) {
  const name = conversationName(c);
  const unread = c.numUnreadItems;
  return (
    <li>
      <a href={`/caddy/threads/${c.id}`} className={css.row} data-unread={unread > 0 || undefined}>
        <PersonAvatar name={c.contact?.name ?? null} size={44} />
        <span className={css.words}>
          <span className={css.line}>
            <span className={css.name}>{name}</span>
            <span className={css.time}>
              <Time at={c.lastActivityAt} />
            </span>
          </span>
          <span className={css.line}>
            <span className={css.snippet}>{snippetOf(c.latestItem)}</span>
            <CountBadge
              count={unread}
              label={t('{n, plural, one {# unread} other {# unread}}', { n: unread })}
            />
          </span>
          {showsNumber && <span className={css.number}>{numberLabel(c.number)}</span>}
        </span>
      </a>
    </li>
  );
}
