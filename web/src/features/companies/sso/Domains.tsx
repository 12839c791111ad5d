import { Alert, Button, Group, Menu, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { sso as contract, type Answer } from '#contract';
import {
  bindFieldErrors,
  confirm,
  Section,
  StatusBadge,
  t,
  Time,
  useApiMutation,
  type Tone,
} from '#ui';
import { RecordsTable } from '../../../shared/RecordsTable.tsx';
import { RowMenu } from '../../../shared/RowMenu.tsx';

type Domain = Answer<typeof contract.getSso>['data']['domains'][number];

const states: Record<Domain['state'], { tone: Tone; label: string }> = {
  pending: { tone: 'warn', label: t('Waiting for DNS') },
  proven: { tone: 'success', label: t('Proven') },
  missing: { tone: 'danger', label: t('Record missing') },
};

/** The domains of the organization's email addresses, and how each is proven. */
export function Domains({
  organizationId: id,
  domains,
  isSimulated,
}: {
  organizationId: number;
  domains: readonly Domain[];
  isSimulated: boolean;
}) {
  const form = useForm({ initialValues: { domain: '' } });
  const { mutate, isPending } = useApiMutation(contract.addSsoDomain, {
    onFieldErrors: bindFieldErrors(form),
    onSuccess: () => form.reset(),
    invalidates: [contract.getSso],
  });
  return (
    <Section
      title={t('Domains')}
      about={t('The provider speaks for people with an address at these domains.')}
    >
      <Stack>
        {domains.map((domain) => (
          <DomainRow
            key={domain.domain}
            organizationId={id}
            domain={domain}
            isSimulated={isSimulated}
          />
        ))}
        <form onSubmit={form.onSubmit((body) => void mutate({ params: { id }, body }))} noValidate>
          <Group align="flex-end">
            <TextInput
              flex={1}
              maw={360}
              label={t('Domain')}
              placeholder="example.com"
              {...form.getInputProps('domain')}
            />
            <Button type="submit" variant="default" loading={isPending}>
              {t('Add domain')}
            </Button>
          </Group>
        </form>
      </Stack>
    </Section>
  );
}

function DomainRow({
  organizationId: id,
  domain: { domain, state, record, ends_at, checked_at },
  isSimulated,
}: {
  organizationId: number;
  domain: Domain;
  isSimulated: boolean;
}) {
  const check = useApiMutation(contract.checkSsoDomain, { invalidates: [contract.getSso] });
  const checkNow = () => check.mutate({ params: { id, domain } });
  const remove = useApiMutation(contract.removeSsoDomain, {
    success: t('Domain removed'),
    invalidates: [contract.getSso],
  });
  const askRemove = async (): Promise<void> => {
    const isSure = await confirm({
      title: t('Remove {domain}?', { domain }),
      body: t('People with such an address can no longer sign in through the provider.'),
      confirmLabel: t('Remove'),
    });
    if (isSure) await remove.mutate({ params: { id, domain } });
  };
  return (
    <Stack gap="xs" role="group" aria-label={domain}>
      <Group justify="space-between" wrap="nowrap">
        <Group gap="sm">
          <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
            {domain}
          </Text>
          <StatusBadge tone={states[state].tone}>{states[state].label}</StatusBadge>
        </Group>
        <RowMenu name={domain}>
          <Menu.Item onClick={() => void checkNow()}>{t('Check now')}</Menu.Item>
          <Menu.Item color="red" onClick={() => void askRemove()}>
            {t('Remove')}
          </Menu.Item>
        </RowMenu>
      </Group>
      {ends_at && (
        <Alert color="red">
          {t('Create the record again. Without it, single sign-on for this domain ends:')}{' '}
          <Time at={ends_at} as="moment" />
        </Alert>
      )}
      {state !== 'proven' && (
        <Record
          record={record}
          checkedAt={checked_at}
          isSimulated={isSimulated}
          isChecking={check.isPending}
          checkNow={checkNow}
        />
      )}
    </Stack>
  );
}

/** The record to create, and whether it was found. */
function Record({
  record,
  checkedAt,
  isSimulated,
  isChecking,
  checkNow,
}: {
  record: Domain['record'];
  checkedAt: string | null;
  isSimulated: boolean;
  isChecking: boolean;
  checkNow: () => Promise<unknown>;
}) {
  return (
    <>
      <RecordsTable records={[record]} isSimulated={isSimulated} onPublished={checkNow} />
      <Group gap="sm">
        <Button variant="default" size="xs" loading={isChecking} onClick={() => void checkNow()}>
          {t('Check now')}
        </Button>
        <Text size="xs" c="dimmed">
          {t('Create this where you manage your domain. We look for it every hour.')}
          {checkedAt && (
            <>
              {' '}
              {t('Last checked')} <Time at={checkedAt} as="ago" />
            </>
          )}
        </Text>
      </Group>
    </>
  );
}
