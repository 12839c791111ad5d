import { useState } from 'react';
import { Alert, Button, SimpleGrid, Stack, Table, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { tracking } from '#contract';
import { bindFieldErrors, Facts, Section, t, useApiMutation, useCompanyId } from '#ui';
import { groupName, lostReason, ruleText, stepName } from '../labels.ts';
import css from './sources.module.css';

type Found = tracking.Classification;

/** Shows which source a visit gets and why, by the rules that visits are classified with. */
export function TryVisit({ sources }: { sources: readonly tracking.Source[] }) {
  const companyId = useCompanyId() ?? 0;
  const form = useForm({
    initialValues: { url: '', referrer: '' },
    validate: { url: (url) => (url.trim() ? null : t('Enter an address.')) },
  });
  const [found, setFound] = useState<Found | null>(null);
  const { mutate, isPending } = useApiMutation(tracking.classifyVisit, {
    onFieldErrors: bindFieldErrors(form),
    onSuccess: ({ data }) => setFound(data),
  });
  const run = form.onSubmit(({ url, referrer }) => {
    void mutate({ params: { companyId }, body: { url, referrer: referrer || null } });
  });
  return (
    <Section title={t('Try a visit')} about={t('Nothing is stored.')}>
      <form onSubmit={run} noValidate>
        <Stack gap="sm">
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
            <TextInput
              label={t('Address of the page')}
              placeholder="https://www.example.com/?utm_source=google&utm_medium=cpc"
              {...form.getInputProps('url')}
            />
            <TextInput
              label={t('Site the visitor comes from')}
              placeholder="https://www.google.com/"
              {...form.getInputProps('referrer')}
            />
          </SimpleGrid>
          <div>
            <Button type="submit" variant="default" loading={isPending}>
              {t('Find source')}
            </Button>
          </div>
        </Stack>
      </form>
      <div role="status">{found && <Outcome found={found} sources={sources} />}</div>
    </Section>
  );
}

function Outcome({ found, sources }: { found: Found; sources: readonly tracking.Source[] }) {
  const own = sources.flatMap(({ rules }) => rules).find(({ id }) => id === found.ruleId);
  return (
    <Stack gap="sm" mt="sm">
      <Facts
        rows={[
          [t('Source'), `${found.source.label} (${groupName(found.source.group)})`],
          [
            t('Decided by'),
            [stepName(found.step), own ? ruleText(own) : found.evidence].filter(Boolean).join(': '),
          ],
          [t('Medium'), found.medium ?? '–'],
          found.campaign !== null && [t('Campaign'), found.campaign],
          found.term !== null && [t('Keyword'), found.term],
          found.content !== null && [t('Ad content'), found.content],
        ]}
      />
      {!found.isNewTouch && (
        <Alert color="gray">
          {t('Visitors who come from there were already on your site, so it’s no new visit.')}
        </Alert>
      )}
      {found.lost.length > 0 && <LostRules found={found} sources={sources} />}
    </Stack>
  );
}

function LostRules({ found, sources }: { found: Found; sources: readonly tracking.Source[] }) {
  const labels = new Map(sources.map(({ key, label }) => [key, label]));
  return (
    <Table className={css.table ?? ''} verticalSpacing="xs" horizontalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Didn’t decide')}</Table.Th>
          <Table.Th>{t('Source')}</Table.Th>
          <Table.Th>{t('Why')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {found.lost.map((rule, index) => (
          <Table.Tr key={index}>
            <Table.Td>{[stepName(rule.step), rule.evidence].filter(Boolean).join(': ')}</Table.Td>
            <Table.Td>{(rule.sourceKey && labels.get(rule.sourceKey)) ?? '–'}</Table.Td>
            <Table.Td>{lostReason(rule.why)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
