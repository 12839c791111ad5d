import { useState } from 'react';
import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { tracking } from '#contract';
import {
  bindFieldErrors,
  Facts,
  formatPhoneNumber,
  Section,
  t,
  useApiMutation,
  useCompanyId,
} from '#ui';
import { stepName } from '../labels.ts';
import { choiceReason, skipReason } from './labels.ts';
import { settingsIn, type PoolValues } from './use-pool-form.ts';

/** Which number a visitor would get with the settings as they are in the form. */
export function PoolPreview({ pool, values }: { pool: tracking.Pool; values: PoolValues }) {
  const companyId = useCompanyId() ?? 0;
  const [found, setFound] = useState<tracking.PoolPreview | null>(null);
  const site = pool.domains[0]?.replace(/^\*\./, 'www.') ?? 'www.example.com';
  const form = useForm({
    initialValues: { url: `https://${site}/`, referrer: '' },
    validate: { url: (url) => (url.trim() ? null : t('Enter an address.')) },
  });
  const { mutate, isPending } = useApiMutation(tracking.previewPools, {
    onFieldErrors: bindFieldErrors(form),
    onSuccess: ({ data }) => setFound(data),
  });
  const run = form.onSubmit(({ url, referrer }) => {
    const { name, mode, sourceIds, domains, includePaths, excludePaths, ...other } = settingsIn(
      values,
      pool,
    );
    const draft = {
      ...{ poolId: pool.id, name, mode, sourceIds, domains, includePaths, excludePaths },
      crossDomains: other.crossDomains,
      exhaustedPolicy: other.exhaustedPolicy,
      defaultNumberId: other.defaultNumberId,
    };
    void mutate({ params: { companyId }, body: { url, referrer: referrer || null, draft } });
  });
  return (
    <Section
      title={t('Which visitor gets what')}
      about={t('With the settings above, also before you save them. No number is given away.')}
    >
      <form onSubmit={run} noValidate>
        <Stack gap="sm">
          <TextInput label={t('Address of the page')} {...form.getInputProps('url')} />
          <TextInput
            label={t('Site the visitor comes from')}
            placeholder="https://www.google.com/"
            {...form.getInputProps('referrer')}
          />
          <div>
            <Button type="submit" variant="default" loading={isPending}>
              {t('Show number')}
            </Button>
          </div>
        </Stack>
      </form>
      <div role="status">{found && <Outcome found={found} />}</div>
    </Section>
  );
}

function Outcome({ found }: { found: tracking.PoolPreview }) {
  const { classification, pool, number, because, skipped } = found;
  return (
    <Facts
      rows={[
        [
          t('Source'),
          `${classification.source.label} (${[stepName(classification.step), classification.evidence].filter(Boolean).join(': ')})`,
        ],
        [t('Pool'), pool?.name ?? t('None')],
        [t('Number'), number === null ? '–' : formatPhoneNumber(number)],
        [t('Why'), choiceReason(because)],
        skipped.length > 0 && [
          t('Other pools'),
          skipped.map(({ name, why }) => `${name}: ${skipReason(why)}`).join(' · '),
        ],
      ]}
    />
  );
}
