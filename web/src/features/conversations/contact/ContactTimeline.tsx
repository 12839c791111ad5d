import { useState } from 'react';
import { Button, Skeleton, Stack } from '@mantine/core';
import {
  IconArrowMerge,
  IconBan,
  IconCircleCheck,
  IconNote,
  IconUserPlus,
} from '@tabler/icons-react';
import { contacts, timeline } from '#contract';
import {
  api,
  EmptyState,
  ErrorState,
  Section,
  t,
  Time,
  useApiQuery,
  usePermission,
  useApiMutation,
} from '#ui';
import { KindIcon } from '../KindIcon.tsx';
import { snippetOf } from '#ui/messaging/labels.ts';
import { displayNumber, sourceName, type Contact } from '../../contacts/index.ts';
import css from './ContactTimeline.module.css';

type Entry = timeline.TimelineEntry;

/** All calls, messages, notes and changes of a contact, newest first. */
export function ContactTimeline({ contact }: { contact: Contact }) {
  const { response, error, refetch } = useApiQuery(timeline.contactTimeline, {
    params: { contactId: contact.id },
  });
  const [older, setOlder] = useState<{ of: Entry[]; next: string | null } | null>(null);
  const [busy, setBusy] = useState(false);
  const rows = response
    ? [
        ...response.data,
        ...(older?.of ?? []).filter((o) => !response.data.some((e) => e.id === o.id)),
      ]
    : undefined;
  const next = older ? older.next : (response?.meta.next_cursor ?? null);
  const showOlder = async (cursor: string): Promise<void> => {
    setBusy(true);
    const page = await api(timeline.contactTimeline, {
      params: { contactId: contact.id },
      query: { cursor },
    }).catch(() => null);
    setBusy(false);
    if (page) setOlder({ of: [...(older?.of ?? []), ...page.data], next: page.meta.next_cursor });
  };
  return (
    <Section title={t('Timeline')}>
      {error && !rows ? (
        <ErrorState error={error} retry={refetch} />
      ) : !rows ? (
        <Stack>
          {[0, 1, 2, 3].map((i) => (
            <Skeleton key={i} height={40} />
          ))}
        </Stack>
      ) : rows.length === 0 ? (
        <EmptyState title={t('Nothing yet')} />
      ) : (
        <ol className={css.line} aria-label={t('Timeline')}>
          {rows.map((e) => (
            <TimelineRow key={e.id} entry={e} contact={contact} />
          ))}
        </ol>
      )}
      {next && (
        <Button variant="default" mt="md" loading={busy} onClick={() => void showOlder(next)}>
          {t('Show older')}
        </Button>
      )}
    </Section>
  );
}

function TimelineRow({ entry, contact }: { entry: Entry; contact: Contact }) {
  return (
    <li className={css.entry}>
      <span className={css.icon} aria-hidden>
        {iconOf(entry)}
      </span>
      <span className={css.what}>
        <EntryText entry={entry} contact={contact} />
      </span>
      <Time at={entry.at} as="instant" />
    </li>
  );
}
function iconOf(e: Entry): React.ReactNode {
  if (e.item)
    return (
      <KindIcon
        kind={e.item.kind}
        isInbound={e.item.isInbound}
        outcome={e.item.kind === 'call' ? e.item.details.outcome : undefined}
        size={16}
      />
    );
  return {
    note: <IconNote size={16} />,
    opted_out: <IconBan size={16} />,
    opted_in: <IconCircleCheck size={16} />,
    merged: <IconArrowMerge size={16} />,
    added: <IconUserPlus size={16} />,
    item: null,
  }[e.kind];
}
const consentSource = (source: string): string =>
  ({
    keyword: t('By text'),
    carrier_error: t('By the carrier'),
    manual: t('Manually'),
    import: t('By import'),
    api: t('Via the API'),
    complaint: t('After a complaint'),
  })[source] ?? source;

function EntryText({ entry: e, contact }: { entry: Entry; contact: Contact }) {
  if (e.item) return <ItemEntry item={e.item} />;
  const number = e.number ? displayNumber(e.number) : '';
  switch (e.kind) {
    case 'note':
      return (
        <>
          <p>{e.text}</p>
          <Facts of={[t('Note'), e.by]} />
        </>
      );
    case 'opted_out':
    case 'opted_in':
      return (
        <>
          {e.kind === 'opted_out' ? t('Opted out of texts') : t('Opted in again')}
          {e.note && <p>{e.note}</p>}
          <Facts of={[number, e.by || consentSource(e.text)]} />
        </>
      );
    case 'merged':
      return <MergedEntry entry={e} contact={contact} number={number} />;
    default:
      return (
        <>
          {t('Added to contacts')}
          <small>{sourceName(e.text as Contact['source'])}</small>
        </>
      );
  }
}

function Facts({ of }: { of: readonly (string | null | undefined | false)[] }) {
  return <small>{of.filter(Boolean).join(' · ')}</small>;
}

/** What was said, linked to the call or the conversation. */
function ItemEntry({ item }: { item: NonNullable<Entry['item']> }) {
  const href =
    item.kind === 'call' || item.kind === 'voicemail'
      ? `/calls/${item.details.callId}`
      : `/inbox/${item.conversationId}`;
  return (
    <>
      <a href={href}>
        {snippetOf({
          id: item.id,
          isInbound: item.isInbound,
          createdAt: item.createdAt,
          type: item.kind,
          details: item.details as Record<string, unknown>,
        })}
      </a>
      <Facts of={[item.number.label || displayNumber(item.number.number), item.actor?.name]} />
    </>
  );
}

function MergedEntry({
  entry,
  contact,
  number,
}: {
  entry: Entry;
  contact: Contact;
  number: string;
}) {
  const mayUndo = usePermission('contacts.edit') && !entry.undoneAt;
  const { mergeId } = entry;
  const { mutate, isPending } = useApiMutation(contacts.undoMerge, {
    success: t('Contacts unmerged'),
    invalidates: [contacts.getContact, contacts.listContacts, timeline.contactTimeline],
  });
  return (
    <>
      {t('Merged with {name}', { name: entry.text || number })}
      <Facts of={[entry.text && number, entry.by, entry.undoneAt && t('undone')]} />
      {mayUndo && mergeId !== null && (
        <Button
          size="compact-sm"
          variant="default"
          mt={4}
          loading={isPending}
          onClick={() => void mutate({ params: { id: contact.id, mergeId } })}
        >
          {t('Undo the merge')}
        </Button>
      )}
    </>
  );
}
