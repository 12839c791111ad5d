import { useState } from 'react';
import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { contacts, conversations } from '#contract';
import { PhoneNumber, t, useApiMutation, usePermission } from '#ui';
import type { Conversation } from '../cache-updates.ts';
import { ANONYMOUS, conversationName, partyName } from '../labels.ts';
import css from './ContactPanel.module.css';

/** The contact's name, edited inline; the number when there is no contact. */
export function ContactName({ conversation }: { conversation: Conversation }) {
  const { contact } = conversation;
  const may = usePermission('contacts.edit') && contact !== null;
  const [text, setText] = useState<string | null>(null);
  const { mutate, isPending } = useApiMutation(contacts.updateContact, {
    success: t('Name saved'),
    invalidates: [conversations.getConversation, conversations.listConversations],
  });
  if (text === null) {
    return (
      <span className={css.nameLine}>
        <strong className={css.name}>
          {contact?.name || conversation.recipient === ANONYMOUS ? (
            conversationName(conversation)
          ) : (
            <PhoneNumber value={conversation.recipient} copy />
          )}
        </strong>
        {may && (
          <ActionIcon
            size={24}
            aria-label={t('Change name')}
            onClick={() => setText(contact?.name ?? '')}
          >
            <IconPencil size={14} />
          </ActionIcon>
        )}
      </span>
    );
  }
  return (
    <form
      className={css.naming}
      onSubmit={async (e) => {
        e.preventDefault();
        if (
          text.trim() === (contact?.name ?? '') ||
          (await mutate({ params: { contactId: contact!.id }, body: { name: text.trim() } }))
        )
          setText(null);
      }}
    >
      <TextInput
        data-autofocus
        autoFocus
        size="sm"
        aria-label={t('Name')}
        placeholder={partyName(conversation.recipient)}
        value={text}
        maxLength={120}
        onChange={(e) => setText(e.currentTarget.value)}
        onKeyDown={(e) => {
          if (e.key === 'Escape') {
            e.stopPropagation();
            setText(null);
          }
        }}
      />
      <Button type="submit" size="compact-md" loading={isPending}>
        {t('Save')}
      </Button>
    </form>
  );
}
