import { useState } from 'react';
import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { conversations } from '#contract';
import { confirm, t, Time, useAsk, useMay, useTell, useUser } from '#ui';
import type { Conversation } from './fold.ts';
import { NoteField } from './NoteField.tsx';
import { mentionedIn } from './team/canned.ts';
import { useTeammates } from './team/use-teammates.ts';
import panel from './PersonPanel.module.css';
import css from './PersonNotes.module.css';

type Note = NonNullable<(typeof conversations.listNotes)['__types']>['answer']['data'][number];
const changed = [conversations.listNotes, conversations.listConversationItems];

/** Notes on this conversation, newest first. One's own can be changed. */
export function PersonNotes({ conversation }: { conversation: Conversation }) {
  const may = useMay('notes.edit');
  const about = { model_type: 'conversation' as const, model_id: conversation.id };
  const { answer } = useAsk(
    conversations.listNotes,
    { query: about },
    { when: may, freshMs: 60_000, quiet: true },
  );
  const [text, setText] = useState('');
  const mates = useTeammates(conversation.number.id, may && text.includes('@'));
  const { tell, telling } = useTell(conversations.addNote, {
    touches: changed,
    done: () => setText(''),
  });
  if (!may) return null;
  const add = (): void => {
    if (text.trim() && !telling)
      void tell({ body: { ...about, body: text.trim(), mentions: mentionedIn(text, mates) } });
  };
  const notes = (answer?.data ?? []).toReversed();
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
          <Button type="submit" size="compact-md" mt={6} loading={telling}>
            {t('Add note')}
          </Button>
        )}
      </form>
      <ul className={css.list}>
        {notes.map((n) => (
          <OneNote key={n.id} note={n} conversation={conversation} />
        ))}
      </ul>
    </section>
  );
}

function OneNote({ note, conversation }: { note: Note; conversation: Conversation }) {
  const me = useUser();
  const [text, setText] = useState<string | null>(null);
  const mates = useTeammates(conversation.number.id, text?.includes('@') ?? false);
  const { tell: save, telling } = useTell(conversations.updateNote, {
    touches: changed,
    done: () => setText(null),
  });
  const { tell: remove } = useTell(conversations.deleteNote, {
    success: t('Note deleted'),
    touches: changed,
  });
  const mine = note.user?.id === me?.id;
  if (text !== null) {
    // Who is named already stays so as long as the name stands there; only those new are told.
    const keep = (): void => {
      if (text.trim() && !telling)
        void save({
          params: { id: note.id },
          body: {
            body: text.trim(),
            ...((mates.length > 0 || !text.includes('@')) && {
              mentions: mentionedIn(text, mates),
            }),
          },
        });
    };
    return (
      <li className={css.note}>
        <form
          onSubmit={(e) => {
            e.preventDefault();
            keep();
          }}
        >
          <NoteField
            conversation={conversation}
            text={text}
            setText={setText}
            label={t('Note')}
            send={keep}
            onEscape={() => setText(null)}
            autoFocus
            minRows={2}
          />
          <span className={css.acts}>
            <Button size="compact-sm" type="submit" loading={telling}>
              {t('Save')}
            </Button>
            <Button size="compact-sm" variant="subtle" color="gray" onClick={() => setText(null)}>
              {t('Cancel')}
            </Button>
          </span>
        </form>
      </li>
    );
  }
  return (
    <li className={css.note}>
      <span className={css.who}>
        <strong>{note.user?.name ?? t('A former colleague')}</strong> <Time at={note.created_at} />
        {note.edited && ` · ${t('edited')}`}
        {mine && (
          <Menu>
            <Menu.Target>
              <ActionIcon size={24} className={css.more} aria-label={t('More about this note')}>
                <IconDots size={14} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => setText(note.body)}>{t('Change')}</Menu.Item>
              <Menu.Item
                color="red"
                onClick={async () => {
                  if (
                    await confirm({
                      title: t('Delete this note?'),
                      body: t('It disappears for all colleagues.'),
                      verb: t('Delete'),
                      danger: true,
                    })
                  )
                    void remove({ params: { id: note.id } });
                }}
              >
                {t('Delete')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </span>
      <p className={css.body}>{note.body}</p>
    </li>
  );
}
