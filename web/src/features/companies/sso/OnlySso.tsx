import { Alert, Button, Group, List, Stack, Switch, Text } from '@mantine/core';
import { sso as contract, type Answer } from '#contract';
import { confirm, Section, t, Time, useApiMutation } from '#ui';

type Only = Answer<typeof contract.getSso>['data']['only'];

/** Whether the organization's people sign in through the provider alone. */
export function OnlySso({
  organizationId: id,
  name,
  only,
}: {
  organizationId: number;
  name: string;
  only: Only;
}) {
  const isOn = only.required_at !== null;
  const { mutate, isPending } = useApiMutation(contract.requireSso, {
    success: isOn ? t('People can choose how to sign in') : t('Only single sign-on lets people in'),
    invalidates: [contract.getSso],
  });
  const ask = async (): Promise<void> => {
    const isSure = await confirm(
      isOn
        ? {
            title: t('Let people choose again?'),
            body: t('Passwords, passkeys and other providers let people in again.'),
            confirmLabel: t('Let them choose'),
          }
        : {
            title: t('Only let people in through the provider?'),
            body: <Effects name={name} only={only} />,
            confirmLabel: t('Turn on'),
          },
    );
    if (isSure) await mutate({ params: { id }, body: { required: !isOn } });
  };
  return (
    <Section
      title={t('Only single sign-on')}
      about={t(
        'People with an address at your domains sign in through the provider and nothing else.',
      )}
    >
      <Stack gap="sm" align="flex-start">
        <Switch
          label={t('Let people in only through the provider')}
          checked={isOn}
          disabled={isPending || (!isOn && only.problem !== null)}
          onChange={() => void ask()}
        />
        {only.required_at !== null && (
          <Text fz="sm" c="dimmed">
            {t('On since')} <Time at={only.required_at} as="moment" />
          </Text>
        )}
        {!isOn && only.problem && <Problem id={id} problem={only.problem} />}
        {isOn && <Owners only={only} />}
      </Stack>
    </Section>
  );
}

/** What turning it on does, before it is done. */
const Effects = ({ name, only }: { name: string; only: Only }) => (
  <Stack gap="sm">
    <Text>
      {t(
        '{n, plural, one {# person has} other {# people have}} an address at your domains. From now on:',
        { n: only.people },
      )}
    </Text>
    <List size="sm" spacing={4}>
      <List.Item>
        {t('Passwords, passkeys, other providers and reset links no longer let them in.')}
      </List.Item>
      <List.Item>
        {t('Who is signed in another way must sign in again to reach {name}.', { name })}
      </List.Item>
      <List.Item>{t('They can’t change their address to one elsewhere.')}</List.Item>
      <List.Item>
        {t(
          'API keys, connected applications and desk phones keep working, and so do people with other addresses.',
        )}
      </List.Item>
    </List>
    <Owners only={only} />
  </Stack>
);

const waysIn: Record<Only['owners'][number]['gets_in'], string> = {
  address: t('Has another address and signs in as before'),
  factor: t('Gets in by password and two-step verification'),
  no: t('Doesn’t get in: set up a password and two-step verification'),
};

/** Who still gets in while the provider is down. */
const Owners = ({ only }: { only: Only }) => (
  <Alert color={only.owners.some((owner) => owner.gets_in === 'no') ? 'yellow' : 'teal'}>
    <Text fz="sm" fw={500}>
      {t('Owners, while the provider is down')}
    </Text>
    {only.owners.map((owner, at) => (
      // oxlint-disable-next-line no-array-index-key -- two owners can have one name
      <Text key={at} fz="sm">
        {owner.name}: {waysIn[owner.gets_in]}
      </Text>
    ))}
    <Text fz="sm">{t('Each such sign-in is logged, and the other owners are told.')}</Text>
  </Alert>
);

const problems: Record<NonNullable<Only['problem']>, string> = {
  not_set_up: t('Connect a provider first.'),
  no_domain: t('Prove a domain of your email addresses first.'),
  untried: t('Sign in through the provider once, so that it’s sure to work.'),
  not_in_it: t('Sign in through the provider first, or you’d lock yourself out.'),
  no_door: t(
    'No owner could get in while the provider is down. Have an owner set a password and two-step verification first.',
  ),
};

/** Why it can't be turned on, and the way to what is missing. */
function Problem({ id, problem }: { id: number; problem: NonNullable<Only['problem']> }) {
  const next = new URLSearchParams({ next: '/organization/single-sign-on' });
  const canTry = problem === 'untried' || problem === 'not_in_it';
  return (
    <Group gap="sm">
      <Text fz="sm" c="dimmed">
        {problems[problem]}
      </Text>
      {canTry && (
        <Button
          component="a"
          href={`/api/oauth/sso/${id}/redirect?${next.toString()}`}
          variant="default"
          size="xs"
        >
          {t('Sign in through it')}
        </Button>
      )}
    </Group>
  );
}
