import { useState } from 'react';
import { ActionIcon, Button, Menu, Textarea } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { conversations } from '#contract';
import { confirm, t, Time, useAsk, useMay, useTell, useUser } from '#ui';
import panel from './PersonPanel.module.css';
import css from './PersonNotes.module.css';

type Note = NonNullable<(typeof conversations.listNotes)['__types']>['answer']['data'][number];
const changed = [conversations.listNotes, conversations.listConversationItems];

/** Notes on this conversation, newest first. One's own can be changed. */
export function PersonNotes({ conversationId }: { conversationId: number }) {
  const may = useMay('notes.edit');
  const { answer } = useAsk(conversations.listNotes, { query: { model_type: 'conversation', model_id: conversationId } }, { when: may, freshMs: 60_000, quiet: true });
  const [text, setText] = useState('');
  const { tell, telling } = useTell(conversations.addNote, { touches: changed, done: () => setText('') });
  if (!may) return null;
  const notes = (answer?.data ?? []).toReversed();
  return (
    <section className={panel.part}>
      <h2 className={panel.title}>{t('Notes')}</h2>
      <form className={css.form} onSubmit={(e) => { e.preventDefault(); if (text.trim()) void tell({ body: { model_type: 'conversation', model_id: conversationId, body: text.trim() } }); }}>
        <Textarea aria-label={t('New note')} placeholder={t('Add a note for colleagues')} minRows={1} maxRows={6} maxLength={5000} value={text} onChange={(e) => setText(e.currentTarget.value)} onKeyDown={(e) => { if (e.key === 'Enter' && (e.metaKey || e.ctrlKey)) e.currentTarget.form?.requestSubmit(); }} />
        {text.trim() && <Button type="submit" size="compact-md" mt={6} loading={telling}>{t('Add note')}</Button>}
      </form>
      <ul className={css.list}>{notes.map((n) => <OneNote key={n.id} note={n} />)}</ul>
    </section>
  );
}

function OneNote({ note }: { note: Note }) {
  const me = useUser();
  const [text, setText] = useState<string | null>(null);
  const { tell: save, telling } = useTell(conversations.updateNote, { touches: changed, done: () => setText(null) });
  const { tell: remove } = useTell(conversations.deleteNote, { success: t('Note deleted'), touches: changed });
  const mine = note.user?.id === me?.id;
  if (text !== null) {
    return (
      <li className={css.note}>
        <form onSubmit={(e) => { e.preventDefault(); if (text.trim()) void save({ params: { id: note.id }, body: { body: text.trim() } }); }}>
          <Textarea autoFocus aria-label={t('Note')} minRows={2} maxRows={10} maxLength={5000} value={text} onChange={(e) => setText(e.currentTarget.value)} onKeyDown={(e) => { if (e.key === 'Escape') { e.stopPropagation(); setText(null); } }} />
          <span className={css.acts}><Button size="compact-sm" type="submit" loading={telling}>{t('Save')}</Button><Button size="compact-sm" variant="subtle" color="gray" onClick={() => setText(null)}>{t('Cancel')}</Button></span>
        </form>
      </li>
    );
  }
  return (
    <li className={css.note}>
      <span className={css.who}><strong>{note.user?.name ?? t('A former colleague')}</strong> <Time at={note.created_at} />{note.edited && ` · ${t('edited')}`}
        {mine && (
          <Menu>
            <Menu.Target><ActionIcon size={24} className={css.more} aria-label={t('More about this note')}><IconDots size={14} /></ActionIcon></Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => setText(note.body)}>{t('Change')}</Menu.Item>
              <Menu.Item color="red" onClick={async () => { if (await confirm({ title: t('Delete this note?'), body: t('It disappears for all colleagues.'), verb: t('Delete'), danger: true })) void remove({ params: { id: note.id } }); }}>{t('Delete')}</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </span>
      <p className={css.body}>{note.body}</p>
    </li>
  );
}
