import { useState } from 'react';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { tracking } from '#contract';
import {
  bindFieldErrors,
  Facts,
  formatPhoneNumber,
  Section,
  StatusBadge,
  t,
  useApiMutation,
  useCompanyId,
} from '#ui';
import css from './script.module.css';

/** Looks at a page of the website and says what is wrong with the script there. */
export function TestPage() {
  const companyId = useCompanyId() ?? 0;
  const form = useForm({
    initialValues: { url: '' },
    validate: { url: (url) => (url.trim() ? null : t('Enter an address.')) },
  });
  const [found, setFound] = useState<tracking.ScriptCheck | null>(null);
  const { mutate, isPending } = useApiMutation(tracking.verifyScript, {
    onFieldErrors: bindFieldErrors(form),
    onSuccess: ({ data }) => setFound(data),
  });
  const run = form.onSubmit(({ url }) => {
    setFound(null);
    void mutate({ params: { companyId }, body: { url } });
  });
  return (
    <Section
      title={t('Test my page')}
      about={t('We read the page as it’s published, without running its scripts.')}
    >
      <form onSubmit={run} noValidate>
        <Group gap="sm" align="flex-end">
          <TextInput
            className={css.address ?? ''}
            label={t('Address of the page')}
            placeholder="www.example.com/contact"
            {...form.getInputProps('url')}
          />
          <Button type="submit" variant="default" loading={isPending}>
            {t('Test page')}
          </Button>
        </Group>
      </form>
      <div role="status">{found && <Outcome found={found} />}</div>
    </Section>
  );
}

function Outcome({ found }: { found: tracking.ScriptCheck }) {
  const { result, messages, targets, finalUrl, url } = found;
  return (
    <Stack gap="sm" mt="md">
      <Group gap="xs">
        <StatusBadge tone={result === 'ok' ? 'success' : result === 'warning' ? 'warn' : 'danger'}>
          {result === 'ok'
            ? t('All is well')
            : result === 'warning'
              ? t('Works, with warnings')
              : t('Doesn’t work')}
        </StatusBadge>
        <Text size="sm" c="dimmed" className={css.wrap ?? ''}>
          {finalUrl ?? url}
        </Text>
      </Group>
      {messages.length > 0 && (
        <ul className={css.messages}>
          {messages.map(({ code, text, fix }, at) => (
            <li key={`${code} ${at}`}>
              <Text size="sm" fw={600}>
                {text}
              </Text>
              <Text size="sm">{fix}</Text>
            </li>
          ))}
        </ul>
      )}
      {targets.length > 0 && (
        <Facts
          rows={targets.map(({ number, occurrences, formats, willSwap }) => [
            formatPhoneNumber(number),
            willSwap
              ? [
                  t('{n, plural, one {# place} other {# places}}', { n: occurrences }),
                  ...formats,
                ].join(', ')
              : t('Stays as it is'),
          ])}
        />
      )}
    </Stack>
  );
}
