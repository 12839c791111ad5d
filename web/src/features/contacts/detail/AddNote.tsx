import { useState } from 'react';
import { Button, Textarea } from '@mantine/core';
import { conversations, timeline } from '#contract';
import { Section, t, usePermission, useApiMutation } from '#ui';
import { displayNumber, type Contact } from '../labels.ts';

/** Adds a note to a contact; nothing for users who can’t edit notes. */
export function AddNote({ contact }: { contact: Contact }) {
  const may = usePermission('notes.edit');
  const [text, setText] = useState('');
  const { mutate, isPending } = useApiMutation(conversations.addNote, {
    success: t('Note added'),
    invalidates: [timeline.contactTimeline],
    onSuccess: () => setText(''),
  });
  if (!may) return null;
  const send = (): void => {
    if (text.trim())
      void mutate({ body: { model_type: 'contact', model_id: contact.id, body: text.trim() } });
  };
  return (
    <Section title={t('Note')}>
      <form
        onSubmit={(e) => {
          e.preventDefault();
          send();
        }}
      >
        <Textarea
          aria-label={t('Note about {name}', {
            name: contact.name || displayNumber(contact.number),
          })}
          placeholder={t('For your team')}
          autosize
          minRows={1}
          maxRows={8}
          maxLength={5000}
          value={text}
          onChange={(e) => setText(e.currentTarget.value)}
          onKeyDown={(e) => {
            if (e.key === 'Enter' && (e.metaKey || e.ctrlKey)) send();
          }}
        />
        {text.trim() && (
          <Button type="submit" variant="default" mt="xs" loading={isPending}>
            {t('Add note')}
          </Button>
        )}
      </form>
    </Section>
  );
}
