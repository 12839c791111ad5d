import { useState } from 'react';
import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { contacts, conversations } from '#contract';
import { PhoneNumber, t, useApiMutation, usePermission } from '#ui';
import type { Conversation } from '../cache-updates.ts';
import { ANONYMOUS, conversationName, partyName } from '#ui/messaging/labels.ts';
import css from './ContactPanel.module.css';

/** The contact's name, edited inline; the number when there is no contact. */
export function ContactName({ conversation }: { conversation: Conversation }) {
  const { contact, recipient } = conversation;
  const mayEdit = usePermission('contacts.edit');
  const [isEditing, setEditing] = useState(false);
  if (isEditing && contact)
    return (
      <NameForm
        contact={contact}
        placeholder={partyName(recipient)}
        onClose={() => setEditing(false)}
      />
    );
  return (
    <span className={css.nameLine}>
      <strong className={css.name}>
        {contact?.name || recipient === ANONYMOUS ? (
          conversationName(conversation)
        ) : (
          <PhoneNumber value={recipient} copy />
        )}
      </strong>
      {mayEdit && contact && (
        <ActionIcon size={24} aria-label={t('Change name')} onClick={() => setEditing(true)}>
          <IconPencil size={14} />
        </ActionIcon>
      )}
    </span>
  );
}

function NameForm({
  contact,
  placeholder,
  onClose,
}: {
  contact: NonNullable<Conversation['contact']>;
  placeholder: string;
  onClose: () => void;
}) {
  const before = contact.name ?? '';
  const [name, setName] = useState(before);
  const { mutate, isPending } = useApiMutation(contacts.updateContact, {
    success: t('Name saved'),
    invalidates: [conversations.getConversation, conversations.listConversations],
  });
  const save = async (): Promise<void> => {
    const isSame = name.trim() === before;
    if (
      isSame ||
      (await mutate({ params: { contactId: contact.id }, body: { name: name.trim() } }))
    )
      onClose();
  };
  return (
    <form
      className={css.naming}
      onSubmit={(e) => {
        e.preventDefault();
        void save();
      }}
    >
      <TextInput
        data-autofocus
        autoFocus
        size="sm"
        aria-label={t('Name')}
        placeholder={placeholder}
        value={name}
        maxLength={120}
        onChange={(e) => setName(e.currentTarget.value)}
        onKeyDown={(e) => {
          if (e.key === 'Escape') {
            e.stopPropagation();
            onClose();
          }
        }}
      />
      <Button type="submit" size="compact-md" loading={isPending}>
        {t('Save')}
      </Button>
    </form>
  );
}
