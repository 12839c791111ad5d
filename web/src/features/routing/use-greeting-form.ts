import { useEffect, useState } from 'react';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { greetings } from '#contract';
import { bindFieldErrors, formFields, t, useApiMutation, useApiQuery } from '#ui';
import { canBeDefault } from '../numbers/index.ts';
import type { RecordedSound } from './Recorder.tsx';
import { toWav } from './sound.ts';

/** Where the audio comes from; `keep`: the stored file stays. */
export type GreetingSource = 'tts' | 'upload' | 'recorded' | 'keep';
interface GreetingValues {
  name: string;
  type: greetings.GreetingType;
  /** The text that is read aloud, or what an audio file says. */
  content: string;
  /** '' = the default voice. */
  voice: string;
  is_default: boolean;
}
export type GreetingForm = UseFormReturnType<GreetingValues>;

/** Adds or updates a greeting; field errors are shown in the form. */
function useSaveGreeting(form: GreetingForm, close: () => void) {
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
  return { add, update, isSaving: adding || updating };
}

const valuesOf = (greeting: greetings.Greeting | null): GreetingValues => ({
  name: greeting?.name ?? '',
  type: greeting?.type ?? 'voicemail',
  content: greeting?.content ?? '',
  voice: greeting?.voice ?? '',
  is_default: greeting?.is_default ?? false,
});

/** The sound that was recorded or uploaded last; its URL is released with it. */
function useTake() {
  const [take, setTake] = useState<RecordedSound | null>(null);
  useEffect(
    () => () => {
      if (take) URL.revokeObjectURL(take.url);
    },
    [take],
  );
  return [take, setTake] as const;
}

/** The form of a greeting; `greeting` null adds one. */
export function useGreetingForm(greeting: greetings.Greeting | null, close: () => void) {
  const form = useForm<GreetingValues>({
    initialValues: valuesOf(greeting),
    validate: {
      name: (v) => (v.trim() ? null : t('Enter a name.')),
      content: (v) => (how === 'tts' && !v.trim() ? t('Enter the text.') : null),
    },
  });
  const [how, setHow] = useState<GreetingSource>(
    greeting && greeting.source !== 'tts' ? 'keep' : 'tts',
  );
  const [take, setTake] = useTake();
  const [problem, setProblem] = useState<string | null>(null);
  const { add, update, isSaving } = useSaveGreeting(form, close);
  const replaceTake = (next: RecordedSound | null): void => {
    setTake(next);
    setProblem(null);
  };
  const setSource = (next: GreetingSource): void => {
    setHow(next);
    replaceTake(null);
  };
  const choose = (file: File | null): void => {
    replaceTake(null);
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
  return { form, how, setSource, take, replaceTake, problem, choose, send, isSaving };
}

/** Reads the form's text aloud; `preview` is null when text or voice changed since. */
export function useSpeech(form: GreetingForm) {
  const [heard, setHeard] = useState<{ url: string; seconds: number; of: string } | null>(null);
  const voices = useApiQuery(greetings.listVoices, {}, { staleTime: 600_000 }).response?.data ?? [];
  const { mutate: speak, isPending: speaking } = useApiMutation(greetings.speakGreeting, {
    onFieldErrors: bindFieldErrors(form),
  });
  const v = form.values;
  const words = `${v.voice}\n${v.content}`;
  const listen = async (): Promise<void> => {
    if (form.validateField('content').hasError) return;
    const response = await speak({ body: { content: v.content, voice: v.voice || null } });
    if (response)
      setHeard({ url: response.data.url, seconds: response.data.duration_ms / 1000, of: words });
  };
  const preview = heard?.of === words ? heard : null;
  return { voices, listen, speaking, preview };
}
