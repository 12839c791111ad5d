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
      about={t(
        'We read the page as it’s published, and open it in a browser if the server has one.',
      )}
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
      <div role="status">
        {isPending && (
          <Text size="sm" c="dimmed" mt="md">
            {t('Reading the page. This takes up to half a minute.')}
          </Text>
        )}
        {found && <Outcome found={found} />}
      </div>
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
      <InBrowser browser={found.browser} />
    </Stack>
  );
}

/** What a browser saw that ran the page's scripts, or why none did. */
function InBrowser({ browser }: { browser: tracking.ScriptCheck['browser'] }) {
  const { state, scriptRan, version, numbers, swapped, errors } = browser;
  if (state === 'not_opened') return null;
  if (state !== 'checked')
    return (
      <Text size="sm" c="dimmed">
        {notChecked()[state]}
      </Text>
    );
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {t('In a browser')}
      </Text>
      <Facts
        rows={[
          [
            t('Script'),
            scriptRan ? t('Ran, version {version}', { version: version ?? '' }) : t('Didn’t run'),
          ],
          scriptRan && [
            t('Changed'),
            t('{n, plural, one {# place} other {# places}}', { n: swapped }),
          ],
          ...numbers.map(
            ({ number, shown }) =>
              [
                formatPhoneNumber(number),
                t('shown as {number}', { number: formatPhoneNumber(shown) }),
              ] as const,
          ),
          errors.length > 0 && [
            t('Errors of the page'),
            <Text key="errors" size="sm" className={css.errors ?? ''}>
              {errors.join('\n')}
            </Text>,
          ],
        ]}
      />
    </Stack>
  );
}

const notChecked = (): Record<'not_installed' | 'not_started' | 'busy' | 'failed', string> => ({
  not_installed: t(
    'Checked without a browser: the page’s scripts weren’t run. The operator of the server can install Chromium for that.',
  ),
  not_started: t(
    'Checked without a browser: the server’s browser doesn’t start. Its operator finds the reason in docs/browser.md.',
  ),
  busy: t('The browser is busy with other pages. Test again in a minute to see the page in it.'),
  failed: t('The page didn’t open in our browser in time, so its scripts weren’t checked.'),
});
