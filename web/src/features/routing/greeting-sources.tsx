import { Button, FileInput, Group, Select, Text, Textarea } from '@mantine/core';
import { IconUpload, IconVolume } from '@tabler/icons-react';
import { t } from '#ui';
import { AudioClip } from '#ui/components/AudioClip.tsx';
import { Recorder, type RecordedSound } from './Recorder.tsx';
import type { GreetingForm, useSpeech } from './use-greeting-form.ts';

const audioTypes =
  'audio/mpeg,audio/wav,audio/x-wav,audio/mp4,audio/ogg,audio/webm,audio/aac,audio/flac,.mp3,.wav,.m4a,.ogg,.webm,.flac';

/** Text to speech, with a preview. */
export function SpokenSource({
  form,
  speech,
}: {
  form: GreetingForm;
  speech: ReturnType<typeof useSpeech>;
}) {
  const { voices, listen, speaking, preview } = speech;
  const v = form.values;
  return (
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
        {preview && (
          <AudioClip
            key={preview.url}
            url={preview.url}
            seconds={preview.seconds}
            label={t('Preview')}
          />
        )}
      </Group>
    </>
  );
}

/** An audio file, which the browser converts. */
export function UploadSource({
  take,
  problem,
  onChoose,
}: {
  take: RecordedSound | null;
  problem: string | null;
  onChoose: (file: File | null) => void;
}) {
  return (
    <>
      <FileInput
        label={t('Audio file')}
        description={t(
          'MP3, WAV or any format your browser can play, up to 10 MB. Stored in phone quality: 8 kHz, mono.',
        )}
        placeholder={t('Choose a file')}
        accept={audioTypes}
        clearable
        leftSection={<IconUpload size={16} aria-hidden />}
        onChange={onChoose}
        error={problem}
      />
      {take && (
        <AudioClip key={take.url} url={take.url} seconds={take.seconds} label={take.file.name} />
      )}
    </>
  );
}

/** A recording made here. */
export function RecordedSource({
  take,
  problem,
  onTake,
}: {
  take: RecordedSound | null;
  problem: string | null;
  onTake: (take: RecordedSound | null) => void;
}) {
  return (
    <>
      <Recorder take={take} onTake={onTake} />
      {problem && (
        <Text c="var(--tl-danger)" fz="sm" role="alert">
          {problem}
        </Text>
      )}
    </>
  );
}
