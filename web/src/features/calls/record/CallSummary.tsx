import { Button, Select, Textarea } from '@mantine/core';
import type { calls } from '#contract';
import { t, useEditableValue } from '#ui';
import { moodName } from './mood-name.ts';
import { useUpdateCall } from './use-update-call.ts';

const moods = ['positive', 'neutral', 'negative', 'mixed'] as const;

/** The summary and sentiment of a call, which a person can correct. A correction stays. */
export function CallSummary({ call }: { call: calls.Call }) {
  const { mayEdit, save } = useUpdateCall(call.id);
  const { value: text, edit, finish } = useEditableValue(call.summary ?? '', call.id);
  const isChanged = text !== (call.summary ?? '');
  const saveSummary = async (): Promise<void> => {
    if (!finish() || !isChanged) return;
    if (!(await save({ summary: text.trim() || null }))) edit(text);
  };
  return (
    <>
      <Textarea
        aria-label={t('Summary')}
        value={text}
        onChange={(e) => edit(e.currentTarget.value)}
        onBlur={() => void saveSummary()}
        autosize
        minRows={1}
        maxRows={8}
        maxLength={5000}
        disabled={!mayEdit}
        placeholder={t('No summary yet')}
      />
      {isChanged && (
        <Button
          size="compact-sm"
          style={{ alignSelf: 'flex-start' }}
          // Pressing it must not blur the field first, which would save and hide the button.
          onMouseDown={(e) => e.preventDefault()}
          onClick={() => void saveSummary()}
        >
          {t('Save summary')}
        </Button>
      )}
      {call.transcription.state === 'ready' && (
        <Select
          label={t('Sentiment')}
          maw={200}
          allowDeselect={false}
          placeholder={t('Unknown')}
          data={moods.map((value) => ({ value, label: moodName(value) }))}
          value={call.sentiment.label === 'unknown' ? null : call.sentiment.label}
          disabled={!mayEdit}
          onChange={(chosen) => {
            const sentiment = moods.find((one) => one === chosen);
            if (sentiment) void save({ sentiment });
          }}
        />
      )}
    </>
  );
}
