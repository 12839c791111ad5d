import { Switch, Textarea } from '@mantine/core';
import { t } from '#ui';
import type { FieldFormModel } from './use-field-form.ts';

/** Whether AI fills the field from what was said in a call, and what it is asked. */
export function AiFields({ model: { form, isLocked } }: { model: FieldFormModel }) {
  return (
    <>
      <Switch
        label={t('Fill with AI')}
        description={t('From the transcripts of calls to numbers with AI fields')}
        disabled={isLocked}
        {...form.getInputProps('ai_enabled', { type: 'checkbox' })}
      />
      {form.values.ai_enabled && (
        <>
          <Textarea
            label={t('What to look for')}
            placeholder={t('Why is the client calling?')}
            autosize
            minRows={2}
            maxLength={2000}
            disabled={isLocked}
            {...form.getInputProps('ai_prompt')}
          />
          <Switch
            label={t('Leave empty if the call doesn’t say')}
            disabled={isLocked}
            {...form.getInputProps('ai_allow_null', { type: 'checkbox' })}
          />
          <Switch
            label={t('Give a reason')}
            disabled={isLocked}
            {...form.getInputProps('ai_with_reason', { type: 'checkbox' })}
          />
        </>
      )}
    </>
  );
}
