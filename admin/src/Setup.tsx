import { Suspense, useState } from 'react';
import { Button, Group, Stack, Text } from '@mantine/core';
import { setup as contract, type Answer } from '#contract';
import { setupChecks, type SetupCheck } from '#contract/monitoring/setup/rules';
import { api, ApiError, Page, lazyScreen, Section, StatusBadge, t, Time } from '#ui';
import css from './Setup.module.css';

const AddCompany = lazyScreen(() => import('./AddCompany.tsx'));
type Result = Answer<typeof contract.runSetupCheck>['data'];
type State = { running: true } | { failed: string } | Result;
type States = Partial<Record<SetupCheck, State>>;

const words: Record<SetupCheck, [title: () => string, about: () => string]> = {
  address: [
    () => t('Domain'),
    () => t('People reach this server at its public address, through the proxy.'),
  ],
  mail: [() => t('Email'), () => t('Sends a test email to you.')],
  carrier: [() => t('Carrier'), () => t('Asks each carrier whether it accepts our account.')],
  company: [() => t('First company'), () => t('A company whose owner has signed in.')],
  backups: [() => t('Backups'), () => t('A good backup, made lately.')],
  files: [() => t('Files'), () => t('Writes a file, reads it and deletes it.')],
  disk: [() => t('Disk'), () => t('Room for recordings and the database.')],
  database: [() => t('Database'), () => t('Version, settings that keep data safe, connections.')],
  clock: [() => t('Clock'), () => t('The same time here, in the database and in your browser.')],
};

/** Runs tests one by one; several at once are fine, each shows its state. */
function useSetupChecks() {
  const [states, setStates] = useState<States>({});
  const set = (check: SetupCheck, state: State): void =>
    setStates((all) => ({ ...all, [check]: state }));
  const run = async (check: SetupCheck): Promise<void> => {
    set(check, { running: true });
    const body = { opened: window.location.origin, time: new Date().toISOString() };
    try {
      const input = { params: { check }, body };
      set(check, (await api(contract.runSetupCheck, input, { silent: true })).data);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      set(check, { failed: error.text });
    }
  };
  return { states, run };
}

/** What an operator sets up before people use an installation, each tested by the server. */
export default function Setup() {
  const { states, run } = useSetupChecks();
  const isRunning = Object.values(states).some((state) => 'running' in state);
  const results = Object.values(states).filter((state): state is Result => 'findings' in state);
  const good = results.filter(isGood).length;
  return (
    <Page
      title={t('Setup')}
      description={t(
        'Test each part before people use this server, and again after you change it. Results aren’t stored.',
      )}
      layout="read"
      action={
        <Button
          loading={isRunning}
          onClick={() => void Promise.all(setupChecks.map((check) => run(check)))}
        >
          {t('Test all')}
        </Button>
      }
    >
      <Text size="sm" role="status">
        {results.length > 0 &&
          t('{good, number} of {all, number} parts are ready', { good, all: setupChecks.length })}
      </Text>
      {setupChecks.map((check) => (
        <Check key={check} check={check} state={states[check]} run={() => void run(check)} />
      ))}
    </Page>
  );
}

const isGood = ({ findings }: Result): boolean => findings.every(({ fix }) => fix === null);

function Check({
  check,
  state,
  run,
}: {
  check: SetupCheck;
  state: State | undefined;
  run: () => void;
}) {
  const [title, about] = words[check];
  return (
    <Section title={title()} about={about()}>
      <Stack gap="sm" role="group" aria-label={title()}>
        <Group gap="sm">
          <CheckState state={state} />
          <Button
            size="compact-sm"
            variant="default"
            loading={state !== undefined && 'running' in state}
            aria-label={t('Test {part}', { part: title() })}
            onClick={run}
          >
            {t('Test')}
          </Button>
          {check === 'company' && (
            <Suspense fallback={null}>
              <AddCompany onAdded={run} />
            </Suspense>
          )}
        </Group>
        {state && 'failed' in state && <Text c="red">{state.failed}</Text>}
        {state && 'findings' in state && <Findings result={state} />}
      </Stack>
    </Section>
  );
}

function CheckState({ state }: { state: State | undefined }) {
  if (!state || 'running' in state || 'failed' in state)
    return <StatusBadge tone="neutral">{t('Not tested')}</StatusBadge>;
  return isGood(state) ? (
    <StatusBadge tone="success">{t('Ready')}</StatusBadge>
  ) : (
    <StatusBadge tone="warn">{t('Needs attention')}</StatusBadge>
  );
}

function Findings({ result: { findings, at } }: { result: Result }) {
  return (
    <>
      <ul className={css.findings}>
        {findings.map(({ found, fix }) => (
          <li key={found} data-problem={fix !== null || undefined}>
            {found}
            {fix !== null && <span className={css.fix}>{t('Next: {step}', { step: fix })}</span>}
          </li>
        ))}
      </ul>
      <Text size="sm" c="dimmed">
        {t('Tested:')} <Time at={at} as="time" />
      </Text>
    </>
  );
}
