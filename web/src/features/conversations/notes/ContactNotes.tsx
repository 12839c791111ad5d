import { useState } from 'react';
import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { conversations } from '#contract';
import { confirm, t, Time, useApiQuery, usePermission, useApiMutation, useUser } from '#ui';
import type { Conversation } from '../cache-updates.ts';
import { NoteField } from './NoteField.tsx';
import { mentionedIds } from '../canned-replies/canned-replies.ts';
import { useTeammates } from '../team/use-teammates.ts';
import panel from '../contact/ContactPanel.module.css';
import css from './ContactNotes.module.css';

type Note = NonNullable<(typeof conversations.listNotes)['__types']>['answer']['data'][number];
const invalidates = [conversations.listNotes, conversations.listConversationItems];

/** Notes on this conversation, newest first. Users can edit their own. */
export function ContactNotes({ conversation }: { conversation: Conversation }) {
  const may = usePermission('notes.edit');
  const about = { model_type: 'conversation' as const, model_id: conversation.id };
  const { response } = useApiQuery(
    conversations.listNotes,
    { query: about },
    { enabled: may, staleTime: 60_000, silent: true },
  );
  const [text, setText] = useState('');
  const teammates = useTeammates(conversation.number.id, may && text.includes('@'));
  const { mutate, isPending } = useApiMutation(conversations.addNote, {
    invalidates,
    onSuccess: () => setText(''),
  });
  if (!may) return null;
  const add = (): void => {
    if (text.trim() && !isPending)
      void mutate({
        body: { ...about, body: text.trim(), mentions: mentionedIds(text, teammates) },
      });
  };
  const notes = (response?.data ?? []).toReversed();
  return (
    <section className={panel.part}>
      <h2 className={panel.title}>{t('Notes')}</h2>
      <form
        className={css.form}
        onSubmit={(e) => {
          e.preventDefault();
          add();
        }}
      >
        <NoteField
          conversation={conversation}
          text={text}
          setText={setText}
          label={t('New note')}
          send={add}
        />
        {text.trim() && (
          <Button type="submit" size="compact-md" mt={6} loading={isPending}>
            {t('Add note')}
          </Button>
        )}
      </form>
      <ul className={css.list}>
        {notes.map((n) => (
          <NoteRow key={n.id} note={n} conversation={conversation} />
        ))}
      </ul>
    </section>
  );
}

function NoteRow({ note, conversation }: { note: Note; conversation: Conversation }) {
  const me = useUser();
  const [isEditing, setEditing] = useState(false);
  if (isEditing)
    return (
      <li className={css.note}>
        <EditNote note={note} conversation={conversation} onClose={() => setEditing(false)} />
      </li>
    );
  return (
    <li className={css.note}>
      <span className={css.who}>
        <strong>{note.user?.name ?? t('Former teammate')}</strong> <Time at={note.created_at} />
        {note.edited && ` · ${t('edited')}`}
        {note.user?.id === me?.id && <NoteMenu note={note} onEdit={() => setEditing(true)} />}
      </span>
      <p className={css.body}>{note.body}</p>
    </li>
  );
}

function EditNote({
  note,
  conversation,
  onClose,
}: {
  note: Note;
  conversation: Conversation;
  onClose: () => void;
}) {
  const [text, setText] = useState(note.body);
  const teammates = useTeammates(conversation.number.id, text.includes('@'));
  const { mutate, isPending } = useApiMutation(conversations.updateNote, {
    invalidates,
    onSuccess: onClose,
  });
  const save = (): void => {
    if (!text.trim() || isPending) return;
    // Existing mentions stay while the name is in the text; only new ones are notified.
    const canMention = teammates.length > 0 || !text.includes('@');
    void mutate({
      params: { id: note.id },
      body: {
        body: text.trim(),
        ...(canMention && { mentions: mentionedIds(text, teammates) }),
      },
    });
  };
  return (
    <form
      onSubmit={(e) => {
        e.preventDefault();
        save();
      }}
    >
      <NoteField
        conversation={conversation}
        text={text}
        setText={setText}
        label={t('Note')}
        send={save}
        onEscape={onClose}
        autoFocus
        minRows={2}
      />
      <span className={css.acts}>
        <Button size="compact-sm" type="submit" loading={isPending}>
          {t('Save')}
        </Button>
        <Button size="compact-sm" variant="subtle" color="gray" onClick={onClose}>
          {t('Cancel')}
        </Button>
      </span>
    </form>
  );
}

function NoteMenu({ note, onEdit }: { note: Note; onEdit: () => void }) {
  const { mutate } = useApiMutation(conversations.deleteNote, {
    success: t('Note deleted'),
    invalidates,
  });
  const remove = async (): Promise<void> => {
    const sure = await confirm({
      title: t('Delete this note?'),
      body: t('It’s deleted for everyone on your team.'),
      confirmLabel: t('Delete'),
      danger: true,
    });
    if (sure) void mutate({ params: { id: note.id } });
  };
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon size={24} className={css.more} aria-label={t('Note options')}>
          <IconDots size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onEdit}>{t('Edit')}</Menu.Item>
        <Menu.Item color="red" onClick={() => void remove()}>
          {t('Delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
