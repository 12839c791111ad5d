import { useState } from 'react';
import { Button, Group, Stack, Textarea } from '@mantine/core';
import { porting } from '#contract';
import { Section, t, Time, useApiMutation } from '#ui';
import css from '../../shared/Rows.module.css';

/** Events of a port request, newest first, with a form for notes to the team. */
export function PortTimeline({ port, mayEdit }: { port: porting.PortRequest; mayEdit: boolean }) {
  return (
    <Section title={t('Timeline')} plain>
      <ol className={css.timeline}>
        {port.events.toReversed().map((e) => (
          <li key={e.id} data-kind={e.kind}>
            <div>
              {e.kind === 'note' || e.kind === 'alarm' ? <strong>{e.text}</strong> : e.text}
            </div>
            <div className={css.quiet}>
              {e.by ?? t('The carrier')} · <Time at={e.at} as="instant" />
            </div>
          </li>
        ))}
      </ol>
      {mayEdit && <Note port={port} />}
    </Section>
  );
}

function Note({ port }: { port: porting.PortRequest }) {
  const [text, setText] = useState('');
  const { mutate, isPending } = useApiMutation(porting.addPortNote, {
    invalidates: [porting.getPort],
    success: t('Note added'),
    onSuccess: () => setText(''),
  });
  return (
    <Stack gap="xs" mt="md">
      <Textarea
        label={t('Note for your team')}
        autosize
        minRows={2}
        value={text}
        onChange={(e) => setText(e.currentTarget.value)}
      />
      <Group>
        <Button
          variant="default"
          size="compact-md"
          loading={isPending}
          disabled={!text.trim()}
          onClick={() => void mutate({ params: { id: port.id }, body: { text } })}
        >
          {t('Add note')}
        </Button>
      </Group>
    </Stack>
  );
}
