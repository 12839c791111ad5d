import { useState } from 'react';
import { Button, Group, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlus, IconUsers } from '@tabler/icons-react';
import { contacts, type Answer } from '#contract';
import {
  confirm,
  EmptyState,
  ErrorState,
  Modal,
  Page,
  PageSkeleton,
  t,
  useApiInfiniteQuery,
  useApiMutation,
} from '#ui';
import { partyName } from '#ui/messaging/labels.ts';
import { ContactForm } from './ContactForm.tsx';
import { showContacts } from './use-save-contact.ts';
import css from '../account/Account.module.css';

type Contact = Answer<typeof contacts.createContact>['data'];

/** The person's own contacts. */
export default function Contacts() {
  const [search, setSearch] = useState('');
  const [wanted] = useDebouncedValue(search.trim(), 300);
  const [editing, setEditing] = useState<Contact | 'new' | null>(null);
  const list = useApiInfiniteQuery(
    contacts.listContacts,
    { query: { perPage: 50, ...(wanted && { search: wanted }) } },
    { silent: true },
  );
  return (
    <Page
      title={t('Contacts')}
      back={{ href: '/caddy/account', label: t('Account') }}
      layout="read"
      action={
        <Button leftSection={<IconPlus size={16} />} onClick={() => setEditing('new')}>
          {t('New contact')}
        </Button>
      }
    >
      <TextInput
        type="search"
        mb="md"
        aria-label={t('Search contacts')}
        placeholder={t('Search contacts')}
        value={search}
        onChange={(e) => setSearch(e.currentTarget.value)}
      />
      {list.loading ? (
        <PageSkeleton />
      ) : list.error && list.rows.length === 0 ? (
        <ErrorState error={list.error} retry={list.refetch} />
      ) : (
        <Rows contacts={list.rows} isSearch={wanted !== ''} edit={setEditing} />
      )}
      {list.hasMore && (
        <Button variant="default" fullWidth mt="md" onClick={list.more} loading={list.loadingMore}>
          {t('Show more')}
        </Button>
      )}
      <EditDialog editing={editing} close={() => setEditing(null)} />
    </Page>
  );
}

function EditDialog({ editing, close }: { editing: Contact | 'new' | null; close: () => void }) {
  const contact =
    editing === 'new' || editing === null ? null : { id: editing.id, name: editing.name ?? '' };
  return (
    <Modal
      opened={editing !== null}
      onClose={close}
      title={contact ? t('Rename contact') : t('New contact')}
      closeButtonProps={{ 'aria-label': t('Close') }}
      size="sm"
    >
      <ContactForm contact={contact} close={close} />
    </Modal>
  );
}

interface RowsProps {
  contacts: readonly Contact[];
  isSearch: boolean;
  edit: (contact: Contact) => void;
}

function Rows({ contacts: rows, isSearch, edit }: RowsProps) {
  const { mutate } = useApiMutation(contacts.deleteContact, {
    invalidates: showContacts,
    success: t('Contact deleted'),
  });
  const remove = async (contact: Contact, who: string): Promise<void> => {
    const isSure = await confirm({
      title: t('Delete {who}?', { who }),
      body: t('Your conversation stays. It shows the number again.'),
      confirmLabel: t('Delete'),
      danger: true,
    });
    if (isSure) await mutate({ params: { contactId: contact.id } });
  };
  if (rows.length === 0)
    return (
      <EmptyState
        icon={<IconUsers size={28} stroke={1.5} />}
        title={isSearch ? t('No contacts found') : t('No contacts yet')}
      >
        {isSearch
          ? t('Try another name or number.')
          : t('People you save appear here, and their names in your messages.')}
      </EmptyState>
    );
  return (
    <ul className={css.rows} aria-label={t('Contacts')}>
      {rows.map((contact) => {
        const who = contact.name || partyName(contact.number ?? '');
        return (
          <li key={contact.id}>
            <span>
              {who}
              <Text size="sm" c="dimmed" component="span" display="block">
                {contact.number && partyName(contact.number)}
              </Text>
            </span>
            <Group gap="xs" wrap="nowrap">
              <Button
                variant="default"
                onClick={() => edit(contact)}
                aria-label={t('Rename {who}', { who })}
              >
                {t('Rename')}
              </Button>
              <Button
                variant="subtle"
                color="red"
                onClick={() => void remove(contact, who)}
                aria-label={t('Delete {who}', { who })}
              >
                {t('Delete')}
              </Button>
            </Group>
          </li>
        );
      })}
    </ul>
  );
}
