import { useState } from 'react';
import { Button, Group, Stack, Text } from '@mantine/core';
import { caddy } from '#contract';
import { stateNames } from '#contract/states';
import { ErrorState, Page, t, useApiQuery } from '#ui';
import { Catalog } from './Catalog.tsx';
import { GetNumber } from './GetNumber.tsx';
import type { Choosing, Listed } from './listed.ts';
import css from './ChooseNumber.module.css';

/** Chooses a new number, or one in exchange for that of `id`. */
export default function ChooseNumber({ id }: { id: number }) {
  const [chosen, setChosen] = useState<Listed | null>(null);
  const old = useApiQuery(caddy.listCaddyNumbers, {}, { enabled: id > 0, silent: true });
  const replaced = old.response?.data.find((number) => number.id === id) ?? null;
  return (
    <Page
      title={id ? t('Exchange your number') : t('Choose a number')}
      back={{ href: '/caddy/numbers', label: t('Numbers') }}
      description={
        replaced
          ? t('You get a new number for {number}.', { number: replaced.formatted })
          : undefined
      }
    >
      <Stack gap="md">
        <RandomNumber choose={setChosen} />
        <Catalog choose={setChosen} />
      </Stack>
      <GetNumber number={chosen} replaced={id ? replaced : null} close={() => setChosen(null)} />
    </Page>
  );
}

/** The quickest way: one number, and another one with each press. */
function RandomNumber({ choose }: Choosing) {
  const { response, error, fetching, refetch } = useApiQuery(
    caddy.getRandomCaddyNumber,
    {},
    // Each one is kept for the person for a while, so it isn't asked for again without a press.
    { silent: true, staleTime: 9 * 60_000 },
  );
  if (error && !response) return <ErrorState error={error} retry={refetch} />;
  const number = response?.data;
  return (
    <section className={css.random} aria-label={t('A number for you')} aria-busy={fetching}>
      <Text className={css.big} aria-live="polite">
        {number?.formatted ?? '(•••) •••-••••'}
      </Text>
      <Text size="sm" c="dimmed">
        {number ? (stateNames[number.region] ?? number.region) : t('Finding a number…')}
      </Text>
      <Group gap="xs" mt="md" justify="center">
        <Button size="md" disabled={!number || fetching} onClick={() => number && choose(number)}>
          {t('Get this number')}
        </Button>
        <Button size="md" variant="default" loading={fetching} onClick={refetch}>
          {t('Another one')}
        </Button>
      </Group>
    </section>
  );
}
