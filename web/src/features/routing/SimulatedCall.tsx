import { Alert, Stack } from '@mantine/core';
import { IconCircleCheck, IconCircleMinus } from '@tabler/icons-react';
import type { routing } from '#contract';
import { formatDuration, StatusBadge, t, type Tone } from '#ui';
import css from './RouteEditor.module.css';

type Result = routing.SimulationAnswer;
const outcomes: Record<Result['outcome'], { tone: Tone; text: string }> = {
  connected: { tone: 'success', text: 'The call is connected' },
  voicemail: { tone: 'info', text: 'The caller reaches voicemail' },
  no_answer: { tone: 'warn', text: 'No one answers, and there’s no voicemail' },
  rejected: { tone: 'warn', text: 'Every destination declines' },
  missed: { tone: 'warn', text: 'The caller hears a message and is hung up' },
  abandoned: { tone: 'neutral', text: 'The caller hangs up' },
  blocked: { tone: 'danger', text: 'The caller is blocked' },
};

/** The result of a test call: how it ends, then each step with its reason. */
export function SimulatedCall({
  result,
  onStep,
}: {
  result: Result;
  onStep?: (index: number) => void;
}) {
  const { tone, text } = outcomes[result.outcome];
  return (
    <Stack gap="xs" mt="md">
      <div>
        <StatusBadge tone={tone}>{t(text)}</StatusBadge>
      </div>
      {result.warnings.length > 0 && (
        <Alert color="yellow" title={t('Check these')}>
          {result.warnings.map((warning) => (
            <div key={warning}>{warning}</div>
          ))}
        </Alert>
      )}
      <ol className={css.path} aria-label={t('Call path')}>
        {result.steps.map((step) => (
          // The engine's rule is for tests; people read the reason.
          <li key={step.i} data-no={!step.matched || undefined} data-rule={step.rule}>
            {step.matched ? (
              <IconCircleCheck size={16} aria-label={t('Yes')} />
            ) : (
              <IconCircleMinus size={16} aria-label={t('No')} />
            )}
            {onStep ? (
              <button type="button" className={css.stepButton} onClick={() => onStep(step.i)}>
                {step.because}
              </button>
            ) : (
              <span>{step.because}</span>
            )}
            <span className={css.took}>
              {step.duration > 0 ? formatDuration(step.duration) : ''}
            </span>
          </li>
        ))}
      </ol>
    </Stack>
  );
}
