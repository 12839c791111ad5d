import {
  Button,
  Group,
  SegmentedControl,
  Select,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { greetings } from '#contract';
import { Modal, t } from '#ui';
import { AudioClip } from '#ui/components/AudioClip.tsx';
import { canBeDefault, typeDescription, typeOptions } from '../numbers/index.ts';
import css from './Greetings.module.css';
import { RecordedSource, SpokenSource, UploadSource } from './greeting-sources.tsx';
import {
  useGreetingForm,
  useSpeech,
  type GreetingForm,
  type GreetingSource,
} from './use-greeting-form.ts';

/** A stored file can be kept; text to speech is only offered for new and spoken greetings. */
function sourceOptions(greeting: greetings.Greeting | null): { value: string; label: string }[] {
  return [
    ...(greeting && greeting.source !== 'tts'
      ? [{ value: 'keep', label: t('Keep current audio') }]
      : []),
    ...(!greeting || greeting.source === 'tts'
      ? [{ value: 'tts', label: t('Text to speech') }]
      : []),
    { value: 'upload', label: t('Upload') },
    { value: 'recorded', label: t('Record') },
  ];
}

/**
 * Adds or edits a greeting: text to speech, uploaded or recorded, with a preview before it is
 * saved.
 */
export function GreetingDialog({
  greeting,
  close,
}: {
  greeting: greetings.Greeting | null;
  close: () => void;
}) {
  const { form, how, setSource, take, replaceTake, problem, choose, send, isSaving } =
    useGreetingForm(greeting, close);
  const speech = useSpeech(form);
  const { type } = form.values;
  return (
    <Modal
      opened
      onClose={close}
      title={greeting ? t('Edit greeting') : t('Add greeting')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form onSubmit={send} noValidate>
        <Stack gap="sm">
          <NameFields form={form} />
          <SegmentedControl
            aria-label={t('Audio source')}
            data={sourceOptions(greeting)}
            value={how}
            onChange={(next) => setSource(next as GreetingSource)}
          />
          {how === 'tts' && <SpokenSource form={form} speech={speech} />}
          {how === 'upload' && <UploadSource take={take} problem={problem} onChoose={choose} />}
          {how === 'recorded' && (
            <RecordedSource take={take} problem={problem} onTake={replaceTake} />
          )}
          {how === 'keep' && greeting && (
            <AudioClip
              url={greeting.file_url}
              seconds={greeting.duration_ms / 1000}
              label={greeting.name}
            />
          )}
          {how !== 'tts' && (
            <Textarea
              label={t('What it says')}
              description={t(
                'For your team, and read aloud if the file is ever missing. Optional.',
              )}
              autosize
              minRows={2}
              maxLength={1000}
              {...form.getInputProps('content')}
            />
          )}
          {canBeDefault(type) && (
            <Switch
              label={t('Use as the default')}
              {...form.getInputProps('is_default', { type: 'checkbox' })}
            />
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={isSaving}>
              {greeting ? t('Save') : t('Add greeting')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function NameFields({ form }: { form: GreetingForm }) {
  return (
    <>
      <Group grow align="flex-start" gap="sm">
        <TextInput
          label={t('Name')}
          maxLength={80}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Select
          label={t('Used for')}
          allowDeselect={false}
          data={typeOptions()}
          {...form.getInputProps('type')}
        />
      </Group>
      <Text className={css.quiet}>{typeDescription(form.values.type)}</Text>
    </>
  );
}
