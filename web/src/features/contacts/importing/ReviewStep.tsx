import { useEffect, useState } from 'react';
import { Button, Loader, Stack, Text } from '@mantine/core';
import { importing, type Answer } from '#contract';
import { Section, t, useApiMutation, type ApiError } from '#ui';
import { OptionsForm } from './OptionsForm.tsx';
import css from './importing.module.css';
import type { Import } from './labels.ts';
import { Examples, Problems } from './ImportProblems.tsx';
import { PreviewFigures } from './PreviewFigures.tsx';

type PreviewResult = Answer<typeof importing.checkContactImport>['data'];
interface ReviewStepProps {
  file: Import;
  mapping: readonly (string | null)[];
  back: () => void;
  begun: () => void;
}

/** A dry run of the import: what it would change, and the file's errors. */
export function ReviewStep(props: ReviewStepProps) {
  const { options, change, errors, checked, checking, start, starting } = useReview(props);
  const taken = checked ? checked.created + checked.updated : 0;
  return (
    <Stack gap="md">
      <Section title={t('Import options')}>
        <OptionsForm options={options} errors={errors} change={change} />
      </Section>
      <Section
        title={t('Import preview')}
        action={checking && checked ? <Loader size={16} aria-label={t('Checking again')} /> : null}
      >
        {!checked ? (
          <div className={css.line} role="status">
            <Loader size={20} aria-label={t('Checking every row')} />{' '}
            <Text c="dimmed">{t('Checking every row')}</Text>
          </div>
        ) : (
          <PreviewFigures checked={checked} />
        )}
      </Section>
      {checked && checked.problems.length > 0 && <Problems checked={checked} />}
      {checked && checked.examples.length > 0 && <Examples rows={checked.examples} />}
      <div className={css.foot}>
        <Button variant="default" onClick={props.back}>
          {t('Back to columns')}
        </Button>
        <Button
          onClick={() => void start()}
          loading={starting}
          disabled={!checked || checking || checked.rows === 0}
        >
          {taken > 0
            ? t('{n, plural, one {Import # contact} other {Import # contacts}}', { n: taken })
            : t('Import anyway')}
        </Button>
      </div>
    </Stack>
  );
}

/** The options, a dry run after each change of them (`checked`: the last one), and the start. */
function useReview({ file, mapping, begun }: ReviewStepProps) {
  const [options, setOptions] = useState(file.options);
  const [checked, setChecked] = useState<PreviewResult | null>(null);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const showErrors = (error: ApiError): string[] => {
    setErrors(error.fields);
    return Object.keys(error.fields).filter((f) => f.startsWith('options.'));
  };
  const params = { importId: file.id };
  const { mutate: check, isPending: checking } = useApiMutation(importing.checkContactImport, {
    onFieldErrors: showErrors,
  });
  const { mutate, isPending: starting } = useApiMutation(importing.startContactImport, {
    onFieldErrors: showErrors,
    invalidates: [importing.getContactImport, importing.listContactImports],
  });
  useEffect(() => {
    let late = false;
    void check({ params, body: { mapping: [...mapping], options } }).then((response) => {
      if (response && !late) {
        setChecked(response.data);
        setErrors({});
      }
    });
    return () => {
      late = true;
    };
  }, [options]); // oxlint-disable-line exhaustive-deps -- the columns can't change while this step is open
  const start = async (): Promise<void> => {
    if (await mutate({ params, body: { mapping: [...mapping], options } })) begun();
  };
  return {
    options,
    change: (part: Partial<Import['options']>) => setOptions((o) => ({ ...o, ...part })),
    errors,
    checked,
    checking,
    start,
    starting,
  };
}
