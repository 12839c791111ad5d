import { Button, Textarea } from '@mantine/core';
import type { calls } from '#contract';
import { t, useEditableValue } from '#ui';
import { useUpdateCall } from './use-update-call.ts';

/** The call's note. Saved on blur, with the button, or with Ctrl or Cmd + Enter; a rejected text stays in the field. */
export function CallNote({ call }: { call: calls.Call }) {
  const { mayEdit, save } = useUpdateCall(call.id);
  const { value: text, edit, finish } = useEditableValue(call.note, call.id);
  const isChanged = text !== call.note;
  const saveNote = async (): Promise<void> => {
    if (!finish() || !isChanged) return;
    if (!(await save({ note: text }))) edit(text);
  };
  return (
    <div>
      <Textarea
        aria-label={t('Note')}
        value={text}
        onChange={(e) => edit(e.currentTarget.value)}
        onBlur={() => void saveNote()}
        onKeyDown={(e) => {
          if (e.key === 'Enter' && (e.metaKey || e.ctrlKey)) void saveNote();
        }}
        autosize
        minRows={2}
        maxRows={10}
        maxLength={5000}
        disabled={!mayEdit}
        placeholder={t('Add a note about this call')}
      />
      {isChanged && (
        // Pressing it must not blur the field first, which would save and hide the button.
        <Button
          mt={6}
          size="compact-sm"
          onMouseDown={(e) => e.preventDefault()}
          onClick={() => void saveNote()}
        >
          {t('Save note')}
        </Button>
      )}
    </div>
  );
}
