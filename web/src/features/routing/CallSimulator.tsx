import { useState } from 'react';
import { Alert, Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { IconCircleCheck, IconCircleMinus, IconPlayerPlay } from '@tabler/icons-react';
import { routing } from '#contract';
import { formatDuration, Section, StatusBadge, t, useApiMutation, userZone, type Tone } from '#ui';
import css from './RouteEditor.module.css';

type SimulationResult = routing.SimulationAnswer;
const outcomes: Record<SimulationResult['outcome'], { tone: Tone; words: string }> = {
  connected: { tone: 'success', words: 'The call is connected' },
  voicemail: { tone: 'info', words: 'The caller reaches voicemail' },
  no_answer: { tone: 'warn', words: 'No one answers, and there’s no voicemail' },
  rejected: { tone: 'warn', words: 'Every destination declines' },
  missed: { tone: 'warn', words: 'The caller hears a message and is hung up' },
  abandoned: { tone: 'neutral', words: 'The caller hangs up' },
  blocked: { tone: 'danger', words: 'The caller is blocked' },
};

const simulatedAnswers = () => [
  { value: 'answers', label: t('Answer') },
  { value: 'no answer', label: t('Don’t answer') },
  { value: 'busy', label: t('Are busy') },
  { value: 'declines', label: t('Decline') },
  { value: 'no key', label: t('Answer but press no key') },
];

const now = (): string => {
  const at = new Date();
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

type SimulatedAnswer = 'answers' | 'no answer' | 'busy' | 'declines' | 'no key';
interface CallSimulatorProps {
  numberId: number;
  draft: () => routing.RouteIn[];
  unsaved: boolean;
  /** The menu as shown, when it is to be tried too. */
  menu?: () => routing.NumberWithRoutes['menu'];
  /** Destinations by key, each of which may be told what it does. */
  destinations?: readonly { key: string; name: string }[];
  /** Moments worth trying, as `YYYY-MM-DDTHH:mm` of the viewer's clock. */
  testTimes?: readonly { label: string; at: string }[];
  onSimulated?: (played: SimulationResult | null) => void;
  /** A line of the way was chosen. */
  onStep?: (i: number) => void;
}

/** A caller and a time, and what would happen: decided by the engine that answers real calls, with the reason for each step. */
export function CallSimulator({
  numberId,
  draft,
  unsaved,
  menu,
  destinations = [],
  testTimes: moments = [],
  onSimulated: onPlayed,
  onStep,
}: CallSimulatorProps) {
  const [from, setFrom] = useState('(212) 555-0147');
  const [at, setAt] = useState(now);
  const [pressed, setPressed] = useState('');
  const [answers, setAnswers] = useState<SimulatedAnswer>('answers');
  const [own, setOwn] = useState<Record<string, SimulatedAnswer>>({});
  const [played, setPlayed] = useState<SimulationResult | null>(null);
  const told = Object.fromEntries(
    Object.entries(own).filter(([key]) => destinations.some((one) => one.key === key)),
  );
  const { mutate, isPending } = useApiMutation(routing.simulateNumber, {
    onSuccess: ({ data }) => {
      setPlayed(data);
      onPlayed?.(data);
    },
  });
  const run = (): void => {
    const moment = new Date(at);
    void mutate({
      params: { id: numberId },
      body: {
        from: routing.destinationNumber(from) ?? '',
        at: (Number.isNaN(moment.getTime()) ? new Date() : moment).toISOString(),
        pressed: pressed.split(/[\s,]+/).filter((one) => one !== ''),
        answers: Object.keys(told).length === 0 ? answers : { ...told, '*': answers },
        ...(unsaved ? { routes: draft(), ...(menu && { menu: menu() }) } : {}),
      },
    });
  };
  return (
    <Section
      title={t('Try it')}
      about={t('See what would happen to a call. Nothing rings and nothing is saved.')}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <Stack gap="sm">
          <TextInput
            label={t('Caller')}
            inputMode="tel"
            placeholder={t('Withheld')}
            value={from}
            onChange={(event) => setFrom(event.currentTarget.value)}
          />
          <TextInput
            label={t('When')}
            description={t('Your time zone, {zone}', { zone: userZone() })}
            type="datetime-local"
            value={at}
            onChange={(event) => setAt(event.currentTarget.value)}
          />
          {moments.length > 0 && (
            <Group gap={4}>
              {moments.map((one) => (
                <Button
                  key={one.label}
                  variant="default"
                  size="compact-xs"
                  aria-pressed={at === one.at}
                  onClick={() => setAt(one.at)}
                >
                  {one.label}
                </Button>
              ))}
            </Group>
          )}
          <TextInput
            label={t('Keys the caller presses')}
            placeholder="2"
            description={t('One per menu, separated by commas')}
            value={pressed}
            onChange={(event) => setPressed(event.currentTarget.value)}
          />
          <Select
            label={t('Destinations')}
            allowDeselect={false}
            value={answers}
            onChange={(value) => setAnswers((value ?? 'answers') as typeof answers)}
            data={simulatedAnswers()}
          />
          {destinations.length > 1 && destinations.length <= 12 && (
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
                    data={simulatedAnswers()}
                    value={own[one.key] ?? null}
                    onChange={(value) =>
                      setOwn(({ [one.key]: _, ...others }) =>
                        value === null
                          ? others
                          : { ...others, [one.key]: value as SimulatedAnswer },
                      )
                    }
                  />
                ))}
              </Stack>
            </details>
          )}
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
        {played && (
          <Stack gap="xs" mt="md">
            <div>
              <StatusBadge tone={outcomes[played.outcome].tone}>
                {t(outcomes[played.outcome].words)}
              </StatusBadge>
            </div>
            {played.warnings.length > 0 && (
              <Alert color="yellow" title={t('Check these')}>
                {played.warnings.map((warning) => (
                  <div key={warning}>{warning}</div>
                ))}
              </Alert>
            )}
            <ol className={css.path} aria-label={t('Call path')}>
              {played.steps.map((step) => (
                <li key={step.i} data-no={!step.matched || undefined}>
                  {step.matched ? (
                    <IconCircleCheck size={16} aria-label={t('Yes')} />
                  ) : (
                    <IconCircleMinus size={16} aria-label={t('No')} />
                  )}
                  {onStep ? (
                    <button type="button" className={css.stepButton} onClick={() => onStep(step.i)}>
                      {step.because}
                      <small>{step.rule}</small>
                    </button>
                  ) : (
                    <span>
                      {step.because}
                      <small>{step.rule}</small>
                    </span>
                  )}
                  <span className={css.took}>
                    {step.duration > 0 ? formatDuration(step.duration) : ''}
                  </span>
                </li>
              ))}
            </ol>
          </Stack>
        )}
      </div>
    </Section>
  );
}
