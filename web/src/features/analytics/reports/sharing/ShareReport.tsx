import { useState } from 'react';
import { Alert, Button, CopyButton, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { companies, reportLinks } from '#contract';
import { reportLinkLimits } from '#contract/analytics/report-links/rules';
import {
  calendarDay,
  Modal,
  t,
  useApiMutation,
  useApiQuery,
  useCompanyId,
  useNow,
  usePermission,
  userZone,
} from '#ui';
import type { Favorite } from '../favorite-form.ts';
import { LinkList } from './LinkList.tsx';

const terms = ['7', '30', '90', 'date'] as const;
type Term = (typeof terms)[number];
const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

/** The company’s date now. */
function useToday(): string {
  const companyId = useCompanyId() ?? 0;
  const { response } = useApiQuery(
    companies.getCompany,
    { params: { id: companyId } },
    { silent: true, staleTime: 300_000 },
  );
  return calendarDay(useNow(60_000), response?.data.timezone ?? userZone());
}

/** Links that open a favorite without an account: a new one, and those that there are. */
export default function ShareReport({
  favorite,
  close,
}: {
  favorite: Favorite;
  close: () => void;
}) {
  const companyId = useCompanyId() ?? 0;
  const mayExport = usePermission('exports.make');
  const { response } = useApiQuery(reportLinks.listReportLinks, {
    query: { company_id: companyId, favorite_id: favorite.id },
  });
  const links = response?.data ?? [];
  return (
    <Modal
      closeButtonProps={{ 'aria-label': t('Close') }}
      opened
      onClose={close}
      title={t('Share “{name}”', { name: favorite.name })}
    >
      <Stack gap="md">
        <Text size="sm">
          {t(
            'Anyone with the link sees this report without an account, always up to date and counted with your rights. Contact details are hidden.',
          )}
        </Text>
        {mayExport && <NewLink favorite={favorite} />}
        {links.length > 0 && (
          <section>
            <Text fw={500} component="h3" size="sm">
              {t('Links to this report')}
            </Text>
            <LinkList links={links} />
          </section>
        )}
      </Stack>
    </Modal>
  );
}

function NewLink({ favorite }: { favorite: Favorite }) {
  const companyId = useCompanyId() ?? 0;
  const today = useToday();
  const [term, setTerm] = useState<Term>('30');
  const [date, setDate] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [link, setLink] = useState<string | null>(null);
  const { mutate, isPending } = useApiMutation(reportLinks.createReportLink, {
    invalidates: [reportLinks.listReportLinks],
    onFieldErrors: (error) => {
      const found = error.fields['last_day'];
      setProblem(found ?? null);
      return found ? ['last_day'] : [];
    },
    onSuccess: ({ data }) => setLink(data.link),
  });
  const create = (): void => {
    const last_day = term === 'date' ? date : dayAfter(today, Number(term));
    if (!last_day) return setProblem(t('Enter a date.'));
    setProblem(null);
    void mutate({ body: { company_id: companyId, favorite_id: favorite.id, last_day } });
  };
  if (link) return <MadeLink link={link} />;
  return (
    <>
      <Group align="start" grow>
        <Select
          label={t('Link expires')}
          allowDeselect={false}
          data={terms.map((value) => ({ value, label: termName(value) }))}
          value={term}
          onChange={(value) => {
            setTerm(value ?? '30');
            setProblem(null);
          }}
        />
        {term === 'date' && (
          <TextInput
            type="date"
            label={t('Last day')}
            min={today}
            max={dayAfter(today, reportLinkLimits.days)}
            value={date}
            error={problem}
            onChange={(event) => setDate(event.currentTarget.value)}
          />
        )}
      </Group>
      <Group justify="flex-end">
        <Button loading={isPending} onClick={create}>
          {t('Create link')}
        </Button>
      </Group>
    </>
  );
}

const termName = (term: Term): string =>
  term === 'date' ? t('On a date') : t('In {n} days', { n: term });

const MadeLink = ({ link }: { link: string }) => (
  <Alert color="teal" role="status">
    <Stack gap="xs">
      {t('Copy this link now. It isn’t shown again.')}
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <TextInput
          aria-label={t('Link')}
          readOnly
          flex={1}
          value={link}
          data-autofocus
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton value={link} timeout={1500}>
          {({ copied, copy }) => (
            <Button onClick={copy}>{copied ? t('Copied') : t('Copy link')}</Button>
          )}
        </CopyButton>
      </Group>
    </Stack>
  </Alert>
);
