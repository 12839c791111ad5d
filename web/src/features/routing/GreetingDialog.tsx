import { useEffect, useState } from 'react';
import {
  Button,
  FileInput,
  Group,
  SegmentedControl,
  Select,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconUpload, IconVolume } from '@tabler/icons-react';
import { greetings } from '#contract';
import { bindFieldErrors, formFields, Modal, t, useApiQuery, useApiMutation } from '#ui';
import { AudioClip } from '#ui/components/AudioClip.tsx';
import { canBeDefault, typeDescription, typeOptions } from '../numbers/index.ts';
import { Recorder, type RecordedSound } from './Recorder.tsx';
import { toWav } from './sound.ts';
import css from './Greetings.module.css';

type GreetingSource = 'tts' | 'upload' | 'recorded' | 'keep';
const kinds =
  'audio/mpeg,audio/wav,audio/x-wav,audio/mp4,audio/ogg,audio/webm,audio/aac,audio/flac,.mp3,.wav,.m4a,.ogg,.webm,.flac';

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
  const form = useForm({
    initialValues: {
      name: greeting?.name ?? '',
      type: (greeting?.type ?? 'voicemail') as greetings.GreetingType,
      content: greeting?.content ?? '',
      voice: greeting?.voice ?? '',
      is_default: greeting?.is_default ?? false,
    },
    validate: {
      name: (v) => (v.trim() ? null : t('Enter a name.')),
      content: (v) => (how === 'tts' && !v.trim() ? t('Enter the text.') : null),
    },
  });
  const [how, setHow] = useState<GreetingSource>(
    greeting && greeting.source !== 'tts' ? 'keep' : 'tts',
  );
  const [take, setTake] = useState<RecordedSound | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [heard, setHeard] = useState<{ url: string; seconds: number; of: string } | null>(null);
  useEffect(
    () => () => {
      if (take) URL.revokeObjectURL(take.url);
    },
    [take],
  );
  const voices = useApiQuery(greetings.listVoices, {}, { staleTime: 600_000 }).response?.data ?? [];
  const { mutate: speak, isPending: speaking } = useApiMutation(greetings.speakGreeting, {
    onFieldErrors: bindFieldErrors(form),
  });
  const done = {
    onFieldErrors: bindFieldErrors(form),
    invalidates: [greetings.listGreetings, greetings.getGreeting],
    onSuccess: close,
  };
  const { mutate: add, isPending: adding } = useApiMutation(greetings.addGreeting, {
    ...done,
    success: t(greetings.greetingSaid.added),
  });
  const { mutate: update, isPending: updating } = useApiMutation(greetings.updateGreetingByPost, {
    ...done,
    success: t(greetings.greetingSaid.updated),
  });

  const v = form.values;
  const words = `${v.voice}\n${v.content}`;
  const listen = async (): Promise<void> => {
    if (form.validateField('content').hasError) return;
    const response = await speak({ body: { content: v.content, voice: v.voice || null } });
    if (response)
      setHeard({ url: response.data.url, seconds: response.data.duration_ms / 1000, of: words });
  };
  const choose = (file: File | null): void => {
    setProblem(null);
    setTake(null);
    if (!file) return;
    if (file.size > greetings.greetingBytes)
      return setProblem(
        t('This file is too large. Greetings can be up to {limit}.', { limit: '10 MB' }),
      );
    toWav(file, file.name).then(
      (made) => {
        setTake({ ...made, url: URL.createObjectURL(made.file) });
        if (!form.getValues().name.trim())
          form.setFieldValue('name', file.name.replace(/\.\w+$/, '').slice(0, 80));
      },
      () => setProblem(t('Your browser can’t read this file. Try MP3 or WAV.')),
    );
  };
  const send = form.onSubmit((values) => {
    if ((how === 'upload' || how === 'recorded') && !take)
      return setProblem(how === 'upload' ? t('Choose a file.') : t('Record something first.'));
    const sound = how === 'upload' || how === 'recorded' ? { source: how, file: take?.file } : {};
    const body = formFields({
      name: values.name.trim(),
      type: values.type,
      content: values.content.trim(),
      ...(how === 'tts' && values.voice ? { voice: values.voice } : {}),
      is_default: canBeDefault(values.type) && values.is_default ? '1' : '0',
      ...sound,
      ...(greeting ? { _method: 'PUT' } : {}),
    });
    void (greeting ? update({ params: { id: greeting.id }, body }) : add({ body }));
  });
  const ways = [
    ...(greeting && greeting.source !== 'tts'
      ? [{ value: 'keep', label: t('Keep current audio') }]
      : []),
    ...(!greeting || greeting.source === 'tts'
      ? [{ value: 'tts', label: t('Text to speech') }]
      : []),
    { value: 'upload', label: t('Upload') },
    { value: 'recorded', label: t('Record') },
  ];
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
          <Text className={css.quiet}>{typeDescription(v.type)}</Text>
          <SegmentedControl
            aria-label={t('Audio source')}
            data={ways}
            value={how}
            onChange={(next) => {
              setHow(next as GreetingSource);
              setTake(null);
              setProblem(null);
            }}
          />
          {how === 'tts' && (
            <>
              <Textarea
                label={t('Text')}
                autosize
                minRows={3}
                maxLength={1000}
                description={t('{n} of 1000 characters', { n: v.content.length })}
                {...form.getInputProps('content')}
              />
              <Group align="flex-end" gap="sm">
                <Select
                  label={t('Voice')}
                  placeholder={t('Default voice')}
                  clearable
                  clearButtonProps={{ 'aria-label': t('Clear') }}
                  w={260}
                  data={voices.map((one) => ({ value: one.id, label: one.name }))}
                  {...form.getInputProps('voice')}
                  value={v.voice || null}
                  onChange={(voice) => form.setFieldValue('voice', voice ?? '')}
                />
                <Button
                  variant="default"
                  loading={speaking}
                  leftSection={<IconVolume size={16} aria-hidden />}
                  onClick={() => void listen()}
                >
                  {t('Listen')}
                </Button>
                {heard && heard.of === words && (
                  <AudioClip
                    key={heard.url}
                    url={heard.url}
                    seconds={heard.seconds}
                    label={t('Preview')}
                  />
                )}
              </Group>
            </>
          )}
          {how === 'upload' && (
            <>
              <FileInput
                label={t('Audio file')}
                description={t(
                  'MP3, WAV or any format your browser can play, up to 10 MB. Stored in phone quality: 8 kHz, mono.',
                )}
                placeholder={t('Choose a file')}
                accept={kinds}
                clearable
                leftSection={<IconUpload size={16} aria-hidden />}
                onChange={choose}
                error={problem}
              />
              {take && (
                <AudioClip
                  key={take.url}
                  url={take.url}
                  seconds={take.seconds}
                  label={take.file.name}
                />
              )}
            </>
          )}
          {how === 'recorded' && (
            <Recorder
              take={take}
              onTake={(next) => {
                setTake(next);
                setProblem(null);
              }}
            />
          )}
          {how === 'recorded' && problem && (
            <Text c="var(--tl-danger)" fz="sm" role="alert">
              {problem}
            </Text>
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
          {canBeDefault(v.type) && (
            <Switch
              label={t('Use as the default')}
              {...form.getInputProps('is_default', { type: 'checkbox' })}
            />
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={adding || updating}>
              {greeting ? t('Save') : t('Add greeting')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
