import { Button, Group, Stack, Text } from '@mantine/core';
import { calls, readings as contract } from '#contract';
import { Section, StatusBadge, t, Time, useApiMutation, usePermission } from '#ui';
import { CallSummary } from './CallSummary.tsx';
import { Evidence } from './Evidence.tsx';
import { moodName } from './mood-name.ts';
import { outcomeTagName } from './outcome-tag-name.ts';
import type { Playback } from './use-playback.ts';
import { useUpdateCall } from './use-update-call.ts';

type Call = calls.Call;
type Reading = NonNullable<Call['ai']>;

/** Summary, and what AI found in the call, each with the sentence it rests on. */
export function CallReading({ call, playback }: { call: Call; playback: Playback | null }) {
  const hasWords = call.transcription.state === 'ready';
  if (!call.ai && !call.summary && !hasWords) return null;
  return (
    <Section title={t('Summary')} action={hasWords && <ReadAgain call={call} />}>
      <Stack gap="sm">
        <CallSummary call={call} />
        {call.ai && <Reading call={call} reading={call.ai} playback={playback} />}
      </Stack>
    </Section>
  );
}

/** Has the call read, or tries it without changing anything. */
function ReadAgain({ call }: { call: Call }) {
  const mayEdit = usePermission('calls.edit');
  const { mutate, isPending } = useApiMutation(contract.readCall, {
    invalidates: [calls.getCall],
  });
  if (!mayEdit) return null;
  const read = (dry_run: boolean) => void mutate({ params: { id: call.id }, body: { dry_run } });
  const isBusy = isPending || call.ai?.state === 'queued';
  return (
    <Group gap="xs" wrap="nowrap">
      <Button variant="subtle" size="compact-sm" disabled={isBusy} onClick={() => read(true)}>
        {t('Dry run')}
      </Button>
      <Button variant="default" size="compact-sm" loading={isBusy} onClick={() => read(false)}>
        {call.ai ? t('Read again') : t('Read with AI')}
      </Button>
    </Group>
  );
}

function Reading({
  call,
  reading,
  playback,
}: {
  call: Call;
  reading: Reading;
  playback: Playback | null;
}) {
  if (reading.state === 'queued')
    return <StatusBadge tone="info">{t('AI is reading this call…')}</StatusBadge>;
  if (reading.state === 'failed')
    return (
      <StatusBadge tone="danger">
        {t('AI couldn’t read this call: {error}', { error: reading.error ?? '' })}
      </StatusBadge>
    );
  return (
    <>
      {reading.dry_run && (
        <StatusBadge tone="info">{t('Dry run: nothing in this call was changed.')}</StatusBadge>
      )}
      <Findings call={call} reading={reading} playback={playback} />
      <Origin reading={reading} />
    </>
  );
}

function Findings({
  call,
  reading: { summary, sentiment, outcome, fields, dry_run: isDryRun },
  playback,
}: {
  call: Call;
  reading: Reading;
  playback: Playback | null;
}) {
  return (
    <>
      {summary && (
        <Evidence
          label={isDryRun ? t('Summary: {text}', { text: summary.text }) : t('Based on')}
          evidence={summary.evidence}
          playback={playback}
        />
      )}
      {sentiment && (
        <Evidence
          label={t('Sentiment: {mood}', {
            mood: moodName(
              call.sentiment.label === 'unknown' ? sentiment.label : call.sentiment.label,
            ),
          })}
          evidence={sentiment.evidence}
          playback={playback}
        />
      )}
      {outcome && (
        <Evidence
          label={t('Suggested outcome: {outcome}', { outcome: outcomeTagName(outcome.tag) })}
          evidence={outcome.evidence}
          playback={playback}
          action={<AcceptOutcome call={call} tag={outcome.tag} />}
        />
      )}
      {fields.map((field) => (
        <Evidence
          key={field.attribute_id}
          label={fieldLabel(field)}
          evidence={field.evidence}
          playback={playback}
        />
      ))}
    </>
  );
}

const fieldLabel = ({ name, value, state }: Reading['fields'][number]): string =>
  state === 'kept'
    ? t('{name}: a person’s value stays, AI found {value}', { name, value })
    : t('{name}: {value}', { name, value });

/** Sets the suggested outcome, unless the call has it. */
function AcceptOutcome({ call, tag }: { call: Call; tag: (typeof calls.outcomeTags)[number] }) {
  const { mayEdit, save } = useUpdateCall(call.id);
  if (!mayEdit || call.outcome_tags.includes(tag)) return null;
  return (
    <Button
      variant="default"
      size="compact-xs"
      onClick={() => void save({ outcome_tags: [...call.outcome_tags, tag] })}
    >
      {t('Set')}
    </Button>
  );
}

/** Who found it, what that cost, and what was thrown away. */
function Origin({ reading }: { reading: Reading }) {
  const { model, engine, input_tokens: read, output_tokens: written, cost_micros: cost } = reading;
  const tokens = read !== null && written !== null ? read + written : null;
  return (
    <Text size="sm" c="dimmed">
      {reading.is_simulated
        ? t('Simulated: sentences were picked from the transcript, no AI was asked.')
        : t('Found by {model} at {engine}', { model: model ?? '–', engine })}
      {' · '}
      <Time at={reading.created_at} as="instant" />
      {tokens !== null && <> · {t('{n, plural, one {# token} other {# tokens}}', { n: tokens })}</>}
      {cost !== null && <> · {t('${amount}', { amount: (cost / 1_000_000).toFixed(4) })}</>}
      {reading.dropped.length > 0 && (
        <>
          {' · '}
          {t('Dropped, because the call doesn’t say it: {what}', {
            what: reading.dropped.map(({ what }) => what).join(', '),
          })}
        </>
      )}
    </Text>
  );
}
