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

interface GreetingDialogProps {
  greeting: greetings.Greeting | null;
  close: () => void;
}

/**
 * Adds or edits a greeting: text to speech, uploaded or recorded, with a preview before it is
 * saved.
 */
export function GreetingDialog({ greeting, close }: GreetingDialogProps) {
  const state = useGreetingForm(greeting, close);
  const { form, how, setSource, send, isSaving } = state;
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
          <AudioSource greeting={greeting} state={state} />
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
          {canBeDefault(form.values.type) && (
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

/** The audio: read aloud, uploaded, recorded, or the stored file. */
function AudioSource({
  greeting,
  state: { form, how, take, replaceTake, problem, choose },
}: Pick<GreetingDialogProps, 'greeting'> & { state: ReturnType<typeof useGreetingForm> }) {
  const speech = useSpeech(form);
  switch (how) {
    case 'tts':
      return <SpokenSource form={form} speech={speech} />;
    case 'upload':
      return <UploadSource take={take} problem={problem} onChoose={choose} />;
    case 'recorded':
      return <RecordedSource take={take} problem={problem} onTake={replaceTake} />;
    case 'keep':
      return (
        greeting && (
          <AudioClip
            url={greeting.file_url}
            seconds={greeting.duration_ms / 1000}
            label={greeting.name}
          />
        )
      );
  }
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
