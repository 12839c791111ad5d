import { Button } from '@mantine/core';
import { EmptyState, t } from '#ui';
import { SearchOperators, usesSearchOperator } from './SearchOperators.tsx';
import type { useInbox } from './use-inbox.ts';

/** Texts of an empty list, by view; a search and filters have separate texts. */
const emptyViews: Record<string, { title: string; text: string } | undefined> = {
  snoozed: {
    title: 'Nothing snoozed',
    text: 'Snoozed conversations wait here until their time, or until something new arrives.',
  },
  unread: {
    title: 'You’re all caught up',
    text: 'New messages, calls and voicemails appear here until someone has seen them.',
  },
  archived: {
    title: 'Nothing archived',
    text: 'Archived conversations stay here. Anything new brings them back.',
  },
};

/** Shown when a list has no conversations: the reason, and one action. */
export function EmptyInbox({
  inbox,
  onNew,
}: {
  inbox: ReturnType<typeof useInbox>;
  onNew: () => void;
}) {
  const { filters, isFiltered, clear } = inbox;
  const view = filters.search ? undefined : emptyViews[filters.view];
  if (view)
    return (
      <EmptyState
        title={t(view.title)}
        action={
          <Button variant="default" onClick={clear}>
            {t('Show the inbox')}
          </Button>
        }
      >
        {t(view.text)}
      </EmptyState>
    );
  if (isFiltered)
    return (
      <EmptyState
        title={t('No results')}
        action={
          <Button variant="default" onClick={clear}>
            {t('Clear filters')}
          </Button>
        }
      >
        <NoMatches search={filters.search} searchesAll={filters.all !== ''} />
      </EmptyState>
    );
  return (
    <EmptyState
      title={t('No conversations yet')}
      action={<Button onClick={onNew}>{t('New conversation')}</Button>}
    >
      {t('Everyone who calls or texts one of your numbers appears here.')}
    </EmptyState>
  );
}

function NoMatches({ search, searchesAll }: { search: string; searchesAll: boolean }) {
  if (usesSearchOperator(search))
    return (
      <>
        <p>{t('No conversations match “{search}”.', { search })}</p>
        <SearchOperators />
      </>
    );
  if (!search) return t('No conversations match these filters.');
  if (searchesAll) return t('No conversations match “{search}”.', { search });
  return t(
    'No conversations match “{search}”. Names, numbers and text from the last two years are searched.',
    { search },
  );
}

/** Shown when the server refuses the search: why, and what it can hold. */
export function InvalidSearch({ text, onClear }: { text: string; onClear: () => void }) {
  return (
    <EmptyState
      title={t('This search isn’t valid')}
      action={
        <Button variant="default" onClick={onClear}>
          {t('Clear filters')}
        </Button>
      }
    >
      <p>{text}</p>
      <SearchOperators />
    </EmptyState>
  );
}
