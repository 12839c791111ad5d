import { useState } from 'react';
import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { routing } from '#contract';
import { browserZone, Section, t, useApiMutation, zoneName } from '#ui';
import css from './RouteEditor.module.css';
import { SimulatedCall } from './SimulatedCall.tsx';
import { localMinute, type TestTime } from './test-times.ts';

const simulatedAnswers = ['answers', 'no answer', 'busy', 'declines', 'no key'] as const;
type SimulatedAnswer = (typeof simulatedAnswers)[number];
const answerOptions = () => [
  { value: 'answers', label: t('Answer') },
  { value: 'no answer', label: t('Don’t answer') },
  { value: 'busy', label: t('Are busy') },
  { value: 'declines', label: t('Decline') },
  { value: 'no key', label: t('Answer but press no key') },
];
const toAnswer = (value: string | null): SimulatedAnswer | undefined =>
  simulatedAnswers.find((one) => one === value);

interface Destination {
  /** As the engine names it: E.164, a SIP address, `user:7`. */
  key: string;
  name: string;
}
interface CallSimulatorProps {
  numberId: number;
  draft: () => routing.RouteIn[];
  unsaved: boolean;
  /** The menu as shown; without it the saved menu is tested. */
  menu?: () => routing.NumberWithRoutes['menu'];
  /** Destinations whose answer can be set individually. */
  destinations?: readonly Destination[];
  testTimes: readonly TestTime[];
  onSimulated?: (result: routing.SimulationAnswer) => void;
  /** A step of the result was pressed, by its index. */
  onStep?: (index: number) => void;
}

/** What a test call assumes: who calls when, the keys pressed, and how people answer. */
interface TestCall {
  from: string;
  /** Local time, as `<input type="datetime-local">` has it. */
  at: string;
  keys: string;
  answer: SimulatedAnswer;
  /** Answers of single destinations by their key; `answer` for all others. */
  answers: Record<string, SimulatedAnswer>;
}

/** Has the engine route a test call; `result` is null before the first. */
function useSimulation(props: CallSimulatorProps) {
  const { numberId, draft, unsaved, menu, destinations = [], onSimulated } = props;
  const [result, setResult] = useState<routing.SimulationAnswer | null>(null);
  const { mutate, isPending } = useApiMutation(routing.simulateNumber, {
    onSuccess: ({ data }) => {
      setResult(data);
      onSimulated?.(data);
    },
  });
  const run = ({ from, at, keys, answer, answers }: TestCall): void => {
    const moment = new Date(at);
    // A destination can be removed after its answer was set.
    const known = Object.entries(answers).filter(([key]) =>
      destinations.some((one) => one.key === key),
    );
    void mutate({
      params: { id: numberId },
      body: {
        from: routing.destinationNumber(from) ?? '',
        at: (Number.isNaN(moment.getTime()) ? new Date() : moment).toISOString(),
        pressed: keys.split(/[\s,]+/).filter((one) => one !== ''),
        answers: known.length === 0 ? answer : { ...Object.fromEntries(known), '*': answer },
        ...(unsaved ? { routes: draft(), ...(menu && { menu: menu() }) } : {}),
      },
    });
  };
  return { result, run, isPending };
}

/**
 * What would happen to a caller at a given time, and why, decided by the engine that routes live
 * calls.
 */
export function CallSimulator(props: CallSimulatorProps) {
  const { unsaved, destinations = [], testTimes, onStep } = props;
  const [call, setCall] = useState<TestCall>(() => ({
    from: '(212) 555-0147',
    at: localMinute(new Date()),
    keys: '',
    answer: 'answers',
    answers: {},
  }));
  const change = (changed: Partial<TestCall>): void => setCall((now) => ({ ...now, ...changed }));
  const { result, run, isPending } = useSimulation(props);
  return (
    <Section
      title={t('Try it')}
      about={t('See what would happen to a call. Nothing rings and nothing is saved.')}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          run(call);
        }}
      >
        <Stack gap="sm">
          <CallerFields call={call} onChange={change} testTimes={testTimes} />
          <Select
            label={t('If rung, people')}
            allowDeselect={false}
            value={call.answer}
            onChange={(value) => change({ answer: toAnswer(value) ?? 'answers' })}
            data={answerOptions()}
          />
          <AnswerPerDestination
            destinations={destinations}
            answers={call.answers}
            onChange={(answers) => change({ answers })}
          />
          <Button
            type="submit"
            variant="default"
            loading={isPending}
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
          >
            {unsaved ? t('Run test on this draft') : t('Try it')}
          </Button>
        </Stack>
      </form>
      <div aria-live="polite">
        {result && <SimulatedCall result={result} {...(onStep && { onStep })} />}
      </div>
    </Section>
  );
}

function CallerFields({
  call,
  onChange,
  testTimes,
}: {
  call: TestCall;
  onChange: (changed: Partial<TestCall>) => void;
  testTimes: readonly TestTime[];
}) {
  return (
    <>
      <TextInput
        label={t('Caller')}
        inputMode="tel"
        placeholder={t('Withheld')}
        value={call.from}
        onChange={(event) => onChange({ from: event.currentTarget.value })}
      />
      <TestTimeField value={call.at} onChange={(at) => onChange({ at })} testTimes={testTimes} />
      <TextInput
        label={t('Keys the caller presses')}
        placeholder="2"
        description={t('One per menu, separated by commas')}
        value={call.keys}
        onChange={(event) => onChange({ keys: event.currentTarget.value })}
      />
    </>
  );
}

function TestTimeField({
  value,
  onChange,
  testTimes,
}: {
  value: string;
  onChange: (at: string) => void;
  testTimes: readonly TestTime[];
}) {
  return (
    <>
      <TextInput
        label={t('When')}
        description={t('Your time zone, {zone}', { zone: zoneName(browserZone()) })}
        type="datetime-local"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Group gap={4}>
        {testTimes.map((one) => (
          <Button
            key={`${one.label} ${one.at}`}
            variant="default"
            size="compact-xs"
            aria-pressed={value === one.at}
            onClick={() => onChange(one.at)}
          >
            {one.label}
          </Button>
        ))}
      </Group>
    </>
  );
}

/** More destinations than this are not worth setting one by one. */
const maxIndividual = 12;

function AnswerPerDestination({
  destinations,
  answers,
  onChange,
}: {
  destinations: readonly Destination[];
  answers: Record<string, SimulatedAnswer>;
  onChange: (answers: Record<string, SimulatedAnswer>) => void;
}) {
  if (destinations.length < 2 || destinations.length > maxIndividual) return null;
  const setAnswer = (key: string, value: string | null): void => {
    const { [key]: _, ...others } = answers;
    const answer = toAnswer(value);
    onChange(answer === undefined ? others : { ...others, [key]: answer });
  };
  return (
    <details className={css.each}>
      <summary>{t('Set individually')}</summary>
      <Stack gap="xs">
        {destinations.map((one) => (
          <Select
            key={one.key}
            label={one.name}
            placeholder={t('Same as above')}
            clearable
            clearButtonProps={{ 'aria-label': t('Clear') }}
            data={answerOptions()}
            value={answers[one.key] ?? null}
            onChange={(value) => setAnswer(one.key, value)}
          />
        ))}
      </Stack>
    </details>
  );
}
